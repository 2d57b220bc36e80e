import { afterEach, expect, test, vi } from "vitest";
import {
  expectSignOut,
  onSessionRequired,
  sessionAwareFetch,
} from "#web/lib/api/unauthorizedFetch.ts";

const answer = (status: number) => vi.stubGlobal("fetch", async () => new Response("", { status }));
const onSessionLost = vi.fn();
const stop = onSessionRequired(onSessionLost);

afterEach(() => {
  onSessionLost.mockClear();
  vi.unstubAllGlobals();
});

test("a 401 answer reports a lost session", async () => {
  answer(401);
  await sessionAwareFetch("/x");
  expect(onSessionLost).toHaveBeenCalledOnce();
});

test("a 401 answer during an expected sign-out is not reported", async () => {
  answer(401);
  await expectSignOut(() => sessionAwareFetch("/x"));
  expect(onSessionLost).not.toHaveBeenCalled();
});

test("an expected sign-out ends with its call, even if the call fails", async () => {
  await expect(expectSignOut(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  answer(401);
  await sessionAwareFetch("/x");
  expect(onSessionLost).toHaveBeenCalledOnce();
  stop();
});
