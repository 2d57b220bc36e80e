import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as api from "#api/lesson.ts";
import { getItem, type ItemName, items } from "#core/lesson/items.ts";
import { correctChoices } from "#core/lesson/scenes.ts";
import { type SittingAnswer, writeSitting } from "#core/lesson/sittings.ts";
import { dayMs } from "#core/money/time.ts";
import { createLesson, type Lessons } from "#server/lesson/lesson.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let lesson: Lessons;
beforeAll(async () => {
  ctx = await createTestContext();
  const afterLesson = { inTransaction: async () => {}, afterCommit: async () => {} };
  lesson = createLesson(ctx, { invites: { afterLesson } });
});
afterAll(() => ctx.destroy());

async function person() {
  const userId = randomUUID();
  await ctx.owner.pool.query("insert into user_account (user_id, created_at_ms) values ($1, 0)", [
    userId,
  ]);
  await ctx.fieldEncryption.createKey(userId);
  return userId;
}

const calling = (names: readonly ItemName[], answer: (item: ItemName) => SittingAnswer) =>
  names.map((item) => ({ item, answer: answer(item) }));
const scam = () => "scam" as const;

/** Completes a sitting with the answers of `answer`; returns its items and its result. */
async function sit(userId: string, answer: (item: ItemName) => SittingAnswer) {
  const sitting = await lesson.sittings.begin(userId);
  api.beginSitting.answer.parse(sitting);
  const names = sitting.items.map(({ item }) => item);
  const saved = await lesson.sittings.save(userId, sitting.sitting_id, calling(names, answer));
  api.saveSitting.answer.parse(saved);
  return { names, result: saved.result };
}

test("an unfinished sitting is continued, and only the first answer to an item counts", async () => {
  const userId = await person();
  const [first, second] = await Promise.all([1, 2].map(() => lesson.sittings.begin(userId)));
  expect(first).toEqual(second);
  const { sitting_id: id } = first!;
  const names = first!.items.map(({ item }) => item);
  expect(await lesson.sittings.save(userId, id, calling(names.slice(0, 4), scam))).toEqual({
    result: null,
  });
  const after = await lesson.sittings.begin(userId);
  expect(after.items.map(({ answer }) => answer)).toEqual([
    ...Array<string>(4).fill("scam"),
    ...Array<null>(6).fill(null),
  ]);
  const { result } = await lesson.sittings.save(
    userId,
    id,
    calling(names, () => "honest"),
  );
  const mistrustedCount = names.slice(0, 4).filter((name) => getItem(name).honest).length;
  expect(result).toEqual({
    finished_at_ms: ctx.realClock.nowMs(),
    hits: 4 - mistrustedCount,
    false_alarms: mistrustedCount,
  });
  // A repeated request returns the stored sitting.
  expect(await lesson.sittings.save(userId, id, calling(names, scam))).toEqual({ result });
});

test("another person's sitting and items of another sitting are refused", async () => {
  const [anna, ben] = [await person(), await person()];
  const { sitting_id: id, items: drawn } = await lesson.sittings.begin(anna);
  const names = drawn.map(({ item }) => item);
  await expect(lesson.sittings.save(ben, id, calling(names, scam))).rejects.toMatchObject({
    error: "request.malformed",
  });
  const foreign = items.map(({ name }) => name).find((name) => !names.includes(name))!;
  await expect(lesson.sittings.save(anna, id, calling([foreign], scam))).rejects.toMatchObject({
    error: "request.malformed",
  });
});

test("no item comes twice in four sittings, and sittings are offered on days 21 and 90", async () => {
  const userId = await person();
  expect(await lesson.sittings.due(userId)).toBeNull();
  const sittings = [await sit(userId, scam)];
  expect(sittings[0]!.result).toMatchObject({ hits: 5, false_alarms: 5 });
  for (const [days, offered] of [
    [21, 21],
    [69, 90],
  ] as const) {
    expect(await lesson.sittings.due(userId)).toBeNull();
    ctx.realClock.advanceMs(days * dayMs);
    expect(await lesson.sittings.due(userId)).toBe(offered);
    sittings.push(await sit(userId, (item) => (getItem(item).honest ? "honest" : "scam")));
  }
  sittings.push(await sit(userId, () => "honest"));
  const names = sittings.flatMap((sitting) => sitting.names);
  expect(new Set(names).size).toBe(40);
  const state = await lesson.sittings.state(userId);
  api.getSittings.answer.parse(state);
  expect(state).toMatchObject({
    offered: null,
    next_offer_at_ms: null,
    sittings: [
      { hits: 0, false_alarms: 0 },
      { hits: 5, false_alarms: 0 },
      { hits: 5, false_alarms: 0 },
      { hits: 5, false_alarms: 5 },
    ],
  });
});

test("the days count from the first lesson if it came before the first sitting", async () => {
  const userId = await person();
  await lesson.finish(userId, randomUUID(), correctChoices);
  const firstAtMs = ctx.realClock.nowMs();
  ctx.realClock.advanceMs(20 * dayMs);
  await sit(userId, scam);
  expect(await lesson.sittings.state(userId)).toMatchObject({
    first_at_ms: firstAtMs,
    offered: null,
    next_offer_at_ms: firstAtMs + 21 * dayMs,
  });
});

test("at most 20 sittings begin per real day", async () => {
  const userId = await person();
  for (let index = 0; index < 20; index += 1) await sit(userId, scam);
  await expect(lesson.sittings.begin(userId)).rejects.toMatchObject({ error: "lesson.too_many" });
  ctx.realClock.advanceMs(dayMs);
  await lesson.sittings.begin(userId);
});

test("an open sitting with a removed item is replaced by a new one", async () => {
  const userId = await person();
  const finishedSitting = await sit(userId, scam);
  const { sitting_id: leftSittingId, items: drawn } = await lesson.sittings.begin(userId);
  const outdatedText = writeSitting(drawn).replace(drawn[0]!.item, "an_item_of_an_earlier_bank");
  await ctx.owner.pool.query(
    "update lesson_sitting set items_encrypted = $1 where sitting_id = $2",
    [await ctx.fieldEncryption.encrypt(userId, outdatedText), leftSittingId],
  );
  const sitting = await lesson.sittings.begin(userId);
  expect(sitting.sitting_id).not.toBe(leftSittingId);
  expect(await lesson.sittings.begin(userId)).toEqual(sitting);
  const names = sitting.items.map(({ item }) => item);
  const { result } = await lesson.sittings.save(userId, sitting.sitting_id, calling(names, scam));
  expect((await lesson.sittings.state(userId)).sittings).toEqual([result, finishedSitting.result]);
});

test("sittings are stored encrypted, exported in clear text and erased", async () => {
  const userId = await person();
  const { names } = await sit(userId, scam);
  const { rows } = await ctx.owner.pool.query<{ items_encrypted: Buffer }>(
    "select items_encrypted from lesson_sitting where user_id = $1",
    [userId],
  );
  expect(rows[0]!.items_encrypted.toString("latin1")).not.toContain(names[0]);
  expect((await lesson.exportFor(userId)).json).toMatchObject({
    sittings: [{ result: { hits: 5, false_alarms: 5 }, items: calling(names, scam) }],
  });
  await lesson.erase(userId);
  expect((await lesson.exportFor(userId)).json).toEqual({ runs: [], sittings: [] });
});
