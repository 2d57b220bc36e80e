import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { withdrawCancelMs } from "#core/withdraw/withdraw.ts";
import { createWorld, type Services, type World } from "#server/app/modules.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, openWorldDatabase } from "#server/platform/db/database.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import { createJobs, type Jobs } from "#server/platform/jobs.ts";
import { createPeople, newId, type Person } from "#server/testing/people.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createAddress } from "#server/withdraw/testing.ts";

/**
 * A whole world under load right after a start, with cold caches and one connection per purpose.
 */
const smallest = { requests: 1, feed: 1, jobs: 1 };

let ctx: TestContext;
let before: World;
let people: Person[];
let after: { world: World; jobs: Jobs; database: AppContext["database"] };

const amount = "20";
const placeWithdrawal = ({ withdraw }: Services, person: Person) =>
  withdraw.place(
    person,
    { coin: "pUSDT", amount, address: createAddress("pUSDT") },
    newId(),
    randomBytes(32),
  );

beforeAll(async () => {
  ctx = await createTestContext();
  before = await createWorld(ctx);
  await before.prepare();
  await pass(2_000);
  await before.services.market.feed.tick();
  const { openPerson } = await createPeople(before.services.ledger);
  people = await Promise.all(Array.from({ length: 16 }, () => openPerson(100)));
  await Promise.all(people.map(({ userId }) => ctx.fieldEncryption.createKey(userId)));
});
beforeEach(async () => {
  await Promise.all(people.map((person) => placeWithdrawal(before.services, person)));
  await pass(withdrawCancelMs);
  const { appUrl: url } = inject("postgres");
  const database = openWorldDatabase({ url, schema: ctx.world.schema, sizes: smallest });
  const jobs = createJobs({ database, url, logger: ctx.logger });
  after = { world: await createWorld({ ...ctx, database, jobs }), jobs, database };
});
afterEach(async () => {
  await after.world.stop();
  await after.database.close();
});
afterAll(async () => {
  await before.stop();
  await ctx.destroy();
});

async function pass(ms: number): Promise<void> {
  ctx.realClock.advanceMs(ms / ctx.world.market.speed);
  ctx.clock.advanceTo(ctx.clock.nowMs() + ms);
}

/** Waits until `count` connections wait for the world's accept lock. */
async function untilWaiting(count: number): Promise<void> {
  const key = lockKey(ctx.world.schema, "accept");
  for (;;) {
    const { rows } = await ctx.owner.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_locks
       where locktype = 'advisory' and not granted and (classid::bigint << 32) | objid::bigint = $1`,
      [key],
    );
    if (rows[0]!.n === count) return;
    await sleep(10);
  }
}

test("withdrawals, the feed and the log make progress with one connection each", async () => {
  const { jobs } = after;
  const { services } = after.world;
  const holder = await ctx.owner.pool.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock_shared($1)", [
    lockKey(ctx.world.schema, "accept"),
  ]);
  const closing = withPurpose("feed", () => services.market.feed.tick());
  await untilWaiting(1);
  // Each takes the only connection of its purpose and waits for the feed; all others wait for them.
  const otherRuns = [
    jobs.runNow("withdraw.leave"),
    ...people.map((person) => placeWithdrawal(services, person)),
  ];
  await untilWaiting(3);
  const laterRuns = [
    jobs.runNow("liabilities.commit"),
    jobs.runNow("publishing.due"),
    jobs.runNow("publishing.machines"),
    withPurpose("feed", () => services.transparencyLog.integrate()),
  ];
  await holder.query("rollback");
  holder.release();
  expect(await closing).toBeGreaterThan(0);
  await Promise.all([...otherRuns, ...laterRuns]);
  for (const person of people) {
    const filters = { attemptId: person.attemptId, page: 1, page_size: 10 };
    const { items } = await before.services.withdraw.list(person.userId, filters);
    expect(items.map(({ outcome }) => outcome)).toEqual([null, "left"]);
  }
});
