import { afterEach, expect, test, vi } from "vitest";
import { captureInvite, clearInvite, storedInvite } from "#web/features/session/invite.ts";

afterEach(() => {
  clearInvite();
  vi.unstubAllGlobals();
});

test("a code of a link is kept until it is used, even where storage is refused", () => {
  captureInvite("?invite=%20HARBOUR7%20");
  expect(storedInvite()).toBe("HARBOUR7");
  clearInvite();
  expect(storedInvite()).toBeNull();
});

test("a sign-in can carry whatever a link or storage holds", () => {
  captureInvite(`?invite=${"x".repeat(19)}${encodeURIComponent("😀")}`);
  expect(storedInvite()).toBe(`${"x".repeat(19)}\ufffd`);
  clearInvite();
  const kept = "<script>".repeat(1000);
  vi.stubGlobal("sessionStorage", { getItem: () => kept, removeItem: () => {} });
  expect(storedInvite()).toBe(kept.slice(0, 20));
});
