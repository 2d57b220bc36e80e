import { afterEach, beforeEach, expect, test, vi } from "vitest";

const call = vi.hoisted(() => vi.fn());
vi.mock("#web/lib/api/client.ts", () => ({ client: { call } }));

/** Each page start reads what the previous one left in storage. */
let items: Map<string, string>;
let answer: string | null;
let by: "person" | "class";
beforeEach(() => {
  items = new Map();
  answer = null;
  by = "person";
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  call.mockImplementation(async () => ({ data: { invited: { answer, by } }, msg: "" }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function start() {
  vi.resetModules();
  return await import("#web/features/session/inviteQuestion.ts");
}

test("a dismissed question is repeated once at the next start", async () => {
  const first = await start();
  first.askAboutInviter("mia");
  expect(first.isInviteAsked()).toBe(true);
  first.setInviteQuestion(false);
  await first.askAboutInviterAgain("mia");
  expect(first.isInviteAsked()).toBe(false);
  const second = await start();
  await second.askAboutInviterAgain("mia");
  expect(second.isInviteAsked()).toBe(true);
  second.setInviteQuestion(false);
  const third = await start();
  await third.askAboutInviterAgain("mia");
  expect(third.isInviteAsked()).toBe(false);
});

test("an answer in any browser ends the question", async () => {
  const first = await start();
  first.askAboutInviter("mia");
  answer = "no";
  const second = await start();
  await second.askAboutInviterAgain("mia");
  expect(second.isInviteAsked()).toBe(false);
  const repeated = await start();
  repeated.askAboutInviter("mia");
  repeated.endInviteQuestion();
  answer = null;
  const restarted = await start();
  await restarted.askAboutInviterAgain("mia");
  expect(restarted.isInviteAsked()).toBe(false);
});

test("the question is asked only of the invited person, and a failed call postpones it", async () => {
  (await start()).askAboutInviter("mia");
  const otherPage = await start();
  await otherPage.askAboutInviterAgain("ben");
  expect(otherPage.isInviteAsked()).toBe(false);
  call.mockRejectedValueOnce(new Error("no network"));
  await otherPage.askAboutInviterAgain("mia");
  expect(otherPage.isInviteAsked()).toBe(false);
  const restarted = await start();
  await restarted.askAboutInviterAgain("mia");
  expect(restarted.isInviteAsked()).toBe(true);
});

test("a person who joined a class is not asked, even if this browser has an open question", async () => {
  (await start()).askAboutInviter("mia");
  by = "class";
  const second = await start();
  await second.askAboutInviterAgain("mia");
  expect(second.isInviteAsked()).toBe(false);
  by = "person";
  const third = await start();
  await third.askAboutInviterAgain("mia");
  expect(third.isInviteAsked()).toBe(false);
});
