/**
 * `npm run trial -- fleet`: two machines with a web, a feed and a worker each, on a database with a
 * synchronous standby, under orders. One after the other: the feed is killed, a web is killed, the
 * clock of the machine that closes seconds is an hour off, the primary is killed and the standby
 * promoted, and a process is led through a pooler in transaction mode. Prints a line for each: the
 * outage, what was lost of what was acknowledged, and whether the public log still continues what
 * was seen before. Exit status 1 if anything was lost or the log does not.
 *
 * All of it runs on one computer, so that networks and disks are shared, and the clock of a machine
 * is its processes' own (wrongClock.ts). A machine whose packets vanish is not drilled.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { journalIdOfKey } from "#core/ledger/ids.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";
import { createClient } from "#server/testing/client.ts";
import { startPooler } from "#server/testing/pooler.ts";
import { makeDataDirectory, printConditions } from "../bench/lib/conditions.ts";
import { checkAll } from "../crash/checks/report.ts";
import { Load } from "../crash/load.ts";
import { createRandom } from "../crash/options.ts";
import { createPeople, type Population } from "../crash/population.ts";
import { OutsideRecord, readRecord } from "../crash/record.ts";
import { Witness } from "../crash/witness.ts";
import { parseOptions } from "../lib/options.ts";
import { untilSettled } from "../lib/settled.ts";
import { createMachine, lastLines, type Machine, startMachines } from "./machines.ts";
import { type Relay, startRelay } from "./relay.ts";
import { type Replicated, startReplicated } from "./replicated.ts";

const world = "fleet";
const speed = 10;
const people = { mixes: ["orders"], users: 40, clients: 10, seed: 1 } as const;
/** A fault after which nothing is acknowledged for this long has no recovery. */
const recoveryMaxMs = 90_000;
/** Load before and after each fault. */
const aroundMs = 4_000;
const hourMs = 3_600_000;

parseOptions({}, "npm run trial -- fleet");

interface Fleet {
  database: Replicated;
  /** Where the processes find the primary. */
  databaseRelay: Relay;
  machines: readonly [Machine, Machine];
  record: OutsideRecord;
  recordPath: string;
  load: Load;
  witness: Witness;
}

interface Fault {
  what: string;
  /** Brings it about, and ends it again; returns what else is worth telling. */
  run: (fleet: Fleet) => Promise<string>;
  /** Repairs what an administrator would, once it is measured. */
  after?: (fleet: Fleet) => void;
}

const faults: readonly Fault[] = [
  {
    what: "feed killed",
    run: async ({ machines: [first] }) => {
      await first.processes.feed.kill();
      return "";
    },
    after: ({ machines: [first] }) => first.processes.feed.start(),
  },
  {
    what: "a web killed",
    run: async ({ machines: [first] }) => {
      await first.processes.web.kill();
      return "";
    },
    after: ({ machines: [first] }) => first.processes.web.start(),
  },
  {
    // Of the machine whose feed took over above.
    what: "clock of the feed's machine an hour ahead for 10 s, right, an hour behind for 10 s, right",
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
    what: "primary killed, standby promoted",
    run: async ({ database, databaseRelay }) => {
      await database.killPrimary();
      const fromMs = performance.now();
      await database.promote();
      databaseRelay.lead([{ path: database.primary().socket }]);
      return `of it ${inSeconds(performance.now() - fromMs)} s for the promotion, which began immediately`;
    },
  },
  {
    what: "pooler in transaction mode",
    run: async ({ database, machines: [, second] }) => {
      const { socket } = database.primary();
      const pooler = await startPooler(socket, { pooling: "transaction", options: "pass" });
      const { owner, app } = database.urls(0);
      const changes = {
        DATABASE_OWNER_URL: pooler.through(owner),
        DATABASE_URL: pooler.through(app),
      };
      const refusal = await second.refusal(changes);
      await pooler.close();
      return `a process led through it: "${refusal}"`;
    },
  },
];

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

