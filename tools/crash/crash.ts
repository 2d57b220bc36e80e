/**
 * `npm run crash -- [options]`: makes changes over HTTP under load while server, database or both are killed
 * repeatedly with SIGKILL, records acknowledgements outside of them, and compares at the end. The
 * last line is the result; exit status 1 if anything is lost, duplicated or unbalanced.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";
import { type Client, createClient } from "#server/testing/client.ts";
import { findFreePort, waitUntilReady } from "../lib/processes.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { setAsynchronous, waitUntilSettled } from "../lib/settled.ts";
import { ToolError } from "../lib/toolError.ts";
import { checkAll } from "./checks/report.ts";
import type { CrashReport } from "./checks/types.ts";
import { describeFailure } from "./diagnosis.ts";
import { Load } from "./load.ts";
import {
  type CrashOptions,
  crashProgram,
  createRandom,
  readOptions,
  type TargetName,
} from "./options.ts";
import { createPeople, type Population } from "./population.ts";
import { OutsideRecord, readRecord } from "./record.ts";
import { KillableDatabase, ServerGroup } from "./targets.ts";
import { Witness } from "./witness.ts";

const world = "crash";
/** The run fails if nothing is acknowledged within this time after a kill. */
const recoveryMaxMs = 60_000;

interface Run {
  options: CrashOptions;
  directory: string;
  port: number;
  client: Client;
  database: KillableDatabase;
  servers: ServerGroup;
  record: OutsideRecord;
  load: Load | null;
  recoveriesMs: number[];
  kills: Record<string, number>;
}

/** The run has failed; the message says how. */
class FailedRunError extends Error {}

if (process.argv.includes("--help")) console.log(crashProgram.usage);
else {
  try {
    process.exitCode = await main(readOptions(process.argv.slice(2), crashProgram));
  } catch (error) {
    if (!(error instanceof FailedRunError) && !(error instanceof ToolError)) console.error(error);
    else console.error(error.message);
    process.exitCode = error instanceof ToolError ? 2 : 1;
  }
  // Clients retry until they are answered; after a failure nothing answers, and they would retry
  // forever.
  process.exit();
}

async function main(options: CrashOptions): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-crash-"));
  chmodSync(directory, 0o711);
  const data = join(directory, "data");
  mkdirSync(data);
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, node ${process.version}, load average ${loadavg()[0]!.toFixed(1)}, ` +
      `fsync on${options.hasAsynchronousCommit ? ", synchronous_commit off" : ""}; ${options.mixes.join(" and ")}, world speed ${options.speed}, ` +
      `${options.users} users, ${options.clients} clients${options.hasSeparateProcesses ? ", services apart" : ""}; seed ${options.seed}`,
  );
  const database = new KillableDatabase(data);
  await database.start();
  if (options.hasAsynchronousCommit) await setAsynchronous(database.urls.admin);
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    DRYDOCK_DATA: data,
    DATABASE_URL: database.urls.app,
    DATABASE_OWNER_URL: database.urls.owner,
    WORLD: world,
    WORLD_SPEED: String(options.speed),
    LOG_LEVEL: "error",
  };
  const servers = new ServerGroup(env, directory, options.hasSeparateProcesses);
  servers.start();
  const run: Run = {
    options,
    directory,
    port,
    client: createClient({ port, connections: options.clients + 8, timeoutMs: 15_000 }),
    database,
    servers,
    record: await OutsideRecord.open(join(directory, "acknowledged.jsonl")),
    load: null,
    recoveriesMs: [],
    kills: {},
  };
  let isPassed = false;
  try {
    isPassed = await crash(run);
  } catch (error) {
    const { load, client } = run;
    const parts = { load, client, adminUrl: database.urls.admin, servers };
    for (const line of await describeFailure(parts)) console.error(line);
    throw error;
  } finally {
    // A failed server may not stop by itself either.
    await servers.kill();
    await database.stop();
    if (isPassed && !options.keep) rmSync(directory, { recursive: true, force: true });
    else console.error(`Files kept in ${directory}.`);
  }
  return isPassed ? 0 : 1;
}

/** The result of `work`, or a failed run if it takes longer. */
async function withTimeout<Result>(
  target: string,
  ms: number,
  work: Promise<Result>,
): Promise<Result> {
  const timer = new AbortController();
  const timeout = sleep(ms, null, { signal: timer.signal }).then(() => {
    throw new FailedRunError(`${target} took longer than ${ms / 1_000} s.`);
  });
  timeout.catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
  }
}

async function crash(run: Run): Promise<boolean> {
  const { options, client, record, servers, port } = run;
  const random = createRandom(options.seed);
  await withTimeout("The start", 300_000, waitUntilReady(client));
  const load = new Load(client, record, createRandom(options.seed + 1));
  run.load = load;
  const readOutput = () =>
    servers
      .readOutput()
      .map(([, text]) => text)
      .join("");
  const making = createPeople(options, { client, port, load, readOutput });
  const population = await withTimeout("Signing people in", 300_000, making);
  const witness = new Witness(client, `http://127.0.0.1:${port}`, run.directory);
  await witness.start();
  load.start(options.clients, population.mixes);
  const startedMs = performance.now();
  await sleep(1_000);
  for (let number = 1; number <= options.kills; number++)
    await killOnce(run, load, witness, random);
  await load.stop(30_000);
  if (load.fatalError) throw load.fatalError;
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  await withTimeout("Asking again", 120_000, load.retryOpen(300));
  const unsettled = await countUnsettled(run);
  const auditFault = await checkAudit(run, population);
  const before = witness.seen();
  await witness.stop();
  await withTimeout("The proof", 120_000, witness.prove(before));
  client.close();
  const statuses = await servers.stop();
  const report = await withTimeout("The comparison", 600_000, inspect(run, load, population));
  const killed = Object.entries(run.kills).map(([target, count]) => `${target} ${count}`);
  console.log(
    `killed: ${killed.join(", ")}; ${record.count} changes acknowledged in ${seconds} s; the server exited by itself ${servers.ownEnds} times and stopped with status ${statuses.join(", ")}`,
  );
  console.log(`acknowledged: ${JSON.stringify(Object.fromEntries(load.acknowledgedCounts))}`);
  console.log(
    `${load.unanswered} requests got no answer and were retried: ${report.lateAnswers} orders had been accepted; ${load.retryCount} old keys were retried`,
  );
  console.log(`refused: ${JSON.stringify(Object.fromEntries(load.refusals))}`);
  if (options.mixes.includes("orders")) console.log(`outcomes: ${JSON.stringify(report.outcomes)}`);
  console.log(
    `proven ${witness.proofs} times: the log continues the checkpoint seen before a kill`,
  );
  for (const key of load.contradictions) report.duplicates.push(`key ${key} got two answers`);
  if (unsettled > 0) report.imbalances.push(`${unsettled} long overdue are not settled`);
  if (auditFault) report.imbalances.push(auditFault);
  for (const status of statuses)
    if (status !== 0) report.imbalances.push(`the server stopped with status ${status}`);
  return printReport(run, report, witness.findings);
}

