import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserStorage, tabStorage } from "#web/lib/storage.ts";

function getStorage(items: Record<string, string>) {
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => {
      items[key] = value;
    },
    removeItem: (key: string) => {
      delete items[key];
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(items, name, { value, enumerable: false });
  }
  return items;
}

let items: Record<string, string>;
beforeEach(() => {
  items = getStorage({});
  vi.stubGlobal("localStorage", items);
  vi.stubGlobal("sessionStorage", items);
});
afterEach(() => vi.unstubAllGlobals());

test("names are prefixed, except the language", () => {
  browserStorage.write("theme", "dark");
  browserStorage.write("language", "de");
  expect(items).toEqual({ "drydock.theme": "dark", language: "de" });
  expect(browserStorage.read("theme")).toBe("dark");
  expect(browserStorage.read("language")).toBe("de");
});

test("null removes a stored value", () => {
  browserStorage.write("log", "{}");
  expect(browserStorage.write("log", null)).toBe(true);
  expect(items).toEqual({});
});

test.each(["{", "", "undefined"])("JSON damaged to %j is read as null", (text) => {
  items["drydock.log"] = text;
  expect(browserStorage.readJson("log")).toBeNull();
});

test("names are listed by prefix", () => {
  for (const name of ["publishing/news/a", "publishing/news/b", "publishing/pool/c"] as const) {
    tabStorage.write(name, "x");
  }
  expect(tabStorage.names("publishing/news/")).toEqual(["publishing/news/a", "publishing/news/b"]);
});

test("a browser that denies storage stores nothing, and calls do not throw", () => {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  expect(browserStorage.write("theme", "dark")).toBe(false);
  expect(browserStorage.read("theme")).toBeNull();
  expect(browserStorage.readJson("log")).toBeNull();
  expect(browserStorage.names("log")).toEqual([]);
});

test("write returns false if the browser does not keep the value", () => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  expect(browserStorage.write("practice", "seed")).toBe(false);
});
