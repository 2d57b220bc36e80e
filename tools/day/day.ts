/**
 * `npm run trial -- day`: runs a separate world at speed 60 for a whole world day (24 real minutes)
 * with a few people trading, and measures its use of resources: log, database by table, write-ahead
 * log, memory and CPU of Node and PostgreSQL, lag, event loop, statements. Terminates by itself and
 * removes its files.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { buildWeb } from "#build/web.ts";
import { schemaName } from "#server/platform/world.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { signInAll } from "../lib/people.ts";
import { readPostgresPid } from "../lib/processes.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { ToolError } from "../lib/toolError.ts";
import { keepTrading, type PeopleCount } from "./people.ts";
import type { StatementTime } from "./probe.ts";
import { readUsage } from "./processes.ts";
import {
  formatSampleHead,
  formatSampleLine,
  formatStatementLines,
  formatSummary,
  formatTableLines,
  formatYearLines,
  type Sample,
} from "./report.ts";
import { startWatched, type WatchedServer } from "./server.ts";
import { type DatabaseState, readDatabase } from "./sizes.ts";

const world = "day";
const sampleEveryMs = 30_000;
const usage = `Measures a world day of the simulated market.

  npm run trial -- day [--minutes 24] [--speed 60] [--people 20] [--orders 40] [--keep]

--minutes: real minutes; --orders: per real minute, for all people together; --keep: keep the data directory.`;

interface DayOptions {
  minutes: number;
  speed: number;
  people: number;
  orders: number;
  keep: boolean;
}

if (process.argv.includes("--help")) console.log(usage);
else {
  try {
    if (process.platform !== "linux")
      throw new ToolError(
        "npm run trial -- day reads memory and CPU time from /proc, which requires Linux.",
      );
    await main(readOptions(process.argv.slice(2)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = error instanceof ToolError ? 2 : 1;
  }
}

function readOptions(args: string[]): DayOptions {
  const text = { type: "string" } as const;
  const { values } = parseOptions(
    {
      args,
      options: {
        minutes: text,
        speed: text,
        people: text,
        orders: text,
        keep: { type: "boolean", default: false },
      },
    },
    usage,
  );
  const integer = (name: "minutes" | "speed" | "people" | "orders", to: number, fallback: number) =>
    parseWholeNumber(name, values[name], { from: 1, to, fallback });
  return {
    minutes: integer("minutes", 1_440, 24),
    speed: integer("speed", 60, 60),
    people: integer("people", 50, 20),
    orders: integer("orders", 3_000, 40),
    keep: values.keep,
  };
}

async function main(options: DayOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-day-"));
  chmodSync(directory, 0o711);
  const data = join(directory, "data");
  mkdirSync(data);
  await buildWeb();
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, node ${process.version}, load average at the start ${loadavg()[0]!.toFixed(1)}; ` +
      `fsync on, world speed ${options.speed}, ${options.people} people, ${options.orders} orders a minute`,
  );
  try {
    // Start it once here, to learn the URLs of its roles; the server under test starts as usual.
    const postgres = await startEmbeddedPostgres({ dataDirectory: data });
    await postgres.stop();
    const env = {
      DRYDOCK_DATA: data,
      WORLD: world,
      WORLD_SPEED: String(options.speed),
      LOG_LEVEL: "warn",
    };
    const server = await startWatched(env, join(directory, "server.txt"));
    try {
      const pid = readPostgresPid(postgres.cluster);
      if (pid === null) throw new Error("PostgreSQL does not run.");
      await runDay(options, server, postgres.ownerUrl, pid);
    } finally {
      console.log(`the server stopped with status ${await server.stop()}`);
    }
  } finally {
    if (options.keep) console.log(`Files kept in ${directory}.`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

async function runDay(
  { minutes, speed, people, orders }: DayOptions,
  server: WatchedServer,
  ownerUrl: string,
  postgresPid: number,
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  owner.on("error", () => {}); // the query that hits the error reports it
  await owner.connect();
  const stopping = new AbortController();
  const count: PeopleCount = {
    placedCount: 0,
    receipts: 0,
    earlyReceipts: 0,
    refusalCounts: {},
    orderMs: [],
  };
  let trading: Promise<void> = Promise.resolve();
  try {
    const signedIn = await signInAll(server.port, people);
    trading = keepTrading(server.client, signedIn, orders, count, stopping.signal);
    trading.catch(() => {}); // awaited below
    const startedMs = performance.now();
    const samples: Sample[] = [];
    let statements: readonly StatementTime[] = [];
    console.log(formatSampleHead);
    for (let number = 0; ; number += 1) {
      const atMs = startedMs + Math.min(number * sampleEveryMs, minutes * 60_000);
      await sleep(Math.max(0, atMs - performance.now()));
      const { sample, received } = await takeSample(
        server,
        owner,
        { postgresPid, startedMs },
        samples.at(-1)?.state ?? null,
      );
      samples.push(sample);
      if (received.length > 0) statements = received;
      console.log(formatSampleLine(sample, samples.at(-2) ?? sample, samples[0]!, speed));
      if (performance.now() >= startedMs + minutes * 60_000) break;
    }
    stopping.abort();
    await trading;
    report(samples, statements, count, speed);
  } finally {
    stopping.abort();
    await owner.end();
  }
}

function report(
  samples: readonly Sample[],
  statements: readonly StatementTime[],
  count: PeopleCount,
  speed: number,
): void {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const sorted = count.orderMs.toSorted((a, b) => a - b);
  const atQuantile = (share: number) => (computeQuantile(sorted, share) || 0).toFixed(0);
  const lines = [
    ...formatSummary(samples, speed),
    `${count.placedCount} orders, answered p50 ${atQuantile(0.5)} ms, p99 ${atQuantile(0.99)} ms; ${count.receipts} receipts read, ${count.earlyReceipts} too early; refused ${JSON.stringify(count.refusalCounts)}`,
    ...formatTableLines(first.state, last.state),
    ...formatStatementLines(statements, 12),
    // Checkpoints are kept for a real hour, and hourly ones after that.
    ...formatYearLines(first, last, speed, { market_second: 2, log_checkpoint: speed / 24 }),
  ];
  console.log(lines.join("\n"));
}

async function takeSample(
  server: WatchedServer,
  owner: pg.Client,
  { postgresPid, startedMs }: { postgresPid: number; startedMs: number },
  before: DatabaseState | null,
): Promise<{ sample: Sample; received: readonly StatementTime[] }> {
  const health = await server.health();
  const probe = await server.probe();
  const node = readUsage(server.pid, false);
  const postgres = readUsage(postgresPid, true);
  const sample = {
    atS: (performance.now() - startedMs) / 1000,
    nodeBytes: node?.bytes ?? 0,
    heapBytes: probe?.heapBytes ?? 0,
    nodeCpuMs: node?.cpuMs ?? 0,
    postgresBytes: postgres?.bytes ?? 0,
    postgresCpuMs: postgres?.cpuMs ?? 0,
    feedLagMs: health?.parts.feed?.lag_ms ?? null,
    logLagMs: health?.parts.log?.lag_ms ?? null,
    loopP99Ms: probe?.loopP99Ms ?? 0,
    loopMostMs: probe?.loopMostMs ?? 0,
    state: await readDatabase(owner, schemaName(world), before),
  };
  return { sample, received: probe?.statements ?? [] };
}
