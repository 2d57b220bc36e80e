import { afterEach, expect, test, vi } from "vitest";
import { captureInvite, clearInvite, readInvite } from "#web/features/session/invite.ts";

afterEach(() => {
  clearInvite();
  vi.unstubAllGlobals();
});

test("a link's code is kept until it is used, even without storage", () => {
  captureInvite("?invite=%20HARBOUR7%20");
  expect(readInvite()).toBe("HARBOUR7");
  clearInvite();
  expect(readInvite()).toBeNull();
});

test("a code from a link or storage is limited to what sign-in accepts", () => {
  captureInvite(`?invite=${"x".repeat(19)}${encodeURIComponent("😀")}`);
  expect(readInvite()).toBe(`${"x".repeat(19)}\ufffd`);
  clearInvite();
  const script = "<script>".repeat(1000);
  vi.stubGlobal("sessionStorage", { getItem: () => script, removeItem: () => {} });
  expect(readInvite()).toBe(script.slice(0, 20));
});
