import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { loadMessages } from "#i18n/load.ts";
import { type Load, loadWithTimeout } from "#web/lib/start/loadWithTimeout.ts";

export type LazyPage = LazyExoticComponent<ComponentType> & {
  /**
   * Starts loading before rendering. Resolves when loaded or failed: rendering it reports the
   * failure.
   */
  preload: () => Promise<void>;
};

/** A screen as a separate chunk, with the messages of its domains. */
export function lazyPage(load: Load, domains: readonly string[] = []): LazyPage {
  let loading: ReturnType<Load> | null = null;
  const code = async () => {
    const screen = await load();
    await screen.default.ready?.();
    return screen;
  };
  const loadBoth = async () => {
    const [screen] = await Promise.all([code(), loadMessages(domains)]);
    return screen;
  };
  const start = () => {
    loading ??= loadWithTimeout(loadBoth).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return Object.assign(lazy(start), {
    preload: () =>
      start().then(
        () => undefined,
        () => undefined,
      ),
  });
}
