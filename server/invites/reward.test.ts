import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#api/account.ts";
import { startOver } from "#api/attempts.ts";
import { lockCurrentAttempts } from "#server/addresses/currentAttempts.ts";
import type { World } from "#server/app/modules.ts";
import { rewardDueInvitations } from "#server/invites/reward.ts";
import type { App } from "#server/platform/http/context.ts";
import { type createClient, newKey, signIn, type TestSession } from "#server/testing/client.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";
import { createTestApp, listenForClient, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/**
 * The reward of an invitation in a whole world, with starting over, crashes and deletions part-way.
 */
let ctx: TestContext;
let world: World;
let app: App;
let close: TestApp["close"];
let client: ReturnType<typeof createClient>;
let anna: TestSession;
let ben: TestSession;
let benKey: ReturnType<typeof privateKeyToAccount>;
const hundred = 100_000_000n;
const start = 10_000_000_000n;

beforeAll(async () => {
  ({ ctx, world, app, close } = await createTestApp());
  client = await listenForClient(app);
});
afterAll(async () => {
  client.close();
  await close();
});
beforeEach(async () => {
  // Nonces are rate limited per network address.
  ctx.realClock.advanceMs(60_000);
  anna = await signIn(client);
  const { code } = await world.services.invites.info(anna.userId);
  benKey = privateKeyToAccount(generatePrivateKey());
  ben = await signIn(client, benKey, code);
});

/** Writes the rows of a finished lesson, before anything is paid. */
const lessonOver = ({ userId }: TestSession) =>
  ctx.database.db
    .transaction()
    .execute((tx) =>
      world.services.invites.afterLesson.inTransaction(tx, userId, ctx.realClock.nowMs()),
    );

async function startOverAs({ userId, token }: TestSession) {
  const { attemptId } = await world.services.session.user(userId);
  const input = { attempt_id: attemptId };
  await client.call({ method: "POST", path: startOver.path, input, token, key: newKey() });
}

/** Invitation rewards of each attempt of a person, first attempt first. */
async function getRewards({ userId }: TestSession) {
  const { rows } = await sql<{ got: bigint }>`
    select coalesce(sum(e.amount) filter (where j.kind = 'reward.invitation'), 0)::bigint as got
    from user_attempt t join account a on a.attempt_id = t.attempt_id and not a.house
      left join entry e on e.account = a.id left join journal j on j.id = e.journal_id
    where t.user_id = ${userId} group by t.number order by t.number`.execute(ctx.owner.db);
  return rows.map(({ got }) => BigInt(got));
}

async function checkBooks() {
  const { rows } = await sql`select coin from trial_balance where total <> 0`.execute(ctx.owner.db);
  expect(rows).toEqual([]);
}

type Lock = typeof lockCurrentAttempts;
/**
 * Runs rewards with a hook around each read of the current attempts; `call` counts the reads from
 * 1.
 */
const rewardWith = (wrapLock: (look: () => ReturnType<Lock>, call: number) => ReturnType<Lock>) => {
  let call = 0;
  const lock: Lock = (tx, userIds) => {
    call += 1;
    return wrapLock(() => lockCurrentAttempts(tx, userIds), call);
  };
  const { ledger, classes } = world.services;
  const deps = { ledger, classes, addresses: { lockCurrentAttempts: lock } };
  return rewardDueInvitations(ctx, deps, ben.userId);
};

test("a start over between the check and the posting pays the new attempt once", async () => {
  await lessonOver(ben);
  const decidedCount = await rewardWith(async (lookUp, call) => {
    // No lock is held yet: both start over before the transaction that pays.
    if (call === 2)
      await outsideTransaction(() => Promise.all([startOverAs(anna), startOverAs(ben)]));
    return lookUp();
  });
  expect(decidedCount).toBe(1);
  expect(await getRewards(anna)).toEqual([0n, hundred]);
  expect(await getRewards(ben)).toEqual([0n, hundred]);
  await world.services.invites.rewardDue();
  expect(await getRewards(anna)).toEqual([0n, hundred]);
  await checkBooks();
});

test("a start over during the posting waits, and nothing crosses attempts", async () => {
  await lessonOver(ben);
  let starting: Promise<void> = Promise.resolve();
  let hasStarted = false;
  const decidedCount = await rewardWith(async (lookUp, call) => {
    const lockedRow = await lookUp();
    if (call !== 2) return lockedRow;
    starting = outsideTransaction(() => startOverAs(anna)).then(() => {
      hasStarted = true;
    });
    await new Promise((go) => setTimeout(go, 300));
    expect(hasStarted).toBe(false);
    return lockedRow;
  });
  await starting;
  expect(decidedCount).toBe(1);
  expect(await getRewards(anna)).toEqual([hundred, 0n]);
  expect(await getRewards(ben)).toEqual([hundred]);
  const { attemptId } = await world.services.session.user(anna.userId);
  const balances = await world.services.ledger.balances(attemptId);
  expect(balances.find(({ coin }) => coin === "pUSDT")?.available).toBe(start);
  await checkBooks();
});

test("concurrent rewards and starts over pay each of the two exactly once", async () => {
  await lessonOver(ben);
  await Promise.all([
    ...[1, 2, 3, 4].map(() => world.services.invites.rewardDue()),
    startOverAs(anna),
    startOverAs(ben),
    ...[1, 2].map(() => world.services.invites.rewardDue()),
  ]);
  await world.services.invites.rewardDue();
  for (const person of [anna, ben]) {
    const sums = await getRewards(person);
    expect(sums.reduce((sum, amount) => sum + amount, 0n)).toBe(hundred);
  }
  await checkBooks();
});

test("a crash after the posting rolls it back, and the job pays it later", async () => {
  await lessonOver(ben);
  const ledger = {
    ...world.services.ledger,
    postIn: async (...params: Parameters<typeof world.services.ledger.postIn>) => {
      await world.services.ledger.postIn(...params);
      throw new Error("the process ended here");
    },
  };
  const { classes } = world.services;
  const deps = { ledger, classes, addresses: { lockCurrentAttempts } };
  expect(await rewardDueInvitations(ctx, deps, ben.userId)).toBe(0);
  expect(await getRewards(ben)).toEqual([0n]);
  await ctx.jobs.runNow("invites.rewards");
  expect([await getRewards(anna), await getRewards(ben)]).toEqual([[hundred], [hundred]]);
  await checkBooks();
});

test("a rewarded wallet is not rewarded again within 30 days in a new account", async () => {
  const { ledger } = world.services;
  const quota = await ledger.quotaId(ben.userId);
  const today = Math.floor(ctx.realClock.nowMs() / 86_400_000);
  await lessonOver(ben);
  await world.services.invites.rewardDue();
  expect(await getRewards(ben)).toEqual([hundred]);
  const { rows } = await sql<{ key: string }>`
    select key from ledger_limit where key like ${`until:%:invites.joined:${quota}`}`.execute(
    ctx.owner.db,
  );
  const [, lastDay] = rows[0]!.key.split(":");
  expect(Number(lastDay) - today).toBeGreaterThanOrEqual(0);
  expect(Number(lastDay) - today).toBeLessThan(30);

  const input = { word: "delete", receipt_id: randomUUID() };
  await client.call({ method: "POST", path: deleteAccount.path, input, token: ben.token });
  const { code } = await world.services.invites.info(anna.userId);
  const newSession = await signIn(client, benKey, code);
  expect(newSession.userId).not.toBe(ben.userId);
  await lessonOver(newSession);
  await world.services.invites.rewardDue();
  expect(await getRewards(newSession)).toEqual([0n]);
  expect(await getRewards(anna)).toEqual([hundred]);
  const { rows: decisions } = await sql<{ outcome: string | null }>`
    select outcome from invitation where user_id = ${newSession.userId}`.execute(ctx.owner.db);
  expect(decisions).toEqual([{ outcome: "over_limit" }]);
});
