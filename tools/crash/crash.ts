/**
 * `npm run crash`: places orders over HTTP under load while server, database or both are killed
 * repeatedly with SIGKILL, records acknowledgements outside of them, and compares at the end. The
 * last line is the result; exit status 1 if anything is lost, duplicated or unbalanced.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#server/platform/db/database.ts";
import { schemaOf } from "#server/platform/world.ts";
import { createClient } from "#server/testing/client.ts";
import { checkAll, countOpen, type Verdict } from "./check.ts";
import { Load } from "./load.ts";
import { type CrashOptions, createChance, readOptions, usage } from "./options.ts";
import { OutsideRecord, readRecord } from "./record.ts";
import { freePort, readMarkets, signInAll, untilReady } from "./start.ts";
import { DatabaseVictim, ServerVictim } from "./victims.ts";
import { Witness } from "./witness.ts";

const world = "crash";
/** The run fails if no order is acknowledged within this time after a kill. */
const recoveryMaxMs = 60_000;

interface Run {
  options: CrashOptions;
  directory: string;
  port: number;
  database: DatabaseVictim;
  server: ServerVictim;
  record: OutsideRecord;
  recoveriesMs: number[];
  kills: Record<string, number>;
}

if (process.argv.includes("--help")) console.log(usage);
else {
  try {
    process.exitCode = await main(readOptions(process.argv.slice(2)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode ??= 2;
  }
  // Clients retry until they are answered; after a failure nothing answers, and they would retry
  // for ever.
  process.exit();
}

async function main(options: CrashOptions): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-crash-"));
  chmodSync(directory, 0o711);
  const data = join(directory, "data");
  mkdirSync(data);
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, node ${process.version}, fsync on; world speed ${options.speed}, ` +
      `${options.users} users, ${options.clients} clients, stake 10; seed ${options.seed}`,
  );
  const database = new DatabaseVictim(data);
  await database.start();
  const port = await freePort();
  const server = new ServerVictim(
    {
      PORT: String(port),
      DRYDOCK_DATA: data,
      DATABASE_URL: database.urls.app,
      DATABASE_OWNER_URL: database.urls.owner,
      WORLD: world,
      WORLD_SPEED: String(options.speed),
      LOG_LEVEL: "error",
    },
    directory,
  );
  server.start();
  const record = await OutsideRecord.open(join(directory, "acknowledged.jsonl"));
  const run = { options, directory, port, database, server, record, recoveriesMs: [], kills: {} };
  let good = false;
  try {
    good = await crash(run);
  } finally {
    await server.stop();
    await database.stop();
    if (good && !options.keep) rmSync(directory, { recursive: true, force: true });
    else console.error(`Files kept in ${directory}.`);
  }
  return good ? 0 : 1;
}

async function crash(run: Run): Promise<boolean> {
  const { options, port, record, server } = run;
  const chance = createChance(options.seed);
  const client = createClient({ port, connections: options.clients + 8, timeoutMs: 15_000 });
  await untilReady(client).catch((error: Error) => {
    throw failed(error.message);
  });
  const people = await signInAll(options.users, port);
  const markets = await readMarkets(client);
  const load = new Load(client, people, markets, record, createChance(options.seed + 1));
  const witness = new Witness(client, `http://127.0.0.1:${port}`, run.directory);
  await witness.start();
  load.start(options.clients);
  const startedMs = performance.now();
  await sleep(1_000);
  for (let number = 1; number <= options.kills; number++)
    await killOnce(run, load, witness, chance);
  await load.stop(30_000);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const settledAll = await waitForSettlement(run);
  const before = witness.seen();
  await witness.stop();
  await witness.prove(before);
  client.close();
  const status = await server.stop();
  const verdict = await inspect(run, load);
  const killed = Object.entries(run.kills).map(([what, count]) => `${what} ${count}`);
  console.log(
    `killed: ${killed.join(", ")}; ${record.count} orders acknowledged in ${seconds} s; the server exited by itself ${server.ownEnds} times and stopped with status ${status}`,
  );
  console.log(
    `${load.unanswered} requests got no answer and were retried: ${verdict.answeredLate} had been accepted; ${load.askedAgain} old keys were retried`,
  );
  console.log(`refused: ${JSON.stringify(Object.fromEntries(load.refusals))}`);
  console.log(`outcomes: ${JSON.stringify(verdict.outcomes)}`);
  console.log(
    `proven ${witness.proofs} times: the log continues the checkpoint seen before a kill`,
  );
  for (const key of load.contradicted) verdict.duplicated.push(`key ${key} got two answers`);
  if (!settledAll) verdict.unbalanced.push("orders long overdue are not settled");
  if (status !== 0) console.error(`The server stopped with status ${status}.`);
  return report(run, verdict, witness.findings);
}

function report({ record, recoveriesMs, options }: Run, verdict: Verdict, log: string[]): boolean {
  const { lost, duplicated, unbalanced, indefinite } = verdict;
  for (const finding of [...lost, ...duplicated, ...unbalanced].slice(0, 50)) console.log(finding);
  for (const finding of log) console.log(`log: ${finding}`);
  const sorted = recoveriesMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  console.log(
    `recovery, from the kill to the first order sent and acknowledged after it: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms; ` +
      `${indefinite.stand} of the indefinite orders exist, ${indefinite.doNot} do not`,
  );
  console.log(
    `${options.kills} kills, ${record.count} acknowledged, ${lost.length} lost, ${duplicated.length} duplicated, ` +
      `${indefinite.stand + indefinite.doNot} indefinite, ${unbalanced.length} unbalanced, recovery p50 ${at(0.5)} ms`,
  );
  return lost.length + duplicated.length + unbalanced.length + log.length === 0;
}

/**
 * Kills server, database or both at a random moment, restarts them and waits for the first order,
 * or returns early so that the next kill hits the recovery.
 */
async function killOnce(run: Run, load: Load, witness: Witness, chance: () => number) {
  const { options, database, server } = run;
  await sleep(options.secondsBetween * 1_000 * (0.3 + 1.4 * chance()));
  const before = witness.seen();
  const what = (["server", "database", "both"] as const)[Math.floor(chance() * 3)]!;
  run.kills[what] = (run.kills[what] ?? 0) + 1;
  const killedMs = performance.now();
  const recovered = load.nextAcknowledged();
  if (what === "both") await Promise.all([database.kill(), server.kill()]);
  else await (what === "server" ? server.kill() : database.kill());
  if (what !== "server") await database.start();
  if (what !== "database") server.start();
  // Some kills hit the recovery from the previous one.
  if (chance() < 0.15) return sleep(1_500 * chance());
  const late = new AbortController();
  const timer = sleep(recoveryMaxMs, "late", { signal: late.signal }).catch(() => "");
  const result = await Promise.race([recovered, timer]);
  late.abort();
  if (result === "late")
    throw failed(`No order was accepted within a minute after a kill (${what}).`);
  run.recoveriesMs.push(performance.now() - killedMs);
  await witness.prove(before);
}

function failed(message: string): Error {
  process.exitCode = 1;
  return new Error(message);
}

async function inspect(run: Run, load: Load): Promise<Verdict> {
  await run.record.close();
  const answered = await readRecord(join(run.directory, "acknowledged.jsonl"));
  const database = openDatabase({ url: run.database.urls.app, schema: schemaOf(world), max: 2 });
  try {
    return await checkAll(database, world, answered, load.open);
  } finally {
    await database.close();
  }
}

/**
 * Waits until all orders are settled; false if some stay open beyond their tier and a generous
 * delay.
 */
async function waitForSettlement({ options, database }: Run): Promise<boolean> {
  const db = openDatabase({ url: database.urls.app, schema: schemaOf(world), max: 1 });
  const untilMs = performance.now() + 300_000 / options.speed + 30_000;
  try {
    while ((await countOpen(db)) > 0) {
      if (performance.now() > untilMs) return false;
      await sleep(500);
    }
    return true;
  } finally {
    await db.close();
  }
}
