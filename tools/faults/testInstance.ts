import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { schemaName } from "#server/platform/world.ts";
import { runningAdminUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";
import { ApiError, type Client, createClient, NoAnswerError } from "#server/testing/client.ts";
import { checkAll } from "../crash/checks/report.ts";
import { Load } from "../crash/load.ts";
import { createRandom } from "../crash/options.ts";
import { createPeople, type Population } from "../crash/population.ts";
import { OutsideRecord, readRecord } from "../crash/record.ts";
import { KillableServer } from "../crash/targets.ts";
import { findFreePort, isAlive, readPostgresPid, waitUntilReady } from "../lib/processes.ts";
import { waitUntilSettled } from "../lib/settled.ts";

const world = "faults";
const options = { mixes: ["orders", "money"], users: 60, clients: 12, seed: 1 } as const;
/** The run fails if nothing is acknowledged within this time after a fault has ended. */
const recoveryMaxMs = 90_000;

/** The answers that clients received in a period. */
export interface ClientCounts {
  answers: number;
  /** Requests without an answer, and refusals, by name. */
  failures: Map<string, number>;
  longestMs: number;
}

/** The whole product with its own database, some people trading, and a record outside of it. */
export interface TestInstance {
  readonly data: string;
  readonly port: number;
  readonly client: Client;
  readonly server: KillableServer;
  readonly population: Population;
  /** PostgreSQL's process, as its files name it. */
  postgresPid(): number;
  /** Returns the counts since the last call and resets them. */
  takeCounts(): ClientCounts;
  /** Real milliseconds until a change sent from now on is acknowledged. */
  measureRecoveryMs(): Promise<number>;
  /** Connects as the superuser of the cluster. */
  admin<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** Ends the load, stops everything and compares. */
  finish(): Promise<Outcome>;
  /** Removes everything; the server is killed if it still runs. */
  remove(): Promise<void>;
}

interface Outcome {
  acknowledgedCount: number;
  lostCount: number;
  duplicateCount: number;
  imbalanceCount: number;
  findings: string[];
  /** World seconds without a leaf since the load began, in real seconds. */
  missingSeconds: number;
}

export interface TestInstanceOptions {
  /** Size of a separate file system for the data, in megabytes. */
  diskMb?: number;
  /** Program and arguments that the server's command begins with. */
  prefix?: readonly string[];
  env?: Record<string, string>;
}

export async function openTestInstance(options: TestInstanceOptions = {}): Promise<TestInstance> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-faults-"));
  chmodSync(directory, 0o711);
  const data = join(directory, "data");
  mkdirSync(data);
  if (options.diskMb) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${options.diskMb}m,mode=711`, "none", data]);
  }
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    DRYDOCK_DATA: data,
    WORLD: world,
    WORLD_SPEED: "10",
    LOG_LEVEL: "error",
    ...options.env,
  };
  const output = join(directory, "server.txt");
  const server = new KillableServer({ env, output, prefix: options.prefix ?? [] });
  const remove = async () => {
    const postgres = readPostgresPid(join(data, "postgres"));
    await server.kill();
    // The watchdog ends PostgreSQL after its server was killed.
    while (postgres !== null && isAlive(postgres)) await sleep(50);
    if (options.diskMb) execFileSync("umount", ["-l", data]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    server.start();
    const meter = createMeter(createClient({ port, connections: 40, timeoutMs: 15_000 }));
    await waitUntilReady(meter.client);
    return await populate({ directory, data, port, server, meter, remove });
  } catch (error) {
    console.error(readFileSync(output, "utf8").trim().split("\n").slice(-5).join("\n"));
    await remove();
    throw error;
  }
}

interface StageParts {
  directory: string;
  data: string;
  port: number;
  server: KillableServer;
  meter: ReturnType<typeof createMeter>;
  remove(): Promise<void>;
}

async function populate(parts: StageParts): Promise<TestInstance> {
  const { directory, data, port, server, meter } = parts;
  const { client } = meter;
  const record = await OutsideRecord.open(recordIn(directory));
  const load = new Load(client, record, createRandom(1));
  const readOutput = () => readFileSync(join(directory, "server.txt"), "utf8");
  const population = await createPeople(options, { client, port, load, readOutput });
  meter.look();
  load.start(options.clients, population.mixes);
  await sleep(3_000);
  const admin: TestInstance["admin"] = (work) => withAdmin(data, work);
  const firstMs = await admin(lastSecond);
  return {
    data,
    port,
    client,
    server,
    population,
    admin,
    remove: () => parts.remove(),
    takeCounts: meter.look,
    postgresPid: () => {
      const pid = readPostgresPid(join(data, "postgres"));
      if (pid === null) throw new Error("PostgreSQL does not run.");
      return pid;
    },
    measureRecoveryMs: async () => {
      const fromMs = performance.now();
      const timeout = sleep(recoveryMaxMs, "late" as const, { ref: false });
      if ((await Promise.race([load.nextAcknowledged(), timeout])) === "late")
        throw new Error(`Nothing was acknowledged within ${recoveryMaxMs / 1_000} s.`);
      return Math.round(performance.now() - fromMs);
    },
    finish: () => compare({ ...parts, record, load, population, firstMs }),
  };
}

const recordIn = (directory: string) => join(directory, "acknowledged.jsonl");

interface InstanceLoad extends StageParts {
  record: OutsideRecord;
  load: Load;
  population: Population;
  /** World time of the last second closed before the load. */
  firstMs: number;
}

/** Ends the load and compares what was acknowledged with what the database holds. */
async function compare(instance: InstanceLoad): Promise<Outcome> {
  const { directory, data, meter, record, load, population, firstMs } = instance;
  await load.stop(30_000);
  if (load.fatalError) throw load.fatalError;
  await load.retryOpen(200);
  const unsettled = await withAdmin(data, (database) => waitUntilSettled(database, 90_000));
  const secondsLost = await withAdmin(data, (database) => countGaps(database, firstMs));
  await record.close();
  const { traders, expectedVersions, ownKeys, owner } = population;
  const outside = {
    record: await readRecord(recordIn(directory)),
    openKeys: load.openKeys,
    traders,
  };
  const url = runningPostgresUrl(data);
  const database = openDatabase({ url, schema: schemaName(world), max: 2 });
  const expectation = { ...outside, expectedVersions, ownKeys, owner };
  const report = await checkAll(database, world, options.mixes, expectation);
  await database.close();
  for (const key of load.contradictions) report.duplicates.push(`key ${key} got two answers`);
  if (unsettled > 0) report.imbalances.push(`${unsettled} long overdue are not settled`);
  meter.client.close();
  return {
    acknowledgedCount: record.count,
    lostCount: report.losses.length,
    duplicateCount: report.duplicates.length,
    imbalanceCount: report.imbalances.length,
    findings: [...report.losses, ...report.duplicates, ...report.imbalances],
    missingSeconds: secondsLost,
  };
}

/** Runs work in the world's schema as the superuser of the cluster. */
async function withAdmin<Result>(
  data: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url: runningAdminUrl(data), schema: schemaName(world), max: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A client that records how every call ended. */
function createMeter(client: Client) {
  const createCounts = (): ClientCounts => ({ answers: 0, failures: new Map(), longestMs: 0 });
  let clientCounts = createCounts();
  const trouble = (name: string) =>
    clientCounts.failures.set(name, (clientCounts.failures.get(name) ?? 0) + 1);
  const call: Client["call"] = async (request) => {
    const fromMs = performance.now();
    try {
      const answer = await client.call<never>(request);
      clientCounts.answers += 1;
      return answer;
    } catch (error) {
      if (error instanceof ApiError) trouble(error.error);
      else if (error instanceof NoAnswerError) trouble(getName(error.message));
      throw error;
    } finally {
      clientCounts.longestMs = Math.max(
        clientCounts.longestMs,
        Math.round(performance.now() - fromMs),
      );
    }
  };
  return {
    client: { ...client, call } as Client,
    look: () => {
      const before = clientCounts;
      clientCounts = createCounts();
      return before;
    },
  };
}

function getName(message: string): string {
  return /^server\.|^no answer/.test(message) ? message : "connection lost";
}

async function lastSecond({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ last: bigint }>(
    "select max(second_ms) as last from market_second",
  );
  return Number(rows[0]!.last);
}

/** World seconds after `fromMs` that have no leaf, at speed 10 as real seconds. */
async function countGaps({ pool }: Database, fromMs: number): Promise<number> {
  const { rows } = await pool.query<{ missing: number }>(
    `select ((max(second_ms) - $1) / 1000 - count(*))::int as missing
     from market_second where second_ms > $1`,
    [fromMs],
  );
  return Math.round(rows[0]!.missing / 10);
}
