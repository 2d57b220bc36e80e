import nodeProcess, { kill } from "node:process";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { lockKey } from "#server/platform/db/database.ts";
import { createLocks, type Locks, openLockConnection } from "#server/platform/db/locks.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";

let world: TestDatabase;
let stopping: AbortController;
let locksOf: Locks[];
beforeEach(async () => {
  world = await createTestDatabase({ migrations: [] });
  stopping = new AbortController();
  locksOf = [];
});
afterEach(async () => {
  stopping.abort();
  for (const locks of locksOf) await locks.close();
  await world.destroy();
});

/** The locks of one process. */
function process(): Locks {
  const { appUrl: url } = inject("postgres");
  const logger = createLogger("silent");
  const locks = createLocks({ url, schema: world.schema, logger, stopping: stopping.signal });
  locksOf.push(locks);
  return locks;
}

/** Holds a lock until `release` is called; `lost` resolves when it is lost. */
async function hold(locks: Locks, name: string) {
  const [locked, release, lost] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const heldWork = locks.hold(name, async (signal) => {
    locked!.resolve();
    signal.addEventListener("abort", () => lost!.resolve());
    await Promise.race([release!.promise, lost!.promise]);
  });
  await locked!.promise;
  return { over: heldWork, lost: lost!.promise, release: release!.resolve };
}

const holders = async () => {
  const { rows } = await world.database.pool.query<{ pid: number; locks: number }>(
    `select a.pid, count(*)::int as locks from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.locktype = 'advisory'
     where a.application_name = 'drydock-locks' and l.objid::bigint | (l.classid::bigint << 32) = any($1) group by a.pid`,
    [names.map((name) => lockKey(world.schema, name))],
  );
  return rows;
};
const names = ["market.feed", "log.integrate", "mining.run"];

test("one connection holds all locks of a process", async () => {
  const locks = process();
  const heldLocks = await Promise.all(names.map((name) => hold(locks, name)));
  expect(await holders()).toMatchObject([{ locks: 3 }]);
  for (const { release } of heldLocks) release();
  expect(await Promise.all(heldLocks.map(({ over }) => over))).toEqual([true, true, true]);
  expect(await holders()).toEqual([]);
});

test("a held lock is refused to others immediately and free afterwards", async () => {
  const [first, second] = [process(), process()];
  const heldLock = await hold(first, "market.feed");
  let runCount = 0;
  const count = async () => void runCount++;
  expect(await second.hold("market.feed", count)).toBe(false);
  expect(await first.hold("market.feed", count)).toBe(false);
  expect(await second.hold("log.integrate", count)).toBe(true);
  heldLock.release();
  await heldLock.over;
  expect(await second.hold("market.feed", count)).toBe(true);
  expect(runCount).toBe(2);
});

test("a lock is released when its work throws", async () => {
  const [first, second] = [process(), process()];
  const failing = first.hold("market.feed", () => Promise.reject(new Error("fell over")));
  await expect(failing).rejects.toThrow("fell over");
  expect(await second.hold("market.feed", async () => {})).toBe(true);
});

test("a broken connection loses every lock, aborts all work and can be replaced", async () => {
  const [first, second] = [process(), process()];
  const heldLocks = await Promise.all(names.map((name) => hold(first, name)));
  const { pid } = (await holders())[0]!;
  await world.database.pool.query("select pg_terminate_backend($1)", [pid]);
  await Promise.all(heldLocks.map(({ lost }) => lost));
  await Promise.all(heldLocks.map(({ over }) => over));
  expect(await second.hold("market.feed", async () => {})).toBe(true);
  const repeated = await Promise.all(names.map((name) => hold(first, name)));
  const [firstHolder] = await holders();
  expect(firstHolder).toMatchObject({ locks: 3 });
  expect(firstHolder!.pid).not.toBe(pid);
  for (const { release } of repeated) release();
});

test("a connection that breaks under many holders is ended once", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  nodeProcess.on("warning", note);
  try {
    const locks = process();
    const manyNames = Array.from({ length: 15 }, (_, index) => `lock.${index}`);
    const heldLocks = await Promise.all([...names, ...manyNames].map((name) => hold(locks, name)));
    const { pid } = (await holders())[0]!;
    const terminated = world.database.pool.query("select pg_terminate_backend($1)", [pid]);
    for (const { release } of heldLocks) release();
    await terminated;
    await Promise.all(heldLocks.map(({ over }) => over));
    await setImmediate();
    expect(warnings).toEqual([]);
  } finally {
    nodeProcess.off("warning", note);
  }
});

test("a connection whose server does not answer is abandoned", async () => {
  const locks = process();
  const firstLock = await hold(locks, names[0]!);
  const { pid } = (await holders())[0]!;
  kill(pid, "SIGSTOP");
  try {
    await expect(locks.hold(names[1]!, async () => {})).rejects.toThrow();
    await firstLock.lost;
    await firstLock.over;
  } finally {
    kill(pid, "SIGCONT");
  }
}, 30_000);

test("no work runs without a database, and stopping ends the wait", async () => {
  const logger = createLogger("silent");
  const url = "postgres://nobody@127.0.0.1:1/nothing";
  const locks = createLocks({ url, schema: "world", logger, stopping: stopping.signal });
  let hasRun = false;
  const pendingHold = locks.hold("market.feed", async () => {
    hasRun = true;
  });
  setTimeout(() => stopping.abort(), 600);
  await expect(pendingHold).rejects.toThrow();
  await locks.close();
  expect(hasRun).toBe(false);
});

test("worlds that share a connection can hold locks of the same name and stop separately", async () => {
  const { appUrl: url } = inject("postgres");
  const logger = createLogger("silent");
  const connection = openLockConnection({ url, logger, stopping: stopping.signal });
  const first = connection.forSchema(world.schema, stopping.signal);
  const second = connection.forSchema(`${world.schema}_other`, stopping.signal);
  const heldLock = await hold(first, "market.feed");
  const otherHold = await hold(second, "market.feed");
  expect(await first.hold("market.feed", async () => {})).toBe(false);
  expect((await holders()).map(({ locks }) => locks)).toEqual([1]);
  heldLock.release();
  expect(await heldLock.over).toBe(true);
  expect(await first.hold("market.feed", async () => {})).toBe(true);
  expect(await second.hold("market.feed", async () => {})).toBe(false);
  otherHold.release();
  await otherHold.over;
  await connection.close();
});

test("a world stops without waiting for an unreachable database", async () => {
  const url = "postgres://a:b@127.0.0.1:1/c";
  const connection = openLockConnection({
    url,
    logger: createLogger("silent"),
    stopping: stopping.signal,
  });
  const controller = new AbortController();
  const pendingConnection = connection
    .forSchema("world", controller.signal)
    .hold("market.feed", async () => {});
  controller.abort(new Error("stopping"));
  await expect(pendingConnection).rejects.toThrow("stopping");
  stopping.abort();
  await connection.close();
});
