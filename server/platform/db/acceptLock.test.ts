import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockExclusive, lockShared, sharedIdleMaxMs } from "#server/platform/db/acceptLock.ts";
import { createTestDatabase } from "#server/testing/database.ts";

let opened: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  opened = await createTestDatabase();
});
afterAll(() => opened.destroy());

test("whoever holds the lock and stalls gives it up within three seconds, and commits nothing", async () => {
  const { database } = opened;
  const { db, schema } = database;
  const woken = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const stalled = db.transaction().execute(async (tx) => {
    await lockShared(tx, schema);
    held.resolve();
    await woken.promise;
    await sql`select 1`.execute(tx);
  });
  stalled.catch(() => {});
  await held.promise;
  const beganMs = performance.now();
  await db.transaction().execute((tx) => lockExclusive(tx, schema));
  const waitedMs = performance.now() - beganMs;
  expect(waitedMs).toBeGreaterThan(sharedIdleMaxMs - 500);
  expect(waitedMs).toBeLessThan(sharedIdleMaxMs + 5_000);
  await sleep(50);
  woken.resolve();
  await expect(stalled).rejects.toThrow();
});

test("the limit ends with the transaction that took the lock", async () => {
  const { database } = opened;
  const { rows } = await database.db.connection().execute(async (one) => {
    await one.transaction().execute((tx) => lockShared(tx, database.schema));
    return sql<{
      idle_in_transaction_session_timeout: string;
    }>`show idle_in_transaction_session_timeout`.execute(one);
  });
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }]);
});
