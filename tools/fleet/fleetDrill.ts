/**
 * `npm run trial -- fleet`: two machines with a web, a feed and a worker each, on a database with a
 * synchronous standby, under orders. One after the other: the feed is killed, a web is killed, the
 * clock of the machine that closes seconds is an hour off, that machine is cut off, the primary is
 * killed and the standby promoted, and a process runs through a pooler in transaction mode. Prints
 * a line for each: the outage, what was lost of what was acknowledged, and whether the public log
 * still continues what was seen before. Exit status 1 if anything was lost, the log does not, or a
 * machine that is cut off holds the others up for more than ten seconds.
 *
 * All of it runs on one computer, so that disks are shared, and the clock of a machine is its
 * processes' own (wrongClock.ts). The feed and the worker of the second machine have a network of
 * their own (cable.ts), without which it cannot be cut off.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { deriveKeyJournalId } from "#core/ledger/ids.ts";
import { type Database, lockKey, openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";
import { createClient } from "#server/testing/client.ts";
import { startPooler } from "#server/testing/pooler.ts";
import { createDataDirectory, printConditions } from "../bench/lib/conditions.ts";
import { checkAll } from "../crash/checks/report.ts";
import { Load } from "../crash/load.ts";
import { createRandom } from "../crash/options.ts";
import { createPeople, type Population } from "../crash/population.ts";
import { OutsideRecord, readRecord } from "../crash/record.ts";
import { Witness } from "../crash/witness.ts";
import { waitUntilInterrupted } from "../lib/interrupted.ts";
import { parseOptions } from "../lib/options.ts";
import { waitUntilSettled } from "../lib/settled.ts";
import { type Cable, layCable } from "./cable.ts";
import { createMachine, type Machine, readLastLines, startMachines } from "./machines.ts";
import { startRelay } from "./relay.ts";
import { type Replicated, startReplicated } from "./replicated.ts";

const world = "fleet";
const speed = 10;
const people = { mixes: ["orders"], users: 40, clients: 10, seed: 1 } as const;
/** If nothing is acknowledged for this long after a fault, there was no recovery. */
const recoveryMaxMs = 90_000;
/** Load before and after each fault. */
const aroundMs = 4_000;
const hourMs = 3_600_000;
/** How long a machine is cut off, and how soon another must have taken over its work. */
const cutMs = 30_000;
const takeoverMaxMs = 10_000;

parseOptions({}, "npm run trial -- fleet");

interface Fleet {
  database: Replicated;
  /** The cable of the second machine; null if it has none. */
  cable: Cable | null;
  machines: readonly [Machine, Machine];
  record: OutsideRecord;
  recordPath: string;
  load: Load;
  witness: Witness;
}

interface Fault {
  description: string;
  /** The longest outage that is no failure, in real milliseconds. */
  outageMaxMs?: number;
  /** Injects the fault, and ends it; returns what else to report. */
  run: (fleet: Fleet) => Promise<string>;
  /** Makes the repairs that an administrator would make, once the outage is measured. */
  repair?: (fleet: Fleet) => void;
}

const faults: readonly Fault[] = [
  {
    description: "feed killed",
    run: async ({ machines: [first] }) => {
      await first.processes.feed.kill();
      return "";
    },
    repair: ({ machines: [first] }) => first.processes.feed.start(),
  },
  {
    description: "a web killed",
    run: async ({ machines: [first] }) => {
      await first.processes.web.kill();
      return "";
    },
    repair: ({ machines: [first] }) => first.processes.web.start(),
  },
  {
    // The machine whose feed took over in the fault above.
    description:
      "clock of the feed's machine an hour ahead for 10 s, right, an hour behind for 10 s, right",
    run: async ({ machines: [, second] }) => {
      let refusal = "";
      for (const offsetMs of [hourMs, 0, -hourMs, 0]) {
        second.setClock(offsetMs);
        await sleep(offsetMs === 0 ? 3_000 : 10_000);
        if (offsetMs === hourMs) refusal = await second.refusal({});
      }
      return `a process started there meanwhile: "${refusal}"`;
    },
  },
  {
    // The machine of the fault above.
    description: `feed's machine cut off for ${cutMs / 1_000} s: its packets vanish`,
    outageMaxMs: takeoverMaxMs,
    run: cutOff,
  },
  {
    description: "primary killed, standby promoted",
    run: async ({ database }) => {
      await database.killPrimary();
      const fromMs = performance.now();
      await database.promote();
      return `of it ${inSeconds(performance.now() - fromMs)} s for the promotion, which began immediately`;
    },
  },
  {
    description: "pooler in transaction mode",
    run: async ({ database, machines: [, second] }) => {
      const { socket } = database.primary();
      const pooler = await startPooler(socket, { pooling: "transaction", options: "pass" });
      // Over the pooler's socket, without TLS.
      const routeThroughPooler = (url: string) => pooler.through(url.replace(/\?.*/, ""));
      const changes = {
        DATABASE_OWNER_URL: routeThroughPooler(database.urls.owner),
        DATABASE_URL: routeThroughPooler(database.urls.app),
      };
      const refusal = await second.refusal(changes);
      await pooler.close();
      return `a process led through it: "${refusal}"`;
    },
  },
];

