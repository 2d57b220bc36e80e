import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { needMessages } from "#i18n/load.ts";
import { type Load, loadInTime } from "#web/app/loadInTime.ts";

/** A screen as a chunk of its own, with the messages of its domains. */
export function lazyScreen(
  load: Load,
  domains: readonly string[] = [],
): LazyExoticComponent<ComponentType> {
  const both = async () => {
    const [screen] = await Promise.all([load(), needMessages(domains)]);
    return screen;
  };
  return lazy(() => loadInTime(both));
}
