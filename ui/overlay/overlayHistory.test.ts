import { expect, test } from "vitest";
import { createOverlayHistory } from "./overlayHistory.ts";

/** A browser tab: its entries, a router that pushes pages, and the reader's back and forward. */
function tab() {
  const entries: { state: { idx: number; overlay?: string }; url: string }[] = [
    { state: { idx: 0 }, url: "/list" },
    { state: { idx: 1 }, url: "/page" },
  ];
  let at = 1;
  let url = "/page";
  const queue: (() => void)[] = [];
  const history = {
    get state() {
      return entries[at]!.state;
    },
    pushState: (state: unknown) => {
      entries.splice(++at);
      entries.push({ state: state as { idx: number }, url });
    },
    replaceState: (state: unknown) => {
      entries[at] = { state: state as { idx: number }, url };
    },
    // Browsers answer later, with `popstate`; beyond either end nothing happens.
    go: (delta = 0) =>
      queue.push(() => {
        if (!entries[at + delta]) return;
        at += delta;
        url = entries[at]!.url;
        overlays.popped();
      }),
  };
  const overlays = createOverlayHistory(history, (act) => queue.push(act));
  const step = () => queue.shift()?.();
  const settle = () => {
    while (queue.length > 0) step();
  };
  return {
    overlays,
    step,
    settle,
    link: (to: string) => {
      url = to;
      history.pushState({ idx: history.state.idx + 1 });
    },
    back: () => {
      history.go(-1);
      settle();
    },
    forward: () => {
      history.go(1);
      settle();
    },
    where: () => ({ url, length: entries.length, at }),
  };
}

test("back closes the sheet and stays on the page; the next back leaves it", () => {
  const { overlays, back, where } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("sheet"));
  expect(where()).toEqual({ url: "/page", length: 3, at: 2 });
  back();
  expect(closed).toEqual(["sheet"]);
  expect(where().url).toBe("/page");
  back();
  expect(where().url).toBe("/list");
});

test("back closes the topmost sheet only", () => {
  const { overlays, back } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("lower"));
  overlays.enter(() => closed.push("upper"));
  back();
  expect(closed).toEqual(["upper"]);
  back();
  expect(closed).toEqual(["upper", "lower"]);
});

test("a sheet closed by its own button leaves no entry behind, two at once neither", () => {
  const { overlays, settle, where, back } = tab();
  const never = () => expect.unreachable();
  const [lower, upper] = [overlays.enter(never), overlays.enter(never)];
  lower();
  upper();
  settle();
  expect(where()).toMatchObject({ url: "/page", at: 1 });
  back();
  expect(where().url).toBe("/list");
});

test("forward does not open a closed sheet again, nor does it strand on its entry", () => {
  const { overlays, forward, back, where } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("sheet"));
  back();
  forward();
  expect(closed).toEqual(["sheet"]);
  expect(where()).toMatchObject({ url: "/page", at: 1 });
});

test("a sheet that opens as another closes takes over its entry", () => {
  const { overlays, settle, back, where } = tab();
  const closed: string[] = [];
  const leave = overlays.enter(() => closed.push("first"));
  leave();
  overlays.enter(() => closed.push("second"));
  settle();
  expect(where()).toMatchObject({ length: 3, at: 2 });
  back();
  expect(closed).toEqual(["second"]);
  expect(where()).toMatchObject({ url: "/page", at: 1 });
});

test("a sheet that opens while another's entry is being removed gets its own", () => {
  const { overlays, step, settle, back, where } = tab();
  const closed: string[] = [];
  overlays.enter(() => expect.unreachable())();
  step();
  overlays.enter(() => closed.push("second"));
  settle();
  back();
  expect(closed).toEqual(["second"]);
  expect(where()).toMatchObject({ url: "/page", at: 1 });
});

test("a link in a sheet leads on; back and forward step over the sheet's entry", () => {
  const { overlays, settle, link, back, forward, where } = tab();
  const leave = overlays.enter(() => expect.unreachable());
  link("/receipt");
  leave();
  settle();
  expect(where().url).toBe("/receipt");
  back();
  expect(where()).toMatchObject({ url: "/page", at: 1 });
  forward();
  expect(where().url).toBe("/receipt");
});

test("leaving the page by back with a kept sheet open closes it", () => {
  const { overlays, link, back, where } = tab();
  const closed: string[] = [];
  overlays.enter(() => closed.push("kept"));
  link("/receipt");
  back();
  expect(closed).toEqual([]);
  expect(where().at).toBe(2);
  back();
  expect(closed).toEqual(["kept"]);
});
