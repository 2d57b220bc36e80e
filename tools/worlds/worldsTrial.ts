/**
 * `npm run trial -- worlds`: what one more world costs a program that serves several. Starts one on
 * a new embedded database, adds worlds in steps, and measures after each step: memory of its
 * processes and of PostgreSQL, connections, processor time, write-ahead log, and whether every world
 * closes every second in time. Then all but the first fall asleep and are woken again. With
 * `--asleep`, so many more are asleep from the beginning, each with a schema and a port. With
 * `--external`, the database is a separate one whose address the program is given, over which its processes
 * notify each other; nothing falls asleep there. Prints a line for each step and ends in one with the
 * cost of a world.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "#server/platform/db/migrate.ts";
import { schemaName } from "#server/platform/world.ts";
import { openDirectory, worldsMax } from "#server/platform/worlds/directory.ts";
import { appRole, runningAdminUrl, startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { createDataDirectory, printConditions, startServer } from "../bench/lib/conditions.ts";
import { readProcessorTimeMs } from "../bench/lib/processorTime.ts";
import { waitUntilInterrupted } from "../lib/interrupted.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { listProcessTree } from "../lib/processes.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { measureNotify } from "./notifyCost.ts";

const usage = `npm run trial -- worlds [--worlds 10] [--steps 2] [--seconds 30] [--asleep 0] [--external]`;
const { values } = parseOptions(
  {
    options: {
      worlds: { type: "string" },
      steps: { type: "string" },
      seconds: { type: "string" },
      asleep: { type: "string" },
      external: { type: "boolean" },
    },
  },
  usage,
);
/** The highest value of WORLDS_AWAKE, and its default. */
const awakeMax = 60;
const total = parseWholeNumber("worlds", values.worlds, { from: 2, to: awakeMax, fallback: 10 });
const steps = parseWholeNumber("steps", values.steps, { from: 1, to: 20, fallback: 2 });
const seconds = parseWholeNumber("seconds", values.seconds, { from: 5, to: 600, fallback: 30 });
const asleep = parseWholeNumber("asleep", values.asleep, {
  from: 0,
  to: worldsMax - total,
  fallback: 0,
});
/** How long a world may take to open while the others run. */
const openMs = 120_000;
/** The time for memory of the start to be freed: compiled code, caches, the seed's garbage. */
const settleMs = 15_000;

/** Proportional set size, which counts shared pages once, in MB. */
function memoryMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      return 0; // The process has ended in the meantime.
    }
  });
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

interface Figures {
  worlds: number;
  nodeMb: number;
  feedMb: number;
  postgresMb: number;
  connections: number;
  processorPercent: number;
  walMbPerMinute: number;
  /** The number of closed seconds of all worlds, out of those that passed. */
  closed: number;
  /** How late the latest world's last second is, in real milliseconds. */
  latestMs: number;
}

const interrupted = waitUntilInterrupted();
const data = createDataDirectory();
const dataDirectory = createDataDirectory();
const external = values.external
  ? await startEmbeddedPostgres({ dataDirectory: dataDirectory.directory })
  : null;
const settings = external
  ? { DATABASE_URL: external.appUrl, DATABASE_OWNER_URL: external.ownerUrl }
  : {};
const starting = startServer(data.directory, { WORLD: "", ...settings });
const server = await Promise.race([starting, interrupted]);
const urls = external
  ? {
      owner: external.ownerUrl,
      app: external.appUrl,
      admin: external.adminUrl.replace(/postgres$/, "drydock"),
    }
  : { owner: server.ownerUrl, app: server.appUrl, admin: runningAdminUrl(data.directory) };
const admin = new pg.Client({ connectionString: urls.admin });
await admin.connect();
const directory = await openDirectory(urls);
const schemas = ["world_harbour"];
const limits = { firstPort: server.port + 1, awakeMax };

const readNumber = async (text: string) => Number((await admin.query(text)).rows[0].value);
/** Queries the worlds one after another, because the connection runs one query at a time. */
async function ofEach(text: (schema: string) => string): Promise<number[]> {
  const values: number[] = [];
  for (const schema of schemas) values.push(await readNumber(text(schema)));
  return values;
}
const leaves = async () => {
  const counts = await ofEach(
    (schema) => `select count(*)::integer as value from ${schema}.market_second`,
  );
  return counts.reduce((sum, count) => sum + count, 0);
};
const lateMs = async () =>
  Math.max(
    ...(await ofEach(
      (schema) =>
        `select floor(extract(epoch from clock_timestamp()) * 1000) - max(second_ms) - 1000 as value
         from ${schema}.market_second`,
    )),
  );

