import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as api from "#api/invites.ts";
import { createTestInvites, type TestInvites } from "#server/invites/testing.ts";

const hundred = 100_000_000n;

let t: TestInvites;
beforeAll(async () => {
  t = await createTestInvites();
});
afterAll(() => t.destroy());
afterEach(async () => {
  expect(await t.trial()).toEqual([]);
});

async function pair() {
  const anna = (await t.person()).userId;
  const code = await t.codeOf(anna);
  const ben = (await t.person(code.toLowerCase())).userId;
  return { anna, ben, code };
}

describe("joining", () => {
  test("a person has one permanent code, even when requested concurrently", async () => {
    const { userId } = await t.person();
    const codes = await Promise.all([1, 2, 3, 4].map(() => t.codeOf(userId)));
    expect(new Set(codes).size).toBe(1);
  });

  test.each([
    "ZZZZZZZZZZ",
    "34679ACDEF",
    "no",
    "<script>",
  ])("code %j belongs to no one", async (code) => {
    expect((await t.person(code)).fate).toBe("unknown");
  });

  test("a person's own code and a circular invitation are refused", async () => {
    const { anna, ben, code } = await pair();
    const carl = (await t.person(await t.codeOf(ben))).userId;
    const joinAgain = (userId: string, usedCode: string) =>
      t.ctx.database.db
        .transaction()
        .execute((tx) => t.invites.join(tx, { userId, code: usedCode, atMs: 0 }));
    expect(await joinAgain(anna, code)).toBe("own");
    expect(await joinAgain(anna, await t.codeOf(ben))).toBe("own");
    expect(await joinAgain(anna, await t.codeOf(carl))).toBe("own");
    expect((await t.invites.info(anna)).invited).toBeNull();
  });

  test("an existing account cannot join, and gets the reason", async () => {
    const { anna, ben, code } = await pair();
    expect(await t.invites.lateOutcome(ben, code)).toBe("not_new");
    expect(await t.invites.lateOutcome(anna, code)).toBe("own");
    expect(await t.invites.lateOutcome(anna, "34679ACDEF")).toBe("unknown");
  });
});

describe("the reward", () => {
  test("each of the two gets 100 pUSDT exactly once when the lesson is finished", async () => {
    const { anna, ben } = await pair();
    await t.invites.rewardDue();
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([0n, 0n]);
    const notified: string[] = [];
    const stop = t.ctx.bus.subscribe("balance.changed", ({ userIds }) => notified.push(...userIds));
    await Promise.all([1, 2, 3].map(() => t.finish(ben)));
    await t.finish(ben);
    stop();
    expect([await t.balance(anna), await t.balance(ben)]).toEqual([hundred, hundred]);
    expect(notified.sort()).toEqual([anna, ben].sort());
    const info = await t.invites.info(anna);
    api.inviteInfo.parse(info);
    expect(info).toMatchObject({ joined: 1, finished: 1, rewarded: 1, rewarded_amount: "100" });
    expect((await t.invites.info(ben)).invited).toMatchObject({ reward: "rewarded", by: "person" });
  });

  test("the reward goes to open attempts, and an inviter's own lesson pays nothing", async () => {
    const { anna, ben } = await pair();
    await t.startOver(anna, 2);
    await t.startOver(ben, 2);
    await t.finish(anna);
    expect(await t.balance(anna, 2)).toBe(0n);
    await t.finish(ben);
    expect([await t.balance(anna), await t.balance(anna, 2), await t.balance(ben, 2)]).toEqual([
      0n,
      hundred,
      hundred,
    ]);
  });

  test("a suspended inviter still gets the reward", async () => {
    const { anna, ben } = await pair();
    await t.ctx.owner.pool.query("update user_account set suspended_at_ms = 1 where user_id = $1", [
      anna,
    ]);
    await t.finish(ben);
    expect(await t.balance(anna)).toBe(hundred);
  });

  test("ten invitations are rewarded, and the eleventh pays neither person", async () => {
    const anna = (await t.person()).userId;
    const code = await t.codeOf(anna);
    const people: string[] = [];
    for (let index = 0; index < 11; index += 1) people.push((await t.person(code)).userId);
    await Promise.all(people.map((person) => t.finish(person)));
    // The job completes what concurrent batches left undecided.
    await t.invites.rewardDue();
    expect(await t.balance(anna)).toBe(10n * hundred);
    const balances = await Promise.all(people.map((person) => t.balance(person)));
    expect(balances.filter((item) => item === hundred)).toHaveLength(10);
    const states = (await t.invites.team(anna, { page: 1, page_size: 100 })).items;
    expect(states.filter(({ reward }) => reward === "over_limit")).toHaveLength(1);
  });

  test("the reward is not paid if the inviter left before the lesson", async () => {
    const { anna, ben } = await pair();
    await t.invites.erase(anna);
    await t.finish(ben);
    expect(await t.balance(ben)).toBe(0n);
    expect((await t.invites.info(ben)).invited).toMatchObject({ by: "left", reward: "none" });
  });
});

