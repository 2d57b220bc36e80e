import { afterEach, expect, test, vi } from "vitest";
import {
  expectSignOut,
  onSessionRequired,
  sessionAwareFetch,
} from "#web/lib/api/unauthorizedFetch.ts";

const answer = (status: number) => vi.stubGlobal("fetch", async () => new Response("", { status }));
const heard = vi.fn();
const stop = onSessionRequired(heard);

afterEach(() => {
  heard.mockClear();
  vi.unstubAllGlobals();
});

test("an answer that asks for a session says that it was lost", async () => {
  answer(401);
  await sessionAwareFetch("/x");
  expect(heard).toHaveBeenCalledOnce();
});

test("a session whose end was asked for is not lost", async () => {
  answer(401);
  await expectSignOut(() => sessionAwareFetch("/x"));
  expect(heard).not.toHaveBeenCalled();
});

test("an expected sign-out is over with its call, also when that fails", async () => {
  await expect(expectSignOut(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  answer(401);
  await sessionAwareFetch("/x");
  expect(heard).toHaveBeenCalledOnce();
  stop();
});