async function measure(): Promise<Figures> {
  const tree = listProcessTree(server.pid);
  const listProcesses = (pattern: RegExp) =>
    tree.filter((pid) => pattern.test(readFileSync(`/proc/${pid}/cmdline`, "utf8")));
  const postgres = external
    ? listProcessTree(external.process.pid)
    : listProcesses(/postgres/).flatMap(listProcessTree);
  const feeds = listProcesses(/feedMain/);
  const before = {
    atMs: performance.now(),
    processor: readProcessorTimeMs(server.pid),
    wal: await readNumber("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as value"),
    leaves: await leaves(),
  };
  await sleep(seconds * 1_000);
  const passedMs = performance.now() - before.atMs;
  const wal = await readNumber("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as value");
  return {
    worlds: schemas.length,
    nodeMb: memoryMb([server.pid]),
    feedMb: memoryMb(feeds),
    postgresMb: memoryMb(postgres),
    connections: await readNumber(
      "select count(*)::integer as value from pg_stat_activity where application_name like 'drydock%'",
    ),
    processorPercent: (100 * (readProcessorTimeMs(server.pid) - before.processor)) / passedMs,
    walMbPerMinute: ((wal - before.wal) / 1e6) * (60_000 / passedMs),
    closed: ((await leaves()) - before.leaves) / ((schemas.length * passedMs) / 1_000),
    latestMs: await lateMs(),
  };
}

function print(figures: Figures): void {
  const { worlds, nodeMb, feedMb, postgresMb, connections, processorPercent } = figures;
  console.log(
    `${worlds} worlds: Node ${nodeMb.toFixed(0)} MB, feed ${feedMb.toFixed(0)} MB, PostgreSQL ${postgresMb.toFixed(0)} MB, ${connections} connections, ${processorPercent.toFixed(0)} % of a core, ${figures.walMbPerMinute.toFixed(1)} MB of log a minute, ${(100 * figures.closed).toFixed(1)} % of seconds closed, the latest ${figures.latestMs.toFixed(0)} ms late; load average ${loadavg()[0]!.toFixed(1)}`,
  );
}

/** The request that wakes a world must be answered within this time. */
const wakeAimMs = 500;

/** Pause between waking two worlds, because a person wakes only their own. */
const wakeEveryMs = 1_000;

