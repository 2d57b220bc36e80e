import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { needMessages } from "#i18n/load.ts";
import { type Load, loadInTime } from "#web/lib/loadInTime.ts";

export type LazyScreen = LazyExoticComponent<ComponentType> & {
  /** Starts loading before it is drawn. Resolves when it is there, or failed: drawing it says why. */
  preload: () => Promise<void>;
};

/** A screen as a chunk of its own, with the messages of its domains. */
export function lazyScreen(load: Load, domains: readonly string[] = []): LazyScreen {
  let started: ReturnType<Load> | null = null;
  const both = async () => {
    const [screen] = await Promise.all([load(), needMessages(domains)]);
    return screen;
  };
  const start = () => {
    started ??= loadInTime(both).catch((failure: unknown) => {
      started = null;
      throw failure;
    });
    return started;
  };
  return Object.assign(lazy(start), {
    preload: () =>
      start().then(
        () => undefined,
        () => undefined,
      ),
  });
}
