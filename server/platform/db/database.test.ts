import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  type Database,
  openSharedDatabase,
  openWorldDatabase,
  SecondConnectionError,
} from "#server/platform/db/database.ts";
import {
  connectionConfig,
  type Purpose,
  sessionLimits,
  withPurpose,
} from "#server/platform/db/pools.ts";
import { toApiError } from "#server/platform/http/errors.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";

let world: TestDatabase;
/** One connection for each purpose. */
let database: Database;
beforeAll(async () => {
  world = await createTestDatabase();
  database = openWorldDatabase({
    url: inject("postgres").appUrl,
    schema: world.schema,
    sizes: { requests: 1, feed: 1, jobs: 1 },
  });
});
afterAll(async () => {
  await database.close();
  await world.destroy();
});

const query = (db: Database) => sql`select 1`.execute(db.db);

describe("a second connection inside a transaction", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["for a query", () => query(database)],
    ["of another purpose", () => withPurpose("jobs", () => query(database))],
    ["for a transaction", () => database.db.transaction().execute(async () => {})],
    ["of the pool itself", () => database.pool.connect()],
    ["for a query of the pool", () => database.pool.query("select 1")],
    ["later in the transaction", () => sleep(1).then(() => query(database))],
  ])("a second connection %s is refused", async (_what, second) => {
    const promise = database.db.transaction().execute(async () => void (await second()));
    await expect(promise).rejects.toBeInstanceOf(SecondConnectionError);
    // Only that query failed: its connection is back in the pool, and other callers are not
    // affected.
    await query(database);
  });

  test.each([
    "read committed",
    "repeatable read",
    "serializable",
  ] as const)("a second connection is refused at level %s in any option order", async (level) => {
    const transactions = [
      database.db.transaction().setIsolationLevel(level).setAccessMode("read only"),
      database.db.transaction().setAccessMode("read only").setIsolationLevel(level),
    ];
    for (const transaction of transactions) {
      const promise = transaction.execute(() => query(database));
      await expect(promise).rejects.toBeInstanceOf(SecondConnectionError);
    }
  });

  test("a connection is available again after the transaction", async () => {
    let running: Promise<unknown> = Promise.resolve();
    const finished = Promise.withResolvers<void>();
    await database.db.transaction().execute(async () => {
      running = finished.promise.then(() => query(database));
    });
    finished.resolve();
    await running;
  });

  test("another purpose and another database may connect", async () => {
    await database.db.transaction().execute(async () => {
      await outsideTransaction(() => withPurpose("jobs", () => query(database)));
      await query(world.owner);
    });
  });

  test("a second connection is a server.failed error", () => {
    expect(toApiError(new SecondConnectionError(), "r").error).toBe("server.failed");
  });
});