/** Puts every world of the directory to sleep and wakes each again; real milliseconds to its answer. */
async function sleepAndWake(): Promise<number[]> {
  const sleepers = (await directory.list()).filter(
    ({ port, state }) => port !== null && state === "awake",
  );
  await sleep(2_000); // A world that was just in use stays awake.
  for (const { name } of sleepers) await directory.setState(name, "asleep");
  const stateByName = new Map(
    (await directory.list()).map((entry) => [entry.name, entry.sleptAtMs]),
  );
  const areAsleep = async () =>
    (await directory.list()).every(
      ({ name, sleptAtMs }) =>
        !sleepers.some((sleeper) => sleeper.name === name) || sleptAtMs !== stateByName.get(name),
    );
  while (!(await areAsleep())) await sleep(500);
  await sleep(settleMs);
  console.log("all but the first asleep:");
  print(await measure());
  const tookMs: number[] = [];
  for (const { port } of sleepers) {
    await sleep(wakeEveryMs);
    const startedMs = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/api/log/getState`)).arrayBuffer();
    tookMs.push(performance.now() - startedMs);
  }
  return tookMs.toSorted((a, b) => a - b);
}

/** How long autovacuum must have had nothing to do to count as at rest, and the longest wait for it. */
const calmMs = 5_000;
const calmMaxMs = 300_000;

/**
 * PostgreSQL analyses new tables after their creation, so the figure at rest is taken afterwards.
 */
async function untilCalm(): Promise<void> {
  await admin.query("checkpoint");
  const startedMs = performance.now();
  let calmSinceMs = startedMs;
  while (performance.now() - calmSinceMs < calmMs) {
    const workers = await readNumber(
      "select count(*)::integer as value from pg_stat_activity where backend_type = 'autovacuum worker'",
    );
    if (workers > 0) calmSinceMs = performance.now();
    if (performance.now() - startedMs > calmMaxMs) return console.log("autovacuum is still busy");
    await sleep(500);
  }
}

/** The number of schemas created concurrently, one for each processor. */
const madeAtOnce = 2;

/** Written directly to the directory, because an added world starts awake. */
async function addAsleep(): Promise<void> {
  const startedMs = performance.now();
  const names = Array.from({ length: asleep }, (_, n) => `asleep-${n + 1}`);
  const remaining = [...names];
  // Lost schemas are created again, so nothing waits for the disk.
  const ownerUrl = `${urls.owner}?options=${encodeURIComponent("-c synchronous_commit=off")}`;
  const make = async () => {
    for (let name = remaining.pop(); name !== undefined; name = remaining.pop())
      await migrate({ ownerUrl, schema: schemaName(name), appRole });
  };
  await Promise.all(Array.from({ length: madeAtOnce }, make));
  const size = await readNumber("select pg_database_size('drydock') / 1e6 as value");
  console.log(
    `${asleep} schemas made, ${((performance.now() - startedMs) / asleep).toFixed(0)} ms each; the database has ${size.toFixed(0)} MB`,
  );
  await admin.query(
    `insert into drydock_directory.world_entry
       (name, code, state, port, settings, made_at_ms, slept_at_ms)
     select name, translate(substr(md5(name), 1, 8), '01abcdef', 'GHABCDEF'), 'asleep',
       $1 + n, '{}', now.ms, now.ms
     from unnest($2::text[]) with ordinality as made (name, n),
       (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms) now`,
    [server.port, names],
  );
  await sleep(settleMs);
  await untilCalm();
  console.log(`${asleep} more asleep:`);
  print(await measure());
}

async function printNotify(): Promise<void> {
  const { commitMs, baselineMs, deliveryMs, listeners } = await measureNotify(urls.app);
  console.log(
    `  a notification: ${commitMs.toFixed(2)} ms to commit it beside ${baselineMs.toFixed(2)} ms without, ${deliveryMs.toFixed(2)} ms until it is there; ${listeners} connections listen`,
  );
}

async function add(count: number): Promise<number> {
  const startedMs = performance.now();
  for (let added = 0; added < count; added += 1) {
    const name = `class-${schemas.length}`;
    await directory.add({ name, settings: {} }, limits);
    schemas.push(`world_${name.replaceAll("-", "_")}`);
  }
  const isClosing = (schema: string) =>
    readNumber(`select count(*)::integer as value from ${schema}.market_second`).then(
      (count) => count > 0,
      () => false, // Its tables are still being created.
    );
  while (!(await isClosing(schemas.at(-1)!))) {
    if (performance.now() - startedMs > count * openMs) throw new Error("a world did not open");
    await sleep(500);
  }
  return (performance.now() - startedMs) / count;
}

async function run(): Promise<void> {
  printConditions(
    `${total} worlds in ${steps} steps, ${seconds} s each, speed 1, nobody in them, ${external ? "a database of its own" : "the embedded database"}`,
  );
  await sleep(settleMs);
  const first = await measure();
  print(first);
  await printNotify();
  if (asleep > 0) await addAsleep();
  let last = first;
  for (let step = 1; step <= steps; step += 1) {
    const count = Math.round((total * step) / steps) - schemas.length;
    const openedMs = await add(count);
    await sleep(settleMs);
    last = await measure();
    print(last);
    await printNotify();
    console.log(`  a world opened in ${(openedMs / 1_000).toFixed(1)} s`);
  }
  if (!external) {
    const wakes = await sleepAndWake();
    console.log(
      `woken by a request: ${computeQuantile(wakes, 0.5).toFixed(0)} ms in the middle, ${computeQuantile(wakes, 0.99).toFixed(0)} ms at the 99th percentile (aim ${wakeAimMs}); ${wakes.filter((ms) => ms <= wakeAimMs).length} of ${wakes.length} within the aim, the slowest ${wakes.slice(-3).map(Math.round).join(", ")} ms`,
    );
  }
  const addedWorlds = last.worlds - first.worlds;
  const nodeMb = (last.nodeMb + last.feedMb - first.nodeMb - first.feedMb) / addedWorlds;
  const connections = (last.connections - first.connections) / addedWorlds;
  console.log(
    `a world beyond the first: ${nodeMb.toFixed(1)} MB of Node (aim 20), ${((last.postgresMb - first.postgresMb) / addedWorlds).toFixed(1)} MB of PostgreSQL, ${connections.toFixed(2)} connections (aim 1), ${((last.processorPercent - first.processorPercent) / addedWorlds).toFixed(1)} % of a core`,
  );
}

try {
  await Promise.race([run(), interrupted]);
} finally {
  await directory.close();
  await admin.end();
  await server.stop();
  await external?.stop();
  data.remove();
  dataDirectory.remove();
}
