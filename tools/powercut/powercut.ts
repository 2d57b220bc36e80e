/**
 * `npm run powercut -- [--cuts 50] [--mix all] [--asynchronous]`: the whole product on a file
 * system whose power is cut again and again under load. What was not fsynced is gone; what was
 * acknowledged must not be. With --asynchronous PostgreSQL does not wait for the disk, and the run
 * must see losses. Exit status 1 if anything is lost, duplicated or unbalanced. Needs Linux and
 * root, for a loop device.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";
import { runningAdminUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";
import { createClient } from "#server/testing/client.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { mixNames } from "../crash/change.ts";
import { checkAll } from "../crash/checks/report.ts";
import { Load } from "../crash/load.ts";
import { type CrashProgram, createRandom, readOptions } from "../crash/options.ts";
import { createPeople } from "../crash/population.ts";
import { OutsideRecord, readRecord } from "../crash/record.ts";
import { KillableServer } from "../crash/targets.ts";
import { Witness } from "../crash/witness.ts";
import {
  findFreePort,
  isAlive,
  kill,
  listProcessTree,
  readPostgresPid,
  waitUntilReady,
} from "../lib/processes.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { setAsynchronous, waitUntilSettled } from "../lib/settled.ts";
import { ToolError } from "../lib/toolError.ts";
import { Disk } from "./disk.ts";

const world = "powercut";
const diskMb = 8_192;
/** The run fails if nothing is acknowledged within this time after a cut. */
const recoveryMaxMs = 120_000;
/** Number of cuts after which the verifier proves again that the log continues. */
const proofEvery = 10;

const program: CrashProgram = {
  usage: `Cuts the power of a file system under load, and compares the result with what was acknowledged.

  npm run powercut -- [--cuts 50] [--mix all] [--seconds-between 3] [--users 300] [--clients 32]
    [--speed 10] [--seed 1] [--keep] [--asynchronous]

  --mix  a list out of ${mixNames.join(", ")}, or all

Exit status: 0 nothing lost, duplicated or unbalanced; 1 otherwise; 2 wrong options.`,
  times: "cuts",
  mixes: mixNames,
  hasTargets: false,
};
if (process.argv.includes("--help")) {
  console.log(program.usage);
  process.exit(0);
}
const options = readOptions(process.argv.slice(2), program);
if (process.platform !== "linux" || process.getuid?.() !== 0)
  throw new ToolError("A power cut needs Linux and root, for a loop device.");
const directory = mkdtempSync(join(tmpdir(), "drydock-powercut-"));
chmodSync(directory, 0o711);
const disk = new Disk(directory, diskMb);
const data = join(disk.path, "data");
mkdirSync(data);
const port = await findFreePort();
const server = new KillableServer({
  env: {
    PORT: String(port),
    DRYDOCK_DATA: data,
    WORLD: world,
    WORLD_SPEED: String(options.speed),
    LOG_LEVEL: "error",
  },
  output: join(directory, "server.txt"),
});
printConditions(
  `${options.mixes.join(" and ")}, ${options.users} users, ${options.clients} clients, world speed ${options.speed}, ext4, ` +
    `synchronous_commit ${options.hasAsynchronousCommit ? "off" : "on"}; seed ${options.seed}`,
);
let isPassed = false;
try {
  isPassed = await run();
} catch (error) {
  console.error(error);
}
// The run may have failed between a cut and the next start; an error here is reported in addition.
await powerOff().catch((error: unknown) => {
  isPassed = false;
  console.error("The disk could not be removed.", error);
});
if (isPassed && !options.keep) rmSync(directory, { recursive: true, force: true });
else console.error(`Files kept in ${directory}.`);
process.exit(isPassed ? 0 : 1);

