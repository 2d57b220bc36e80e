import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAttempts, startOver } from "#api/attempts.ts";
import { startingBalance } from "#core/ledger/chart.ts";
import { dayMs } from "#core/money/time.ts";
import { type Attempts, createAttempts } from "#server/attempts/attempts.ts";
import { attemptsRoutes } from "#server/attempts/routes.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { quotaKey } from "#server/ledger/quotas.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { App } from "#server/platform/http/context.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createWallet, type Wallet } from "#server/wallet/wallet.ts";

const prices = {
  latest: () => ({ secondMs: 1_000, leaf: 7, index: { "BTC/USDT": 28_123_45n } }),
};
const noLines = async () => ({
  items: [],
  account: null,
  display_currency: "pUSDT" as const,
  priced_at_ms: null,
});
let ctx: TestContext;
let ledger: Ledger;
let wallet: Wallet;
let attempts: Attempts;
let app: App;
const cancelledIds: string[] = [];
let cancelFails = false;

beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  wallet = createWallet(ctx, { ledger, market: prices });
  const onClose = async ({ attemptId }: { attemptId: string }) => {
    if (cancelFails) throw new Error("not now");
    cancelledIds.push(attemptId);
  };
  attempts = createAttempts(ctx, {
    ledger,
    market: prices,
    records: { lines: noLines },
    contributions: { attempts: [{ onClose }] },
  });
  ctx.jobs.add(attempts.jobs);
  app = await createTestApp(
    ctx,
    (app) => attemptsRoutes(app, attempts),
    async (userId) => ({
      sessionId: userId,
      userId,
      attemptId: await getCurrent(userId),
      expiresAtMs: 0,
    }),
  );
});
afterAll(async () => {
  await app.close();
  await ledger.stop();
  await ctx.destroy();
});
beforeEach(() => {
  ctx.realClock.advanceMs(dayMs);
  ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
  cancelledIds.length = 0;
  cancelFails = false;
});

async function getCurrent(userId: string): Promise<string> {
  const { rows } = await sql<{ attempt_id: string }>`
    select attempt_id from user_attempt where user_id = ${userId} order by number desc limit 1`.execute(
    ctx.database.db,
  );
  return rows[0]!.attempt_id;
}

/** A person as created by signing in. */
async function newPerson() {
  const owner = { userId: randomUUID(), attemptId: randomUUID() };
  await sql`insert into user_account (user_id, created_at_ms) values (${owner.userId}, 1)`.execute(
    ctx.database.db,
  );
  await sql`insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
    values (${owner.attemptId}, ${owner.userId}, 1, ${ctx.realClock.nowMs()}, ${ctx.clock.nowMs()})`.execute(
    ctx.database.db,
  );
  await ctx.fieldEncryption.createKey(owner.userId);
  await wallet.openAttempt(owner);
  return owner;
}

const newKey = () => randomUUID().replace(/^(.{14})./, "$17");
async function call(userId: string, attemptId: string, key = newKey()) {
  const answer = await app.inject({
    method: "POST",
    url: startOver.path,
    payload: { attempt_id: attemptId },
    headers: { token: userId, "idempotency-key": key },
  });
  return { status: answer.statusCode, ...answer.json() };
}
const getPusdt = async (attemptId: string) =>
  (await ledger.balances(attemptId)).find(({ coin }) => coin === "pUSDT")!;
async function attemptsOf(userId: string) {
  const answer = await app.inject({ url: getAttempts.path, headers: { token: userId } });
  return answer.json().data;
}
async function trialBalance() {
  const { rows } = await sql<{ total: bigint }>`select total from trial_balance`.execute(
    ctx.database.db,
  );
  return rows.map(({ total }) => total);
}