describe("limits", () => {
  const whileHolding = async (work: () => Promise<unknown>) => {
    const client = await database.pool.connect();
    try {
      await work();
    } finally {
      client.release();
    }
  };
  const caught = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error,
    );

  test.each([
    "requests",
    "feed",
    "jobs",
  ] as const)("limits of %s are set on its connections", async (item) => {
    const { rows } = await withPurpose(item, () =>
      sql<{ name: string; setting: string }>`
        select name, setting from pg_settings where name in
          ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
        database.db,
      ),
    );
    const { statementMs, lockMs, idleInTransactionMs } = sessionLimits[item];
    expect(rows.map(({ setting }) => Number(setting))).toEqual([
      idleInTransactionMs,
      lockMs,
      statementMs,
    ]);
  });

  test("an exhausted pool is `server.unavailable` after five seconds", async () => {
    await whileHolding(async () => {
      const startedMs = performance.now();
      const waitingQuery = caught(query(database));
      await withPurpose("feed", () => query(database));
      const error = (await waitingQuery)!;
      expect(performance.now() - startedMs).toBeGreaterThan(4_900);
      expect(toApiError(error, "r").error).toBe("server.unavailable");
    });
  });

  test("a server that freezes in a transaction is `server.unavailable`", async () => {
    const limits = { ...sessionLimits.requests, statementMs: 100 };
    const stoppingDatabase = openWorldDatabase({
      url: inject("postgres").appUrl,
      schema: world.schema,
      sizes: { requests: 1, feed: 1, jobs: 1 },
      limits: { requests: limits, feed: limits, jobs: limits },
    });
    let pid = 0;
    const startedMs = performance.now();
    try {
      const error = await caught(
        stoppingDatabase.db.transaction().execute(async (tx) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
          pid = rows[0]!.pid;
          process.kill(pid, "SIGSTOP");
          await sql`select 1`.execute(tx);
        }),
      );
      expect(toApiError(error!, "r").error).toBe("server.unavailable");
      expect(performance.now() - startedMs).toBeLessThan(4_000);
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
        stoppingDatabase.db,
      );
      expect(rows[0]!.pid).not.toBe(pid);
    } finally {
      if (pid > 0) process.kill(pid, "SIGCONT");
      await stoppingDatabase.close();
    }
  });

  test.each<[string, string, Record<string, string>]>([
    ["a statement that takes too long", "select pg_sleep(5)", { statement_timeout: "20ms" }],
    [
      "a lock that is not granted",
      "select pg_advisory_xact_lock(4711)",
      { lock_timeout: "20ms", statement_timeout: "5s" },
    ],
  ])("%s is `server.unavailable`", async (_what, statement, settings) => {
    const holder = await world.owner.pool.connect();
    await holder.query("select pg_advisory_lock(4711)");
    const error = await caught(
      database.db.transaction().execute(async (tx) => {
        for (const [name, value] of Object.entries(settings))
          await sql`select set_config(${name}, ${value}, true)`.execute(tx);
        await sql.raw(statement).execute(tx);
      }),
    );
    await holder.query("select pg_advisory_unlock(4711)");
    holder.release();
    expect(toApiError(error!, "r").error).toBe("server.unavailable");
    await query(database);
  });

  test("an idle transaction loses its connection, and the pool opens another", async () => {
    const error = await caught(
      database.db.transaction().execute(async (tx) => {
        await sql`select set_config('idle_in_transaction_session_timeout', '20ms', true)`.execute(
          tx,
        );
        await sleep(200);
        await sql`select 1`.execute(tx);
      }),
    );
    expect(toApiError(error!, "r").error).toBe("server.unavailable");
    await query(database);
  });

  test("every kind of connection detects a vanished peer from both sides", () => {
    const limits: (Purpose | null)[] = ["requests", "feed", "jobs", null];
    for (const limit of limits) {
      const { keepAlive, options, connectionTimeoutMillis } = connectionConfig({
        url: "postgres://a@b/c",
        name: "test",
        ...(limit && { limits: sessionLimits[limit] }),
      });
      expect(keepAlive).toBe(true);
      expect(connectionTimeoutMillis).toBeGreaterThan(0);
      for (const setting of ["idle=2", "interval=1", "count=5"])
        expect(options).toContain(`-c tcp_keepalives_${setting}`);
      expect(options).toContain("-c tcp_user_timeout=7000");
    }
  });
});

test("callers share one attempt per tenth of a second while PostgreSQL starts", async () => {
  let connections = 0;
  const fields = "SFATAL\0C57P03\0Mthe database system is starting up\0\0";
  const refusal = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields)]);
  refusal.writeInt32BE(refusal.length - 1, 1);
  const starting = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {}).once("data", () => socket.end(refusal));
  });
  await new Promise<void>((resolve) => starting.listen(0, "127.0.0.1", resolve));
  const { port } = starting.address() as AddressInfo;
  const unreachable = openWorldDatabase({ url: `postgres://a:b@127.0.0.1:${port}/c`, schema: "w" });
  const names = new Set<string>();
  const startedMs = performance.now();
  let count = 0;
  for (; performance.now() - startedMs < 350; count += 1) {
    const error = await query(unreachable).catch((error: Error) => error);
    names.add(toApiError(error as Error, "").error);
    await sleep(2);
  }
  await unreachable.close();
  starting.close();
  expect([...names]).toEqual(["server.unavailable"]);
  expect(count).toBeGreaterThan(10);
  expect(connections).toBeGreaterThan(1);
  expect(connections).toBeLessThanOrEqual(5);
});

describe("pools that worlds share", () => {
  const sizes = { requests: 1, feed: 1, jobs: 1 };
  const open = () => openSharedDatabase({ url: inject("postgres").appUrl, sizes });
  const readPath = async ({ db }: Database) => {
    const { rows } = await sql<{ path: string; pid: number }>`
      select current_setting('search_path') as path, pg_backend_pid() as pid`.execute(db);
    return rows[0]!;
  };

  test("each world works in its own schema on the same connection", async () => {
    const sharedDatabase = open();
    const [first, second] = [sharedDatabase.open("world_one"), sharedDatabase.open("world_two")];
    const names = [];
    for (const world of [first, second, second, first]) names.push(await readPath(world));
    expect(names.map(({ path }) => path)).toEqual([
      "world_one",
      "world_two",
      "world_two",
      "world_one",
    ]);
    expect(new Set(names.map(({ pid }) => pid)).size).toBe(1);
    await first.close();
    expect((await readPath(second)).path).toBe("world_two");
    await sharedDatabase.close();
  });

  test("a transaction of one world cannot wait for a connection of another", async () => {
    const sharedDatabase = open();
    const [first, second] = [sharedDatabase.open("world_one"), sharedDatabase.open("world_two")];
    const promise = first.db.transaction().execute(async () => void (await query(second)));
    await expect(promise).rejects.toBeInstanceOf(SecondConnectionError);
    await sharedDatabase.close();
  });

  test("closing a world closes its connections and keeps those of other worlds", async () => {
    const sharedDatabase = openSharedDatabase({
      url: inject("postgres").appUrl,
      sizes: { ...sizes, jobs: 2 },
    });
    const [first, second] = [sharedDatabase.open("world_one"), sharedDatabase.open("world_two")];
    const work = (world: Database) =>
      withPurpose("jobs", () => sql`select pg_sleep(0.5)`.execute(world.db)).then(
        () => "done",
        () => "cut",
      );
    const working = [work(first), work(second)];
    await sleep(200);
    first.cut("jobs");
    expect(await Promise.all(working)).toEqual(["cut", "done"]);
    await sharedDatabase.close();
  });
});
