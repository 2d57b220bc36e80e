/**
 * `npm run trial -- backup`: backs up a world under load, restores it into an empty directory, and
 * compares: every order acknowledged before the backup is there, the ledger's chain and every
 * balance match the running world at that point, and the log is a prefix of the running one. Then
 * the same for a stopped world, where nothing may differ. Both copies are started: an account
 * deleted in between stays deleted in the older copy too. In between the world is restored to a
 * moment after the backup, from its archive. The last line is the result; exit status
 * 1 if anything differs.
 */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { readUntil } from "#server/postgres/archive/rounds.ts";
import { archivePaths, readArchiveNote } from "#server/postgres/archive/walArchive.ts";
import { checkBackup } from "#server/postgres/backup/check.ts";
import { formatSize } from "#server/postgres/backup/files.ts";
import {
  runningAdminUrl,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from "#server/postgres/embedded.ts";
import { ApiError, type Client, createClient, type TestSession } from "#server/testing/client.ts";
import { createRetryingCall } from "../crash/change.ts";
import { Load } from "../crash/load.ts";
import { createOrders } from "../crash/mixes/orders.ts";
import { createRandom } from "../crash/options.ts";
import { OutsideRecord } from "../crash/record.ts";
import { KillableServer } from "../crash/targets.ts";
import { Witness } from "../crash/witness.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { signInAll } from "../lib/people.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import { ToolError } from "../lib/toolError.ts";
import { findLatestBackup, run, runRefusedStart } from "./commands.ts";
import { createTimedClient, type TimedClient } from "./timed.ts";
import {
  findDifferences,
  findDifferencesFromLater,
  openWorldDatabase,
  readWorldState,
  type WorldState,
} from "./worldState.ts";

const world = "drill";
const usage = `Backs up a world under load, restores it and compares.

  npm run trial -- backup [--seconds 10] [--users 100] [--clients 8] [--ballast 0] [--rate <MB per second>] [--keep]

--seconds: load before and after the backup; --ballast: MB of random bytes added to the world, so that copying takes longer;
--rate: as for npm run backup; --keep: keep all files.
Exit status: 0 nothing differs; 1 otherwise; 2 wrong options.`;

interface DrillOptions {
  seconds: number;
  users: number;
  clients: number;
  ballastMb: number;
  rate: string | null;
  keep: boolean;
}

interface Drill {
  options: DrillOptions;
  directory: string;
  data: string;
  backups: string;
  port: number;
  client: TimedClient;
  findings: string[];
  /** Results of the command-line verifier that were as expected. */
  results: string[];
}

if (process.argv.includes("--help")) console.log(usage);
else {
  try {
    process.exitCode = await main(readOptions(process.argv.slice(2)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = error instanceof ToolError ? 2 : 1;
  }
}

function readOptions(args: string[]): DrillOptions {
  const text = { type: "string" } as const;
  const { values } = parseOptions(
    {
      args,
      options: {
        seconds: text,
        users: text,
        clients: text,
        ballast: text,
        rate: text,
        keep: { type: "boolean", default: false },
      },
    },
    usage,
  );
  const integerOption = (name: "seconds" | "users" | "clients" | "ballast", fallback: number) =>
    parseWholeNumber(name, values[name], { from: 0, to: 99_999, fallback });
  return {
    seconds: integerOption("seconds", 10),
    users: integerOption("users", 100),
    clients: integerOption("clients", 8),
    ballastMb: integerOption("ballast", 0),
    rate: values.rate ?? null,
    keep: values.keep,
  };
}

async function main(options: DrillOptions): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-drill-"));
  chmodSync(directory, 0o711);
  const [data, backups] = [join(directory, "data"), join(directory, "backups")];
  mkdirSync(backups);
  mkdirSync(join(directory, "archive"));
  const port = await findFreePort();
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, load average ${loadavg()[0]!.toFixed(1)}, node ${process.version}, fsync on; ` +
      `${options.users} users, ${options.clients} clients`,
  );
  const client = createTimedClient(port, options.clients + 8);
  const findings: string[] = [];
  const drill: Drill = { options, directory, data, backups, port, client, findings, results: [] };
  let isPassed = false;
  try {
    await backUpUnderLoad(drill);
    isPassed = drill.findings.length === 0;
  } finally {
    client.close();
    for (const finding of drill.findings) console.log(finding);
    if (isPassed && !options.keep) rmSync(directory, { recursive: true, force: true });
    else console.error(`Files kept in ${directory}.`);
  }
  return isPassed ? 0 : 1;
}

function serve({ port, directory }: Drill, data: string): KillableServer {
  const env = {
    PORT: String(port),
    DRYDOCK_DATA: data,
    WORLD: world,
    WORLD_SPEED: "10",
    LOG_LEVEL: "error",
    // A copy begins a separate archive.
    WAL_ARCHIVE: join(directory, "archive"),
  };
  return new KillableServer({ env, output: join(directory, "server.txt") });
}

function listOrders(client: Client, people: readonly TestSession[], load: Load) {
  const ask = createRetryingCall(
    client,
    () => load.stopping,
    () => sleep(100),
  );
  return createOrders(people, ask, createRandom(1));
}

async function backUpUnderLoad(drill: Drill): Promise<void> {
  const { options, client, directory, data, findings } = drill;
  const server = serve(drill, data);
  server.start();
  try {
    await waitUntilReady(client);
    await addBallast(drill);
    const people = await signInAll(drill.port, options.users);
    const record = await OutsideRecord.open(join(directory, "acknowledged.jsonl"));
    const load = new Load(client, record, createRandom(1));
    const orders = await listOrders(client, people, load);
    const witness = new Witness(client, `http://127.0.0.1:${drill.port}`, directory);
    await witness.start();
    load.start(options.clients, [orders]);
    const before = await client.measureDuring(() => sleep(options.seconds * 1_000));
    const seenBefore = witness.seen();
    const acknowledgedBefore = client.listAcknowledged();
    const backup = await client.measureDuring(() => backUp(drill));
    const copy = join(directory, "copy");
    const restored = await client.measureDuring(() => restore(drill, copy));
    const after = await client.measureDuring(() => sleep(options.seconds * 1_000));
    const state = await compareWithRunning(drill, copy, acknowledgedBefore);
    const moment = await restoreToMoment(drill, join(directory, "moment"));
    await load.stop(30_000);
    const [deletedPerson, testSession] = [people[0]!, people[1]!];
    await deleteAccount(client, deletedPerson);
    const seenLast = witness.seen();
    await witness.stop();
    await record.close();
    if ((await server.stop()) !== 0) findings.push("the server did not stop cleanly");
    const still = await backUpStopped(drill);
    await startCopy(
      drill,
      join(directory, "still"),
      { deletedSession: deletedPerson, keptSession: testSession },
      [seenLast, witness.vkey, "continues"],
    );
    const secondBackup = join(directory, "again");
    await run("restore", [backup.result.path, "--into", secondBackup]);
    await beginSuccession(drill, secondBackup);
    await startCopy(
      drill,
      secondBackup,
      { deletedSession: deletedPerson, keptSession: testSession },
      [seenBefore, witness.vkey, "is succeeded"],
      [seenLast, witness.vkey, "is succeeded"],
    );
    const { bytes } = await checkBackup(backup.result.path, () => {});
    console.log(
      `orders answered p50 / p99: before ${before.text}; during the backup ${backup.text}; during the restore ${restored.text}; after ${after.text}`,
    );
    console.log(
      `under load: ${acknowledgedBefore.size} orders acknowledged before the backup, ${state.orders.size} in the copy, ${record.count} in total; ` +
        `${state.entries} entries, ${state.leaves} leaves, ${state.checkpoints.size} checkpoints; stopped: ${still.entries} entries, ${still.leaves} leaves`,
    );
    console.log(
      `restored to a moment ${moment.afterSeconds} s after the backup, ${moment.waitedSeconds} s later, in ${moment.seconds.toFixed(1)} s: ` +
        `${moment.known} orders acknowledged before it, ${moment.orders} in the copy; archive ${formatSize(moment.archiveBytes)}`,
    );
    console.log(
      `backup of ${formatSize(bytes)} in ${backup.result.seconds.toFixed(1)} s under load, restored in ${restored.result.seconds.toFixed(1)} s; ` +
        `${findings.length} differences; verifier on the copies: ${drill.results.join(", ")}`,
    );
  } finally {
    await server.stop();
  }
}

/**
 * The later backup shows what was signed since the older copy. Neither a start nor the command
 * without `--begin` serves that copy, and both name the loss; only `--begin` proceeds.
 */
async function beginSuccession({ port, findings, results }: Drill, data: string): Promise<void> {
  const settings = { DRYDOCK_DATA: data, WORLD: world };
  const stopped = await runRefusedStart({ ...settings, PORT: String(port), WORLD_SPEED: "10" });
  if (!stopped?.includes("npm run succession"))
    findings.push(`a start on the older copy does not stop with the way on: ${stopped}`);
  const answer = await run("beginSuccession", [], settings).then(
    () => "nothing was lost",
    (error: Error) => error.message,
  );
  const loss =
    /signed with (\d+) leaves and this database has (\d+): (\d+) are lost, from \S+ on/.exec(
      answer,
    );
  const [signedCount = 0, survivedCount = 0, lostCount = 0] = loss?.slice(1).map(Number) ?? [];
  if (lostCount === 0 || signedCount - survivedCount !== lostCount || !answer.includes("--begin"))
    findings.push(`the loss of the older copy is not named: ${answer}`);
  else results.push(`stops, and names ${lostCount} lost leaves`);
  await run("beginSuccession", ["--begin"], settings);
}

/** A table that nothing uses, to make copying take longer: random bytes, which do not compress. */
async function addBallast({ data, options }: Drill): Promise<void> {
  if (options.ballastMb === 0) return;
  const admin = new pg.Client({ connectionString: runningAdminUrl(data) });
  await admin.connect();
  await admin.query("create extension if not exists pgcrypto").catch(() => {});
  await admin.query("create table ballast (bytes bytea)");
  await admin.query("alter table ballast alter bytes set storage external");
  const row = `(select decode(string_agg(md5(random()::text || n || r), ''), 'hex') from generate_series(1, 4000) n)`;
  await admin.query(
    `insert into ballast select ${row} from generate_series(1, $1::int * 1000000 / 64000) r`,
    [options.ballastMb],
  );
  await admin.end();
}

async function backUp({ data, backups, options }: Drill) {
  const args = options.rate ? [backups, "--rate", options.rate] : [backups];
  const { seconds } = await run("backup", args, { DRYDOCK_DATA: data });
  return { seconds, path: findLatestBackup(backups) };
}

async function restore({ backups }: Drill, into: string): Promise<{ seconds: number }> {
  return run("restore", [findLatestBackup(backups), "--into", into]);
}

/**
 * Restores the backup to the current moment, once the archive covers it, while orders continue. The
 * copy has everything acknowledged until now, and nothing accepted a second later.
 */
async function restoreToMoment(drill: Drill, copy: string) {
  const { backups, client, data, findings } = drill;
  const acknowledgedBefore = client.listAcknowledged();
  const moment = new Date();
  const latest = findLatestBackup(backups);
  const { madeAt } = JSON.parse(readFileSync(join(latest, "manifest.json"), "utf8"));
  const archive = archivePaths(readArchiveNote(data)!);
  while (((await readUntil(archive)) ?? 0) < moment.getTime()) await sleep(500);
  const waitedSeconds = Math.round((Date.now() - moment.getTime()) / 1_000);
  const { seconds } = await run("restore", [latest, "--into", copy, "--to", moment.toISOString()]);
  const state = await compareWithRunning(drill, copy, acknowledgedBefore);
  const acknowledgedLater = [...client.listAcknowledged()].filter(
    (id) => !acknowledgedBefore.has(id) && state.orders.has(id),
  );
  // Some were committed before this moment and answered after it.
  if (acknowledgedLater.length > drill.options.clients)
    findings.push(`${acknowledgedLater.length} orders from after the moment are in the copy`);
  const sizes = readdirSync(archive.wal).map((name) => statSync(join(archive.wal, name)).size);
  return {
    seconds,
    waitedSeconds,
    afterSeconds: Math.round((moment.getTime() - Date.parse(madeAt)) / 1_000),
    known: acknowledgedBefore.size,
    orders: state.orders.size,
    archiveBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** `known`: orders acknowledged before the backup was started. */
async function compareWithRunning(
  { data, findings }: Drill,
  copy: string,
  acknowledgedBefore: ReadonlySet<string>,
): Promise<WorldState> {
  const postgres = await startEmbeddedPostgres({ dataDirectory: copy });
  const restored = openWorldDatabase(postgres.appUrl, world);
  const running = openWorldDatabase(runningPostgresUrl(data), world);
  try {
    const state = await readWorldState(restored, world);
    findings.push(...(await findDifferencesFromLater(state, restored, running)));
    const lostIds = [...acknowledgedBefore].filter((id) => !state.orders.has(id));
    for (const id of lostIds)
      findings.push(`order ${id} was acknowledged before the backup and is missing`);
    return state;
  } finally {
    await restored.close();
    await running.close();
    await postgres.stop();
  }
}

async function backUpStopped(drill: Drill): Promise<WorldState> {
  const { data, directory, findings } = drill;
  await backUp(drill);
  const copy = join(directory, "still");
  await restore(drill, copy);
  const [worldState, copyState] = [await readStopped(data), await readStopped(copy)];
  findings.push(...findDifferences(worldState, copyState));
  return copyState;
}

async function readStopped(dataDirectory: string): Promise<WorldState> {
  const postgres = await startEmbeddedPostgres({ dataDirectory });
  const database = openWorldDatabase(postgres.appUrl, world);
  try {
    return await readWorldState(database, world);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function deleteAccount({ call }: Client, { token }: TestSession): Promise<void> {
  const input = { word: "delete", receipt_id: randomUUID() };
  await call({ method: "POST", path: "/api/user/deleteAccount", input, token });
}

/**
 * Returns true if an account is deleted within half a minute: an account restored by a backup is
 * deleted again. Checked in the database, since a restore ends every session, deleted or not.
 */
async function isDeleted(data: string, { userId }: TestSession): Promise<boolean> {
  const database = openWorldDatabase(runningPostgresUrl(data), world);
  try {
    for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 250) {
      const { rows } = await sql<{ gone: boolean }>`
        select erased_at_ms is not null and not exists (select from user_address where user_id = ${userId}) as gone
        from user_account where user_id = ${userId}`.execute(database.db);
      if (rows[0]?.gone) return true;
      await sleep(250);
    }
    return false;
  } finally {
    await database.close();
  }
}

/** Returns true if a session from before the backup is rejected in the copy. */
async function isRefused({ call }: Client, { token }: TestSession): Promise<boolean> {
  const answer = call({ method: "POST", path: "/api/user/userinfo", token });
  return answer.then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.error === "session.required",
  );
}

/**
 * Starts Drydock on a copy and has the command-line verifier check whether its log continues
 * checkpoints seen before.
 */
async function startCopy(
  drill: Drill,
  data: string,
  { deletedSession, keptSession }: { deletedSession: TestSession; keptSession: TestSession },
  ...observed: [note: string | null, vkey: string, expected: "continues" | "is succeeded"][]
): Promise<void> {
  const server = serve(drill, data);
  server.start();
  const client: Client = createClient({ port: drill.port });
  try {
    await waitUntilReady(client);
    for (const [note, vkey, expected] of observed) {
      const witness = new Witness(client, `http://127.0.0.1:${drill.port}`, drill.directory);
      await witness.start();
      await witness.prove(note, vkey);
      await witness.stop();
      const hasSucceeded = witness.findings.some((output) => output.includes("log_succeeded"));
      const result =
        witness.proofs === 1 ? "continues" : hasSucceeded ? "is succeeded" : "goes back";
      if (result === expected) drill.results.push(result);
      else
        drill.findings.push(
          `the verifier says that the copy's log ${result}: ${witness.findings.join(" ")}`,
        );
    }
    if (!(await isDeleted(data, deletedSession)))
      drill.findings.push("a deleted account came back");
    if (!(await isRefused(client, keptSession)))
      drill.findings.push("a session outlived the restore");
    const [person] = await signInAll(drill.port, 1);
    const record = await OutsideRecord.open(join(drill.directory, `after-${Date.now()}.jsonl`));
    const load = new Load(client, record, createRandom(2));
    const first = load.nextAcknowledged();
    load.start(1, [await listOrders(client, [person!], load)]);
    await first;
    await load.stop(10_000);
    await record.close();
  } finally {
    client.close();
    if ((await server.stop()) !== 0) drill.findings.push("a restored server did not stop cleanly");
  }
}
