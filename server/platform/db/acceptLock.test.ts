import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockExclusive, lockShared, sharedMaxMs } from "#server/platform/db/acceptLock.ts";
import { createTestDatabase } from "#server/testing/database.ts";

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.destroy());

test("a stalled holder loses the lock within three seconds and commits nothing", async () => {
  const { database } = testDatabase;
  const { db, schema } = database;
  const woken = Promise.withResolvers<void>();
  const lockHeld = Promise.withResolvers<void>();
  const stalledHolder = db.transaction().execute(async (tx) => {
    await lockShared(tx, schema);
    lockHeld.resolve();
    await woken.promise;
    await sql`select 1`.execute(tx);
  });
  stalledHolder.catch(() => {});
  await lockHeld.promise;
  const beganMs = performance.now();
  await db.transaction().execute((tx) => lockExclusive(tx, schema));
  const waitedMs = performance.now() - beganMs;
  expect(waitedMs).toBeGreaterThan(sharedMaxMs.idle - 500);
  expect(waitedMs).toBeLessThan(sharedMaxMs.idle + 5_000);
  await sleep(50);
  woken.resolve();
  await expect(stalledHolder).rejects.toThrow();
});

test("a holder with many slow statements loses the lock within five seconds", async () => {
  const { db, schema } = testDatabase.database;
  const lockHeld = Promise.withResolvers<void>();
  let isOver = false;
  const slowHolder = db.transaction().execute(async (tx) => {
    await lockShared(tx, schema);
    lockHeld.resolve();
    // As in a process whose event loop takes long turns.
    while (!isOver) {
      await sql`select 1`.execute(tx);
      await sleep(500);
    }
  });
  slowHolder.catch(() => {});
  await lockHeld.promise;
  const beganMs = performance.now();
  await db.transaction().execute((tx) => lockExclusive(tx, schema));
  const waitedMs = performance.now() - beganMs;
  isOver = true;
  expect(waitedMs).toBeGreaterThan(sharedMaxMs.all - 500);
  expect(waitedMs).toBeLessThan(sharedMaxMs.all + 4_000);
  await expect(slowHolder).rejects.toThrow();
});

test("waiting for the lock does not count towards the limit", async () => {
  const { db, schema } = testDatabase.database;
  const locked = Promise.withResolvers<void>();
  const feed = db.transaction().execute(async (tx) => {
    await lockExclusive(tx, schema);
    locked.resolve();
    await sleep(sharedMaxMs.all - 1_000);
  });
  await locked.promise;
  const accepted = await db.transaction().execute(async (tx) => {
    await lockShared(tx, schema);
    for (let statements = 0; statements < 4; statements += 1) {
      await sql`select 1`.execute(tx);
      await sleep(500);
    }
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(tx);
    return rows;
  });
  expect(accepted).toEqual([{ one: 1 }]);
  await feed;
});

test("the limits end with the transaction that took the lock", async () => {
  const { database } = testDatabase;
  const { rows } = await database.db.connection().execute(async (kysely) => {
    await kysely.transaction().execute((tx) => lockShared(tx, database.schema));
    return sql<{ idle: string; all: string }>`
      select current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('transaction_timeout') as all`.execute(kysely);
  });
  expect(rows).toEqual([{ idle: "10s", all: "0" }]);
});