/** The machine whose feed closes seconds, by the address of its connection to the database. */
async function closer({ database }: Fleet): Promise<string | null> {
  const key = lockKey(schemaName(world), "loop/market.feed");
  const rows = await database.admin<{ address: string }>(
    `select host(client_addr) as address from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and granted
       and classid::bigint << 32 | objid::bigint = ${key}`,
  );
  return rows[0]?.address ?? null;
}

async function lastSecond(fleet: Fleet): Promise<number> {
  const [row] = await withWorld(fleet, async ({ db }) => {
    const lastRow = sql<{ second: number }>`
      select (max(second_ms) / 1000)::integer as second from market_second`;
    return (await lastRow.execute(db)).rows;
  });
  return row!.second;
}

/** Polls until `isSo` holds; returns how long that took, in real milliseconds. */
async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const fromMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - fromMs > recoveryMaxMs)
      throw new Error(`${what} did not happen within ${recoveryMaxMs / 1_000} s.`);
    await sleep(50);
  }
  return performance.now() - fromMs;
}

async function cutOff(fleet: Fleet): Promise<string> {
  const { cable, database } = fleet;
  if (!cable) return "NOT DRILLED: it needs Linux, root and iproute2";
  const { machineAddress } = cable;
  if ((await closer(fleet)) !== machineAddress)
    throw new Error("The feed that closes seconds is not on the machine that can be cut off.");
  const cutAtMs = performance.now();
  cable.cut();
  const freedMs = await waitUntil("the end of its locks", async () => {
    const address = await closer(fleet);
    return address !== null && address !== machineAddress;
  });
  const second = await lastSecond(fleet);
  await waitUntil("a second by another feed", async () => (await lastSecond(fleet)) > second);
  const closedMs = performance.now() - cutAtMs;
  await sleep(cutMs - closedMs);
  cable.mend();
  const backMs = await waitUntil("its return", async () => {
    const rows = await database.admin(
      `select from pg_stat_activity
       where client_addr = '${machineAddress}' and application_name = 'drydock-locks'`,
    );
    return rows.length >= 2;
  });
  return `another feed had its lock after ${inSeconds(freedMs)} s and closed a second after ${inSeconds(closedMs)} s; ${inSeconds(backMs)} s after the cable was mended its feed and worker were connected again`;
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** Measures the longest time without a new acknowledgement until `stop`, in real milliseconds. */
function watchOutage(record: OutsideRecord): { stop(): number } {
  let count = record.count;
  let sinceMs = performance.now();
  let longestMs = 0;
  const measure = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - sinceMs);
    if (record.count === count) return;
    count = record.count;
    sinceMs = nowMs;
  };
  const timer = setInterval(measure, 10);
  return {
    stop: () => {
      clearInterval(timer);
      measure();
      return longestMs;
    },
  };
}

async function withWorld<Result>(
  { database }: Fleet,
  work: (opened: Database) => Promise<Result>,
): Promise<Result> {
  const openedDatabase = openDatabase({
    url: database.primary().adminUrl,
    schema: schemaName(world),
    max: 2,
  });
  try {
    return await work(openedDatabase);
  } finally {
    await openedDatabase.close();
  }
}

/** Acknowledged orders that the primary does not have. */
async function countLost(fleet: Fleet): Promise<{ lost: number; acknowledged: number }> {
  const acknowledged = await readRecord(fleet.recordPath);
  const ids = acknowledged.flatMap(({ userId, key, balanceChanges }) =>
    balanceChanges === null ? [] : [deriveKeyJournalId(userId, key)],
  );
  const standing = await withWorld(fleet, async ({ db }) => {
    const { rows } = await sql<{ id: string }>`
      select id::text from journal where id = any(${ids}::uuid[])`.execute(db);
    return new Set(rows.map(({ id }) => id));
  });
  return { lost: ids.filter((id) => !standing.has(id)).length, acknowledged: ids.length };
}

/** World seconds without a leaf since the first one. */
async function countMissing(fleet: Fleet): Promise<number> {
  return withWorld(fleet, async ({ db }) => {
    const { rows } = await sql<{ missing: number }>`
      select ((max(second_ms) - min(second_ms)) / 1000 + 1 - count(*))::integer as missing
      from market_second`.execute(db);
    return rows[0]!.missing;
  });
}