test("starting over opens an attempt with 10 000 pUSDT and keeps the old balances", async () => {
  const { userId, attemptId } = await newPerson();
  const house = await ledger.account("house", "contracts", "pUSDT");
  const wallet = await ledger.account({ userId, attemptId }, "wallet", "pUSDT");
  await ledger.post(createJournal(createMoveLegs(wallet, house, 2_500_000_000n)));
  const { code, data } = await call(userId, attemptId);
  expect(code).toBe(1);
  expect(data).toMatchObject({ number: 2, closed_attempt_id: attemptId });
  expect(await getCurrent(userId)).toBe(data.attempt_id);
  expect((await getPusdt(attemptId)).available).toBe(7_500_000_000n);
  expect((await getPusdt(data.attempt_id)).available).toBe(startingBalance);
  expect(cancelledIds).toEqual([attemptId]);
  expect(await trialBalance()).toEqual([0n]);
  const list = await attemptsOf(userId);
  expect(list.items).toMatchObject([
    { number: 2, current: true, total: "10000", closing_total: null, postings: 1 },
    {
      number: 1,
      current: false,
      total: "7500",
      closing_total: "7500",
      start_total: "10000",
      postings: 2,
    },
  ]);
});

test("an amount that arrives after closing stays in the old attempt", async () => {
  const { userId, attemptId } = await newPerson();
  await call(userId, attemptId);
  const house = await ledger.account("house", "contracts", "pUSDT");
  const oldAccount = await ledger.account({ userId, attemptId }, "wallet", "pUSDT");
  await ledger.post(createJournal(createMoveLegs(house, oldAccount, 189_000_000n)));
  const [now, before] = (await attemptsOf(userId)).items;
  expect([before.closing_total, before.total]).toEqual(["10000", "10189"]);
  expect(now.total).toBe("10000");
});

test("a person may start over once per real day", async () => {
  const { userId, attemptId } = await newPerson();
  const first = await call(userId, attemptId);
  const repeated = await call(userId, first.data.attempt_id);
  expect([repeated.status, repeated.error]).toEqual([409, "attempts.once_a_day"]);
  const nextMs = (await attemptsOf(userId)).next_start_at_ms;
  expect(nextMs % dayMs).toBe(0);
  ctx.realClock.setMs(nextMs - 1);
  expect((await call(userId, first.data.attempt_id)).error).toBe("attempts.once_a_day");
  ctx.realClock.setMs(nextMs);
  expect((await call(userId, first.data.attempt_id)).data.number).toBe(3);
});

test("the ledger enforces the daily limit on starting over", async () => {
  const { userId, attemptId } = await newPerson();
  const house = await ledger.account("house", "contracts", "pUSDT");
  const wallet = await ledger.account({ userId, attemptId }, "wallet", "pUSDT");
  const day = Math.floor(ctx.realClock.nowMs() / dayMs);
  const key = quotaKey("attempts.start", await ledger.quotaId(userId), day);
  const limits = [{ key, delta: 1n, cap: 1n }];
  await ledger.post(createJournal(createMoveLegs(wallet, house, 1n), { limits }));
  expect((await call(userId, attemptId)).error).toBe("attempts.once_a_day");
  expect(await getCurrent(userId)).toBe(attemptId);
});

test("concurrent starts under different keys start once", async () => {
  const { userId, attemptId } = await newPerson();
  const answers = await Promise.all(Array.from({ length: 6 }, () => call(userId, attemptId)));
  expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
  const refusals = answers.filter(({ code }) => code === 0).map(({ error }) => error);
  expect(new Set([...refusals, "attempts.once_a_day", "attempts.not_current"])).toEqual(
    new Set(["attempts.once_a_day", "attempts.not_current"]),
  );
  expect((await attemptsOf(userId)).items).toHaveLength(2);
  expect((await getPusdt(await getCurrent(userId))).available).toBe(startingBalance);
});

test("concurrent starts around midnight start once", async () => {
  const { userId, attemptId } = await newPerson();
  const today = attempts.startOver({ userId, attemptId }, randomUUID(), Buffer.alloc(32, 1));
  ctx.realClock.advanceMs(dayMs);
  const tomorrow = attempts.startOver({ userId, attemptId }, randomUUID(), Buffer.alloc(32, 1));
  const results = await Promise.allSettled([today, tomorrow]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { error: "attempts.not_current" },
  });
  expect((await attemptsOf(userId)).items).toHaveLength(2);
  expect((await getPusdt(await getCurrent(userId))).available).toBe(startingBalance);
});