async function run(): Promise<boolean> {
  server.start();
  const client = createClient({ port, connections: options.clients + 8, timeoutMs: 15_000 });
  await waitUntilReady(client);
  if (options.hasAsynchronousCommit) await setAsynchronous(runningAdminUrl(data));
  const path = join(directory, "acknowledged.jsonl");
  const record = await OutsideRecord.open(path);
  const load = new Load(client, record, createRandom(options.seed + 1));
  const readOutput = () => readFileSync(join(directory, "server.txt"), "utf8");
  const population = await createPeople(options, { client, port, load, readOutput });
  const witness = new Witness(client, `http://127.0.0.1:${port}`, directory);
  await witness.start();
  load.start(options.clients, population.mixes);
  const random = createRandom(options.seed);
  const recoveriesMs: number[] = [];
  let cuts = 0;
  for (; cuts < options.kills; cuts += 1) {
    await sleep(options.secondsBetween * 1_000 * (0.3 + 1.4 * random()));
    if (load.fatalError) throw load.fatalError;
    const before = witness.seen();
    const cutMs = performance.now();
    await powerOff();
    disk.mount();
    const recovered = load.nextAcknowledged();
    server.start();
    // Some cuts hit the recovery from the previous one.
    if (random() < 0.15) {
      await sleep(2_000 * random());
      continue;
    }
    const timeout = sleep(recoveryMaxMs, "late" as const, { ref: false });
    if ((await Promise.race([recovered, timeout])) === "late")
      throw new Error(
        `Nothing was acknowledged within ${recoveryMaxMs / 1_000} s after cut ${cuts + 1}: ${JSON.stringify([...load.refusals])}`,
      );
    recoveriesMs.push(performance.now() - cutMs);
    if (cuts % proofEvery === 0) await witness.prove(before);
  }
  await load.stop(60_000);
  await load.retryOpen(300);
  await requireSettled();
  await witness.prove(witness.seen());
  await witness.stop();
  await record.close();
  const database = openDatabase({
    url: runningPostgresUrl(data),
    schema: schemaName(world),
    max: 2,
  });
  const { traders, expectedVersions, ownKeys, owner } = population;
  const clients = { openKeys: load.openKeys, traders, expectedVersions, ownKeys, owner };
  const expectation = { record: await readRecord(path), ...clients };
  const report = await checkAll(database, world, options.mixes, expectation);
  await database.close();
  for (const key of load.contradictions) report.duplicates.push(`key ${key} got two answers`);
  client.close();
  const { losses, duplicates, imbalances, indefinite } = report;
  for (const finding of [...losses, ...duplicates, ...imbalances].slice(0, 30))
    console.log(finding);
  for (const finding of witness.findings) console.log(`log: ${finding}`);
  const sorted = recoveriesMs.toSorted((a, b) => a - b);
  console.log(`acknowledged: ${JSON.stringify(Object.fromEntries(load.acknowledgedCounts))}`);
  console.log(`proven ${witness.proofs} times: the log continues the checkpoint seen before a cut`);
  console.log(
    `${cuts} power cuts, ${record.count} acknowledged, ${losses.length} lost, ${duplicates.length} duplicated, ` +
      `${indefinite.existing + indefinite.absent} indefinite, ${imbalances.length} unbalanced, ` +
      `recovery p50 ${Math.round(computeQuantile(sorted, 0.5))} ms, p99 ${Math.round(computeQuantile(sorted, 0.99))} ms`,
  );
  return losses.length + duplicates.length + imbalances.length + witness.findings.length === 0;
}

/** Cuts the power of disk and processes, and drops what the kernel had not written. */
async function powerOff(): Promise<void> {
  const pid = readPostgresPid(join(data, "postgres"));
  const postgres = pid === null ? [] : listProcessTree(pid);
  disk.cut();
  for (const pid of postgres) kill(pid);
  await server.kill();
  while (postgres.some(isAlive)) await sleep(5);
  await disk.unmount();
}

async function requireSettled(): Promise<void> {
  const database = openDatabase({
    url: runningPostgresUrl(data),
    schema: schemaName(world),
    max: 1,
  });
  try {
    const remaining = await waitUntilSettled(database, 300_000 / options.speed + 60_000);
    if (remaining > 0) throw new Error(`${remaining} long overdue are not settled.`);
  } finally {
    await database.close();
  }
}