describe("the inviter's view", () => {
  test("the inviter sees only chosen names, no answers, and stable pages", async () => {
    const { anna, ben, code } = await pair();
    t.ctx.realClock.advanceMs(1000);
    await t.person(code);
    expect(await t.invites.setName(ben, "  Ben ")).toEqual({ name: "Ben" });
    await t.invites.answer(ben, "yes");
    const first = await t.invites.team(anna, { page: 1, page_size: 1 });
    api.getTeamList.answer.parse(first);
    expect(first).toMatchObject({
      has_more: true,
      items: [{ name: null, lesson_finished: false }],
    });
    t.ctx.realClock.advanceMs(1000);
    await t.person(code);
    const second = await t.invites.team(anna, { page: 2, page_size: 1, before: first.before! });
    expect(second).toMatchObject({ has_more: false, items: [{ name: "Ben" }] });
    expect(JSON.stringify(second)).not.toContain("yes");
    await t.invites.setName(ben, "");
    expect((await t.invites.info(ben)).invited).toMatchObject({ name: null, answer: "yes" });
  });

  test.each([
    ["x".repeat(31), "invites.name_too_long"],
    ["a\u202eb", "invites.name_unreadable"],
  ])("the name %j is refused", async (name, error) => {
    const { ben } = await pair();
    await expect(t.invites.setName(ben, name)).rejects.toMatchObject({ error });
  });

  test("a person who joined without a code has no inviter to answer", async () => {
    const { userId } = await t.person();
    const refusal = { error: "invites.not_invited" };
    await expect(t.invites.setName(userId, "Mia")).rejects.toMatchObject(refusal);
    await expect(t.invites.answer(userId, "no")).rejects.toMatchObject(refusal);
  });

  test("name and answer are stored encrypted and erased, and the count stays", async () => {
    const { anna, ben } = await pair();
    await t.invites.setName(ben, "marker-in-name");
    await t.invites.answer(ben, "not_sure");
    const { json } = await t.invites.exportFor(ben);
    expect(json).toMatchObject({ invited: { name: "marker-in-name", answer: "not_sure" } });
    const rows = async () =>
      (await t.ctx.owner.pool.query("select * from invitation where user_id = $1", [ben])).rows[0];
    const row = await rows();
    expect(`${row.name_encrypted}${row.answer_encrypted}`).not.toMatch(/marker|not_sure/);
    await t.invites.erase(ben);
    await t.invites.erase(ben);
    expect(await rows()).toMatchObject({ name_encrypted: null, answer_encrypted: null });
    expect(await t.invites.info(anna)).toMatchObject({ joined: 1 });
  });
});

describe("class links", () => {
  const hour = 3_600_000;
  const params = (createdBy: string, more = {}) => ({
    label: " Tuesday class ",
    byOperator: createdBy,
    expiresAtMs: t.ctx.realClock.nowMs() + hour,
    limit: 2,
    ...more,
  });

  test("a class link counts joins and ends by number, by time or manually", async () => {
    const teacher = (await t.person()).userId;
    const link = await t.invites.classes.createClassLink(params(teacher));
    expect(link).toMatchObject({ label: "Tuesday class", joined: 0, closedAtMs: null });
    const people = await Promise.all([1, 2, 3].map(() => t.person(link.code)));
    expect(people.map(({ fate }) => fate).sort()).toEqual(["class", "class", "over"]);
    const joinedUserId = people.find(({ fate }) => fate === "class")!.userId;
    await t.finish(joinedUserId);
    expect([await t.balance(joinedUserId), await t.balance(teacher)]).toEqual([0n, 0n]);
    expect((await t.invites.info(joinedUserId)).invited).toMatchObject({
      by: "class",
      reward: "none",
    });
    const [classLink] = await t.invites.classes.listClassLinks();
    expect(classLink).toMatchObject({ classId: link.classId, joined: 2, finished: 1 });
    const lateLink = await t.invites.classes.createClassLink(params(teacher));
    t.ctx.realClock.advanceMs(hour);
    expect((await t.person(lateLink.code)).fate).toBe("over");
    const closedLink = await t.invites.classes.createClassLink(params(teacher));
    expect(await t.invites.classes.closeClassLink(closedLink.classId)).toBe(true);
    expect((await t.person(closedLink.code)).fate).toBe("over");
  });

  test.each([
    ["an empty label", { label: " " }],
    ["a label that is too long", { label: "x".repeat(61) }],
    ["nobody", { limit: 0 }],
    ["a limit that is too high", { limit: 501 }],
    ["an end in the past", { expiresAtMs: 1 }],
    ["an end years ahead", { expiresAtMs: Number.MAX_SAFE_INTEGER }],
  ])("%s is refused", async (_what, overrides) => {
    const { userId } = await t.person();
    await expect(t.invites.classes.createClassLink(params(userId, overrides))).rejects.toThrow(
      RangeError,
    );
  });
});