/** Acknowledged orders of which the primary knows nothing. */
async function countLost(fleet: Fleet): Promise<{ lost: number; acknowledged: number }> {
  const acknowledged = await readRecord(fleet.recordPath);
  const ids = acknowledged.flatMap(({ userId, key, moved }) =>
    moved === null ? [] : [journalIdOfKey(userId, key)],
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

/** Returns true if nothing was lost and the log continues. */
async function meet(fleet: Fleet, { what, run, after }: Fault): Promise<boolean> {
  const { load, record, witness } = fleet;
  await sleep(aroundMs);
  const missing = await countMissing(fleet);
  const forked = witness.findings.length;
  const seenHead = witness.seen();
  const outage = watchOutage(record);
  const more = await run(fleet);
  const late = sleep(recoveryMaxMs, "late" as const, { ref: false });
  if ((await Promise.race([load.nextAcknowledged(), late])) === "late")
    throw new Error(`${what}: nothing was acknowledged within ${recoveryMaxMs / 1_000} s.`);
  await sleep(aroundMs);
  const outageMs = outage.stop();
  await witness.after(seenHead);
  await witness.prove(seenHead);
  const { lost, acknowledged } = await countLost(fleet);
  const continues = witness.findings.length === forked;
  const seconds = ((await countMissing(fleet)) - missing) / speed;
  console.log(
    `${what}: outage ${inSeconds(outageMs)} s, lost ${lost} of ${acknowledged} orders, log forked: ${continues ? "no" : "YES"}, ${seconds.toFixed(1)} s of market without prices; load average ${loadavg()[0]!.toFixed(1)}${more && `; ${more}`}`,
  );
  after?.(fleet);
  return lost === 0 && continues;
}

/** Compares all that was acknowledged with the database; sentences, one per difference. */
async function compare(fleet: Fleet, population: Population): Promise<string[]> {
  const { load, record, recordPath } = fleet;
  await load.stop(30_000);
  if (load.broken) throw load.broken;
  await load.retryOpen(200);
  await record.close();
  const { traders, expected, ownKeys, owner } = population;
  const outside = { record: await readRecord(recordPath), open: load.open, traders };
  return withWorld(fleet, async (openedDatabase) => {
    const unsettled = await untilSettled(openedDatabase, 90_000);
    const all = { ...outside, expected, ownKeys, owner };
    const report = await checkAll(openedDatabase, world, people.mixes, all);
    return [
      ...report.lost,
      ...report.duplicated,
      ...report.unbalanced,
      ...load.contradicted.map((key) => `key ${key} got two answers`),
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

const databases = [makeDataDirectory(), makeDataDirectory()] as const;
const dataDirectory = makeDataDirectory();

async function main(): Promise<number> {
  const database = await startReplicated(databases[0].directory, databases[1].directory);
  const databaseRelay = await startRelay([{ path: database.primary().socket }]);
  const urls = database.urls(databaseRelay.port);
  const settings = {
    DRYDOCK_DATA: join(dataDirectory.directory, "shared"),
    DATABASE_URL: urls.app,
    DATABASE_OWNER_URL: urls.owner,
    WORLD: world,
    WORLD_SPEED: String(speed),
  };
  const machines = [
    await createMachine("one", dataDirectory.directory, settings),
    await createMachine("two", dataDirectory.directory, settings),
  ] as const;
  const webs = await startRelay(machines.map(({ webPort }) => ({ port: webPort })));
  try {
    await startMachines(machines);
    const client = createClient({ port: webs.port, connections: 40, timeoutMs: 15_000 });
    const recordPath = join(dataDirectory.directory, "acknowledged.jsonl");
    const record = await OutsideRecord.open(recordPath);
    const load = new Load(client, record, createRandom(1));
    const population = await createPeople(people, {
      ...{ client, load, port: webs.port },
      printed: () => "",
    });
    const witness = new Witness(client, `http://127.0.0.1:${webs.port}`, dataDirectory.directory);
    await witness.start();
    load.start(people.clients, population.mixes);
    const fleet = { database, databaseRelay, machines, record, recordPath, load, witness };
    const failed = await drill(fleet, population);
    await witness.stop();
    client.close();
    return failed;
  } catch (error) {
    for (const machine of machines)
      for (const line of lastLines(dataDirectory.directory, machine)) console.error(line);
    throw error;
  } finally {
    for (const { processes } of machines)
      await Promise.all(Object.values(processes).map((process) => process.kill()));
    await webs.close();
    await databaseRelay.close();
    await database.stop();
    for (const directory of [...databases, dataDirectory]) directory.remove();
  }
}

printConditions(
  "two machines with a web, a feed and a worker each, a database with a synchronous standby, all on this computer",
);
process.exit((await main()) > 0 ? 1 : 0);
