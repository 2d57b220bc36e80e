import { expect, test } from "vitest";
import { createOverlayHistory } from "./overlayHistory.ts";

/** A browser tab: its entries, a router that pushes pages, and the reader's back and forward. */
function tab() {
  const entries: { state: { idx: number; overlay?: string }; url: string }[] = [
    { state: { idx: 0 }, url: "/list" },
    { state: { idx: 1 }, url: "/page" },
  ];
  let index = 1;
  let url = "/page";
  const queue: (() => void)[] = [];
  const history = {
    get state() {
      return entries[index]!.state;
    },
    pushState: (state: unknown) => {
      entries.splice(++index);
      entries.push({ state: state as { idx: number }, url });
    },
    replaceState: (state: unknown) => {
      entries[index] = { state: state as { idx: number }, url };
    },
    // Browsers answer asynchronously, with `popstate`; beyond either end nothing happens.
    go: (delta = 0) =>
      queue.push(() => {
        if (!entries[index + delta]) return;
        index += delta;
        url = entries[index]!.url;
        overlays.popped();
      }),
  };
  const overlays = createOverlayHistory(history);
  const go = (delta: number) => {
    history.go(delta);
    while (queue.length > 0) queue.shift()?.();
  };
  return {
    overlays,
    /** A link of the router: a new entry with the next number. */
    link: (to: string) => {
      url = to;
      history.pushState({ idx: history.state.idx + 1 });
    },
    back: () => go(-1),
    forward: () => go(1),
    url: () => url,
    length: () => entries.length,
  };
}

const never = () => expect.unreachable();

test("back closes the sheet and keeps the page, and the next back leaves it", () => {
  const { overlays, back, url } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("sheet"));
  back();
  expect(closed).toEqual(["sheet"]);
  expect(url()).toBe("/page");
  back();
  expect(url()).toBe("/list");
});

test("back closes only the topmost sheet", () => {
  const { overlays, back } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("lower"));
  overlays.enter(() => closed.push("upper"));
  back();
  expect(closed).toEqual(["upper"]);
  back();
  expect(closed).toEqual(["upper", "lower"]);
});

test("one back leaves the page after sheets were closed by their buttons", () => {
  for (const count of [1, 2]) {
    const { overlays, back, url } = tab();
    const leaves = Array.from({ length: count }, () => overlays.enter(never));
    for (const leave of leaves.toReversed()) leave();
    back();
    expect(url()).toBe("/list");
  }
});

test("back closes the lower sheet after the upper one was closed by its button", () => {
  const { overlays, back, url } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("lower"));
  overlays.enter(never)();
  back();
  expect(closed).toEqual(["lower"]);
  expect(url()).toBe("/page");
});

test("forward does not reopen a closed sheet, and back then leaves the page", () => {
  const { overlays, forward, back, url } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("sheet"));
  back();
  forward();
  expect(closed).toEqual(["sheet"]);
  expect(url()).toBe("/page");
  back();
  expect(url()).toBe("/list");
});

test("sheets opened in succession use a single history entry", () => {
  const { overlays, back, url, length } = tab();
  const closed: string[] = [];
  for (let count = 0; count < 5; count++) overlays.enter(never)();
  overlays.enter(() => closed.push("last"));
  expect(length()).toBe(3);
  back();
  expect(closed).toEqual(["last"]);
  expect(url()).toBe("/page");
});

test("a link in a sheet navigates, and back returns to the page", () => {
  const { overlays, link, back, forward, url } = tab();
  const leave = overlays.enter(never);
  link("/receipt");
  leave();
  back();
  expect(url()).toBe("/page");
  forward();
  expect(url()).toBe("/receipt");
  back();
  back();
  expect(url()).toBe("/list");
});

test("a sheet kept open on a page left by a link closes on back", () => {
  const { overlays, link, back } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("kept"));
  link("/receipt");
  back();
  expect(closed).toEqual([]);
  back();
  expect(closed).toEqual(["kept"]);
});
