import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as api from "#api/lesson.ts";
import { type Answers, correctChoices } from "#core/lesson/scenes.ts";
import { dayMs } from "#core/money/time.ts";
import { createLesson, type Lessons } from "#server/lesson/lesson.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

const day = dayMs;

let ctx: TestContext;
let lesson: Lessons;
const followedIds: string[] = [];
beforeAll(async () => {
  ctx = await createTestContext();
  lesson = createLesson(ctx, {
    invites: {
      afterLesson: {
        inTransaction: async (_tx, userId) => void followedIds.push(`in ${userId}`),
        afterCommit: async (userId) => {
          followedIds.push(`after ${userId}`);
          throw new Error("what follows may fail");
        },
      },
    },
  });
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

const wrongAnswers: Answers = { ...correctChoices, tax: "b", helper: "b" };

test("a lesson is finished once, however often it is sent", async () => {
  const userId = await person();
  expect(await lesson.finished(userId)).toBe(false);
  const runId = randomUUID();
  const results = await Promise.all(
    [1, 2, 3].map(() => lesson.finish(userId, runId, wrongAnswers)),
  );
  results.push(await lesson.finish(userId, runId, correctChoices));
  for (const run of results)
    expect(run).toEqual({ finished_at_ms: ctx.realClock.nowMs(), sound: 10 });
  expect(followedIds.filter((text) => text === `in ${userId}`)).toHaveLength(1);
  const state = await lesson.state(userId);
  api.getLesson.answer.parse(state);
  expect(state.runs).toHaveLength(1);
  expect(await lesson.finished(userId)).toBe(true);
});

test("a run id used by another person is refused", async () => {
  const [anna, ben, runId] = [await person(), await person(), randomUUID()];
  await lesson.finish(anna, runId, correctChoices);
  await expect(lesson.finish(ben, runId, correctChoices)).rejects.toMatchObject({
    error: "request.malformed",
  });
  expect(await lesson.finished(ben)).toBe(false);
});

test("at most 20 lessons are stored per real day", async () => {
  const userId = await person();
  for (let index = 0; index < 20; index += 1)
    await lesson.finish(userId, randomUUID(), wrongAnswers);
  const item = () => lesson.finish(userId, randomUUID(), wrongAnswers);
  await expect(item()).rejects.toMatchObject({ error: "lesson.too_many" });
  ctx.realClock.advanceMs(day);
  await item();
});

test("answers are stored encrypted, exported in clear text and erased", async () => {
  const userId = await person();
  await lesson.finish(userId, randomUUID(), wrongAnswers);
  expect((await lesson.exportFor(userId)).json).toMatchObject({
    runs: [{ sound: 10, answers: wrongAnswers }],
    sittings: [],
  });
  await lesson.erase(userId);
  await lesson.erase(userId);
  expect((await lesson.exportFor(userId)).json).toEqual({ runs: [], sittings: [] });
});
