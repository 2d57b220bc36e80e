import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createWaitChecks, readHealth } from "#server/meta/health.ts";
import { lockExclusive, lockShared } from "#server/platform/db/acceptLock.ts";
import { type Database, lockKey, openWorldDatabase } from "#server/platform/db/database.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";

let world: TestDatabase;
let database: Database;
const url = inject("postgres").appUrl;
beforeAll(async () => {
  world = await createTestDatabase({ migrations: [] });
  const sizes = { requests: 3, feed: 1, jobs: 1 };
  database = openWorldDatabase({ url, schema: world.schema, sizes });
});
afterAll(async () => {
  await database.close();
  await world.destroy();
});

const stoppedJobs = () => createJobs({ database, url, logger: createLogger("silent") });
const readNow = async (jobs = stoppedJobs()) =>
  (await readHealth("1", createWaitChecks({ database, jobs }))).parts;

/** Opens a transaction that keeps the locks of `work` until it is released. */
async function holdLocks(work: (tx: Parameters<typeof lockShared>[0]) => Promise<void>) {
  const [lockTaken, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = database.db.transaction().execute(async (tx) => {
    await work(tx);
    lockTaken.resolve();
    await release.promise;
  });
  await lockTaken.promise;
  return async () => {
    release.resolve();
    await transaction;
  };
}

test("health reports a pool's connections in use, its waiters and their wait", async () => {
  const release = await withPurpose("feed", () => holdLocks(async () => {}));
  const pendingQuery = withPurpose("feed", () => sql`select 1`.execute(database.db));
  await sleep(60);
  const parts = await readNow();
  expect(parts["pool.feed"]).toMatchObject({
    ok: true,
    in_use: 1,
    size: 1,
    waiting: 1,
    note: "1 of 1 in use, 1 waiting",
  });
  expect(parts["pool.feed"]!.lag_ms).toBeGreaterThanOrEqual(50);
  expect(parts["pool.jobs"]).toMatchObject({ in_use: 0, waiting: 0 });
  await release();
  await pendingQuery;
  const after = await readNow();
  expect(after["pool.feed"]).toMatchObject({ in_use: 0, waiting: 0 });
  // A wait that has ended is still reported for a while.
  expect(after["pool.feed"]!.lag_ms).toBeGreaterThanOrEqual(50);
});

test("health reports the holder of the accept lock and its waiters", async () => {
  expect((await readNow()).accept_lock).toMatchObject({ ok: true, note: "free, 0 waiting" });
  const release = await holdLocks((tx) => lockShared(tx, world.schema));
  const closing = withPurpose("feed", () =>
    database.db.transaction().execute((tx) => lockExclusive(tx, world.schema)),
  );
  await sleep(60);
  const { accept_lock: lock } = await readNow();
  expect(lock).toMatchObject({ ok: true, note: "held shared, 1 waiting", waiting: 1 });
  expect(lock!.lag_ms).toBeGreaterThanOrEqual(40);
  await release();
  await closing;
  const exclusive = await holdLocks((tx) => lockExclusive(tx, world.schema));
  expect((await readNow()).accept_lock!.note).toBe("held exclusive, 0 waiting");
  await exclusive();
});

test("health reports the lock connection's last error and its recovery", async () => {
  const jobs = createJobs({ database, url, logger: createLogger("silent") });
  expect((await readNow(jobs)).locks).toMatchObject({ ok: true, note: "not needed here" });
  const started = Promise.withResolvers<void>();
  const loop = async (signal: AbortSignal) => {
    started.resolve();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  jobs.add([{ name: "test.loop", loop }]);
  jobs.start();
  await started.promise;
  expect((await readNow(jobs)).locks!.note).toBe("connected");
  const key = BigInt.asUintN(64, lockKey(world.schema, "loop/test.loop"));
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2",
    [key >> 32n, key & 0xffffffffn],
  );
  let note = "connected";
  while (note === "connected") {
    await sleep(5);
    note = (await readNow(jobs)).locks!.note;
  }
  expect(note).toMatch(/^(lost|connected); last error: error 57P01$/);
  while (!note.startsWith("connected")) {
    await sleep(20);
    note = (await readNow(jobs)).locks!.note;
  }
  expect(note).toBe("connected; last error: error 57P01");
  await jobs.stop();
});