function printReport(
  { record, recoveriesMs, options }: Run,
  report: CrashReport,
  log: string[],
): boolean {
  const { losses, duplicates, imbalances, indefinite } = report;
  for (const finding of [...losses, ...duplicates, ...imbalances].slice(0, 50))
    console.log(finding);
  for (const finding of log) console.log(`log: ${finding}`);
  const sorted = recoveriesMs.toSorted((a, b) => a - b);
  const atQuantile = (share: number) => Math.round(computeQuantile(sorted, share) || 0);
  console.log(
    `recovery, from the kill to the first change sent and acknowledged after it: p50 ${atQuantile(0.5)} ms, p90 ${atQuantile(0.9)} ms, p99 ${atQuantile(0.99)} ms, max ${atQuantile(1)} ms; ` +
      `load average ${loadavg()[0]!.toFixed(1)}; ${indefinite.existing} of the indefinite changes exist, ${indefinite.absent} do not`,
  );
  console.log(
    `${options.kills} kills, ${record.count} acknowledged, ${losses.length} lost, ${duplicates.length} duplicated, ` +
      `${indefinite.existing + indefinite.absent} indefinite, ${imbalances.length} unbalanced, recovery p50 ${atQuantile(0.5)} ms`,
  );
  return losses.length + duplicates.length + imbalances.length + log.length === 0;
}

/**
 * Kills one target at a random moment, restarts it and waits for the first acknowledgement, or
 * returns early so that the next kill hits the recovery.
 */
async function killOnce(run: Run, load: Load, witness: Witness, random: () => number) {
  const { options, database, servers } = run;
  await sleep(options.secondsBetween * 1_000 * (0.3 + 1.4 * random()));
  if (load.fatalError) throw load.fatalError;
  const before = witness.seen();
  const target = options.targets[Math.floor(random() * options.targets.length)]!;
  run.kills[target] = (run.kills[target] ?? 0) + 1;
  const killedMs = performance.now();
  const recovered = load.nextAcknowledged();
  const withDatabase = target === "database" || target === "both";
  const server = getServer(target);
  await Promise.all([withDatabase && database.kill(), server && servers.kill(server)]);
  if (withDatabase) await database.start();
  if (server) servers.start(server);
  // Some kills hit the recovery from the previous one.
  if (random() < 0.15) return sleep(1_500 * random());
  await withTimeout(`The first acknowledgement after a kill (${target})`, recoveryMaxMs, recovered);
  // Orders continue for a while without a feed, so recovery means that the log grows again.
  if (target === "feed")
    await withTimeout("The log after a kill", recoveryMaxMs, witness.after(before));
  run.recoveriesMs.push(performance.now() - killedMs);
  await withTimeout("The proof after a kill", recoveryMaxMs, witness.prove(before));
}

/** The part of the product that a kill hits; null for none. */
function getServer(target: TargetName): string | null {
  if (target === "database") return null;
  return target === "both" ? "server" : target;
}

async function inspect(run: Run, load: Load, population: Population): Promise<CrashReport> {
  await run.record.close();
  const record = await readRecord(join(run.directory, "acknowledged.jsonl"));
  const database = openDatabase({ url: run.database.urls.app, schema: schemaName(world), max: 2 });
  try {
    const { traders, expectedVersions, ownKeys, owner } = population;
    const expectation = {
      record,
      openKeys: load.openKeys,
      traders,
      expectedVersions,
      ownKeys,
      owner,
    };
    return await checkAll(database, world, run.options.mixes, expectation);
  } finally {
    await database.close();
  }
}

/**
 * Checks the operators' audit; returns its error, or null if nothing is wrong or nothing was
 * written into it.
 */
async function checkAudit({ client }: Run, { auditor }: Population): Promise<string | null> {
  if (!auditor) return null;
  const { broken_at, acts } = await client.call<{ broken_at: number | null; acts: number }>({
    method: "GET",
    path: "/api/operator/checkAudit",
    token: auditor.token,
  });
  return broken_at === null ? null : `the audit of ${acts} acts breaks at ${broken_at}`;
}

/** Number of items still open beyond the longest tier and a generous delay. */
async function countUnsettled({ options, database }: Run): Promise<number> {
  const db = openDatabase({ url: database.urls.app, schema: schemaName(world), max: 1 });
  try {
    return await waitUntilSettled(db, 300_000 / options.speed + 30_000);
  } finally {
    await db.close();
  }
}
