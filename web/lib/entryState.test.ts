import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEntryState } from "./entryState.ts";

const isNumber = (storage: unknown): storage is number => typeof storage === "number";
const storage = new Map<string, string>();
let hide = () => {};

/** A document of one tab, loaded by `type`. */
function load(type: string) {
  vi.stubGlobal("performance", { getEntriesByType: () => [{ type }] });
  vi.stubGlobal("window", {
    addEventListener: (_: string, listener: () => void) => {
      hide = listener;
    },
  });
  return createEntryState("scroll", isNumber);
}

beforeEach(() => {
  storage.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("an entry's state survives a reload", () => {
  load("navigate").set("a1", 700);
  hide();
  expect(load("reload").get("a1")).toBe(700);
});

test("the first entry of a newly opened page does not inherit state", () => {
  load("navigate").set("default", 700);
  hide();
  expect(load("navigate").get("default")).toBeUndefined();
});

test("only the latest entries are stored", () => {
  const memory = load("navigate");
  for (let index = 0; index < 60; index++) memory.set(`k${index}`, index);
  memory.set("k0", 1);
  hide();
  const reloaded = load("reload");
  expect(reloaded.get("k0")).toBe(1);
  expect(reloaded.get("k5")).toBeUndefined();
  expect(reloaded.get("k59")).toBe(59);
});

test.each([
  "{",
  "[1]",
  '[["a"]]',
  '[["a","x"]]',
  "null",
])("reading damaged storage %j returns no state", (text) => {
  storage.set("drydock.scroll", text);
  expect(load("reload").get("a")).toBeUndefined();
});
