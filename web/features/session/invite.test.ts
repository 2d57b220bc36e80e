import { afterEach, expect, test, vi } from "vitest";
import { captureInvite, dropInvite, keptInvite } from "#web/features/session/invite.ts";

afterEach(() => {
  dropInvite();
  vi.unstubAllGlobals();
});

test("a code of a link is kept until it is used, even where storage is refused", () => {
  captureInvite("?invite=%20HARBOUR7%20");
  expect(keptInvite()).toBe("HARBOUR7");
  dropInvite();
  expect(keptInvite()).toBeNull();
});

test("whatever a link or storage holds, a sign-in can carry it", () => {
  captureInvite(`?invite=${"x".repeat(19)}${encodeURIComponent("😀")}`);
  expect(keptInvite()).toBe(`${"x".repeat(19)}\ufffd`);
  dropInvite();
  const kept = "<script>".repeat(1000);
  vi.stubGlobal("sessionStorage", { getItem: () => kept, removeItem: () => {} });
  expect(keptInvite()).toBe(kept.slice(0, 20));
});
