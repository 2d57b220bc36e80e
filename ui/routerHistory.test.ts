import { expect, test } from "vitest";
import {
  enter,
  isForApp,
  numberFirst,
  readLocation,
  resolveAddress,
  type Tab,
} from "./routerHistory.ts";

const wallet = { pathname: "/wallet-info", search: "?coin=pBTC" };

test.each([
  ["/business?contract_id=1", "/business?contract_id=1"],
  ["/help#promise-3", "/help#promise-3"],
  ["?do=send", "/wallet-info?do=send"],
  ["?", "/wallet-info"],
  ["#amount", "/wallet-info?coin=pBTC#amount"],
  ["", "/wallet-info?coin=pBTC"],
  // Another host, another scheme or no address at all: the location stays the same.
  ["//example.org/help", "/wallet-info?coin=pBTC"],
  ["https://example.org/help", "/wallet-info?coin=pBTC"],
  ["javascript:alert(1)", "/wallet-info?coin=pBTC"],
  ["http://[", "/wallet-info?coin=pBTC"],
])("resolveAddress(%j) is %s", (to, address) => {
  expect(resolveAddress(to, wallet)).toBe(address);
});

/** A browser tab that was opened at `address`. */
function tabAt(address: string, state: unknown = null, pushFails = false) {
  const entries = [{ state, address }];
  const loaded: string[] = [];
  const url = () => new URL(entries.at(-1)!.address, "http://host");
  const tab: Tab = {
    location: {
      get pathname() {
        return url().pathname;
      },
      get search() {
        return url().search;
      },
      get hash() {
        return url().hash;
      },
      assign: (to) => loaded.push(String(to)),
    },
    history: {
      get state() {
        return entries.at(-1)!.state;
      },
      pushState: (next, _, to) => {
        if (pushFails) throw new DOMException("too many entries", "SecurityError");
        entries.push({ state: next, address: String(to) });
      },
      replaceState: (next, _, to) => {
        entries[entries.length - 1] = {
          state: next,
          address: String(to ?? entries.at(-1)!.address),
        };
      },
    },
  };
  return { tab, entries, loaded };
}

const getIdx = ({ state }: { state: unknown }) => (state as { idx: number }).idx;

test("each entered page gets a unique key and the next number", () => {
  const { tab, entries } = tabAt("/home?invite=abc");
  numberFirst(tab);
  expect(readLocation(tab)).toEqual({
    pathname: "/home",
    search: "?invite=abc",
    hash: "",
    key: "default",
  });
  enter(tab, "/wallet", false);
  enter(tab, "/wallet#coins", false);
  expect(entries.map(getIdx)).toEqual([0, 1, 2]);
  expect(entries.map(({ address }) => address)).toEqual([
    "/home?invite=abc",
    "/wallet",
    "/wallet#coins",
  ]);
  const [, second, third] = entries.map(({ state }) => (state as { key?: string }).key);
  expect(second).toMatch(/^\w{4,}$/);
  expect(third).not.toBe(second);
  expect(readLocation(tab).key).toBe(third);
});

test("a replacing page keeps the number and gets a new key", () => {
  const { tab, entries } = tabAt("/verify", { key: "a", idx: 4 });
  numberFirst(tab);
  enter(tab, "/verify?part=log", true);
  expect(entries).toHaveLength(1);
  expect(entries.map(getIdx)).toEqual([4]);
  expect(readLocation(tab)).toMatchObject({ pathname: "/verify", search: "?part=log" });
  expect(readLocation(tab).key).not.toBe("a");
});

test("a page entered from a sheet does not inherit the sheet's state", () => {
  const { tab, entries } = tabAt("/home", { key: "a", idx: 2, overlay: "x", depth: 1 });
  enter(tab, "/help", false);
  expect(entries.at(-1)!.state).not.toHaveProperty("overlay");
  expect(entries.map(getIdx)).toEqual([2, 3]);
});

test("a page is loaded if the browser refuses another history entry", () => {
  const { tab, loaded } = tabAt("/home", null, true);
  enter(tab, "/help", false);
  expect(loaded).toEqual(["/help"]);
});

const press = {
  button: 0,
  metaKey: false,
  altKey: false,
  ctrlKey: false,
  shiftKey: false,
  defaultPrevented: false,
};

test.each([
  [{}, undefined, true],
  [{}, "_self", true],
  [{}, "_blank", false],
  [{ button: 1 }, undefined, false],
  [{ metaKey: true }, undefined, false],
  [{ ctrlKey: true }, undefined, false],
  [{ shiftKey: true }, undefined, false],
  [{ altKey: true }, undefined, false],
  [{ defaultPrevented: true }, undefined, false],
])("a press %j on a link with target %s is handled by the app: %s", (change, target, forApp) => {
  expect(isForApp({ ...press, ...change }, target)).toBe(forApp);
});