/** Returns true if nothing was lost, the log continues and the outage was short enough. */
async function meet(fleet: Fleet, fault: Fault): Promise<boolean> {
  const { description, run, repair, outageMaxMs = recoveryMaxMs } = fault;
  const { load, record, witness } = fleet;
  await sleep(aroundMs);
  const missingCount = await countMissing(fleet);
  const forked = witness.findings.length;
  const seenHead = witness.seen();
  const outage = watchOutage(record);
  const note = await run(fleet);
  const timeout = sleep(recoveryMaxMs, "late" as const, { ref: false });
  if ((await Promise.race([load.nextAcknowledged(), timeout])) === "late")
    throw new Error(`${description}: nothing was acknowledged within ${recoveryMaxMs / 1_000} s.`);
  await sleep(aroundMs);
  const outageMs = outage.stop();
  await witness.after(seenHead);
  await witness.prove(seenHead);
  const { lost, acknowledged } = await countLost(fleet);
  const continues = witness.findings.length === forked;
  const seconds = ((await countMissing(fleet)) - missingCount) / speed;
  console.log(
    `${description}: outage ${inSeconds(outageMs)} s, lost ${lost} of ${acknowledged} orders, log forked: ${continues ? "no" : "YES"}, ${seconds.toFixed(1)} s of market without prices; load average ${loadavg()[0]!.toFixed(1)}${note && `; ${note}`}`,
  );
  repair?.(fleet);
  if (outageMs > outageMaxMs) console.log(`  aim: an outage of ${outageMaxMs / 1_000} s at most`);
  return lost === 0 && continues && outageMs <= outageMaxMs;
}

/** Compares all that was acknowledged with the database; sentences, one per difference. */
async function compare(fleet: Fleet, population: Population): Promise<string[]> {
  const { load, record, recordPath } = fleet;
  await load.stop(30_000);
  if (load.fatalError) throw load.fatalError;
  await load.retryOpen(200);
  await record.close();
  const { traders, expectedVersions, ownKeys, owner } = population;
  const outside = { record: await readRecord(recordPath), openKeys: load.openKeys, traders };
  return withWorld(fleet, async (openedDatabase) => {
    const unsettled = await waitUntilSettled(openedDatabase, 90_000);
    const all = { ...outside, expectedVersions, ownKeys, owner };
    const report = await checkAll(openedDatabase, world, people.mixes, all);
    return [
      ...report.losses,
      ...report.duplicates,
      ...report.imbalances,
      ...load.contradictions.map((key) => `key ${key} got two answers`),
      ...(unsettled > 0 ? [`${unsettled} orders long overdue are not settled`] : []),
    ];
  });
}

async function drill(fleet: Fleet, population: Population): Promise<number> {
  let failed = 0;
  for (const fault of faults) if (!(await meet(fleet, fault))) failed += 1;
  const differences = await compare(fleet, population);
  for (const line of [...differences, ...fleet.witness.findings].slice(0, 20))
    console.log(`  ${line}`);
  console.log(
    `${faults.length} faults, ${failed} failed; at the end ${differences.length} differences between what was acknowledged and the database, ${fleet.witness.proofs} proofs that the log continues`,
  );
  return failed + differences.length;
}

const databases = [createDataDirectory(), createDataDirectory()] as const;
const dataDirectory = createDataDirectory();

const interrupted = waitUntilInterrupted();

async function main(): Promise<number> {
  const cable = layCable();
  const address = cable?.address ?? "127.0.0.1";
  const database = await startReplicated(databases[0].directory, databases[1].directory, address);
  const settings = {
    DRYDOCK_DATA: join(dataDirectory.directory, "shared"),
    DATABASE_URL: database.urls.app,
    DATABASE_OWNER_URL: database.urls.owner,
    WORLD: world,
    WORLD_SPEED: String(speed),
  };
  const machines = [
    await createMachine("one", dataDirectory.directory, settings),
    await createMachine("two", dataDirectory.directory, settings, cable),
  ] as const;
  const webs = await startRelay(machines.map(({ webPort }) => ({ port: webPort })));
  try {
    await Promise.race([startMachines(machines), interrupted]);
    const client = createClient({ port: webs.port, connections: 40, timeoutMs: 15_000 });
    const recordPath = join(dataDirectory.directory, "acknowledged.jsonl");
    const record = await OutsideRecord.open(recordPath);
    const load = new Load(client, record, createRandom(1));
    const population = await createPeople(people, {
      ...{ client, load, port: webs.port },
      readOutput: () => "",
    });
    const witness = new Witness(client, `http://127.0.0.1:${webs.port}`, dataDirectory.directory);
    await witness.start();
    load.start(people.clients, population.mixes);
    const fleet = { database, cable, machines, record, recordPath, load, witness };
    const failed = await Promise.race([drill(fleet, population), interrupted]);
    await witness.stop();
    client.close();
    return failed;
  } catch (error) {
    for (const machine of machines)
      for (const line of readLastLines(dataDirectory.directory, machine)) console.error(line);
    throw error;
  } finally {
    for (const { processes } of machines)
      await Promise.all(Object.values(processes).map((process) => process.kill()));
    await webs.close();
    await database.stop();
    cable?.remove();
    for (const directory of [...databases, dataDirectory]) directory.remove();
  }
}

printConditions(
  "two machines with a web, a feed and a worker each, a database with a synchronous standby, all on this computer",
);
process.exit((await main()) > 0 ? 1 : 0);