test("a repeated key returns the same answer and never starts a third attempt", async () => {
  const { userId, attemptId } = await newPerson();
  const key = newKey();
  const first = await call(userId, attemptId, key);
  ctx.realClock.advanceMs(dayMs);
  const repeated = await call(userId, attemptId, key);
  expect(repeated.data).toEqual(first.data);
  const otherAnswer = await call(userId, first.data.attempt_id, key);
  expect(otherAnswer.error).toBe("idempotency.body_changed");
  expect((await attemptsOf(userId)).items).toHaveLength(2);
});

test.each([
  [
    "already closed",
    async (userId: string, attemptId: string) => (await call(userId, attemptId)) && attemptId,
  ],
  ["somebody else's", async () => (await newPerson()).attemptId],
  ["unknown", async () => "no-such-attempt"],
])("closing an attempt that is %s is refused", async (_what, which) => {
  const { userId, attemptId } = await newPerson();
  const attempts = await which(userId, attemptId);
  ctx.realClock.advanceMs(dayMs);
  const before = (await attemptsOf(userId)).items.length;
  expect((await call(userId, attempts)).error).toBe("attempts.not_current");
  expect((await attemptsOf(userId)).items).toHaveLength(before);
});

test("signing in again does not credit a second starting balance", async () => {
  const { userId, attemptId } = await newPerson();
  const { data } = await call(userId, attemptId);
  await wallet.openAttempt({ userId, attemptId });
  expect((await getPusdt(data.attempt_id)).available).toBe(startingBalance);
  expect((await getPusdt(attemptId)).available).toBe(startingBalance);
});

test("a failed cancellation is retried after a minute until it succeeds", async () => {
  const { userId, attemptId } = await newPerson();
  cancelFails = true;
  expect((await call(userId, attemptId)).code).toBe(1);
  expect((await attemptsOf(userId)).items[1].settled).toBe(false);
  ctx.realClock.advanceMs(70_000);
  await ctx.jobs.runNow("attempts.settle");
  expect((await attemptsOf(userId)).items[1].settled).toBe(false);
  cancelFails = false;
  await ctx.jobs.runNow("attempts.settle");
  expect(cancelledIds).toContain(attemptId);
  expect((await attemptsOf(userId)).items[1].settled).toBe(true);
  cancelledIds.length = 0;
  await ctx.jobs.runNow("attempts.settle");
  expect(cancelledIds).not.toContain(attemptId);
});

test("every process is notified of the new attempt", async () => {
  const { userId, attemptId } = await newPerson();
  const events: unknown[] = [];
  const stop = ctx.bus.subscribe("attempt.opened", (event) => events.push(event));
  const { data } = await call(userId, attemptId);
  stop();
  expect(events).toEqual([{ userId, attemptId: data.attempt_id }]);
});

test("the list pages from the newest and stays stable when another attempt opens", async () => {
  const { userId, attemptId } = await newPerson();
  let current = attemptId;
  for (let n = 0; n < 4; n += 1) {
    ctx.realClock.advanceMs(dayMs);
    current = (await call(userId, current)).data.attempt_id;
  }
  const page = async (query: string) =>
    (await app.inject({ url: `${getAttempts.path}?${query}`, headers: { token: userId } })).json()
      .data;
  const first = await page("page_size=2");
  expect([
    first.items.map((attempt: { number: number }) => attempt.number),
    first.has_more,
  ]).toEqual([[5, 4], true]);
  ctx.realClock.advanceMs(dayMs);
  await call(userId, current);
  const second = await page(`page=2&page_size=2&before=${first.before}`);
  expect(second.items.map((attempt: { number: number }) => attempt.number)).toEqual([3, 2]);
});
