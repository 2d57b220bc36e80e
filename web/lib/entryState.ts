import { type TabName, tabStorage } from "./storage.ts";

/** Older entries of the history are forgotten at a reload. */
const entriesMax = 50;

/** The router's key of an entry that it did not make: the first of each load has it. */
const unkeyed = "default";

/** Returns true if this page was loaded again, or came back to, rather than newly opened. */
export function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "reload" || navigation?.type === "back_forward";
}

/** A value for each visited history entry, by the router's key; it survives a reload. */
export interface EntryState<Value> {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
}

export function createEntryState<Value>(
  name: TabName,
  isValue: (stored: unknown) => stored is Value,
): EntryState<Value> {
  const values = new Map<string, Value>();
  const storedEntries = tabStorage.readJson(name);
  for (const entry of Array.isArray(storedEntries) ? storedEntries : []) {
    const [key, value] = Array.isArray(entry) ? entry : [];
    if (key === unkeyed && !isReload()) continue;
    if (typeof key === "string" && isValue(value)) values.set(key, value);
  }
  window.addEventListener("pagehide", () => {
    tabStorage.write(name, JSON.stringify([...values].slice(-entriesMax)));
  });
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      // The latest write goes last, so that the oldest entries are dropped.
      values.delete(key);
      values.set(key, value);
    },
  };
}
