/**
 * `npm run trial -- flood`: a bounded flood of requests from many loopback addresses against a
 * server started like `npm start`, while orders are open. Shows whether the closing of seconds and
 * the settlement of orders were delayed: the promise of docs/rules/market.md is that they are not.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { schemaName } from "#server/platform/world.ts";
import { type Client, createClient, newKey, type TestSession } from "#server/testing/client.ts";
import {
  createDataDirectory,
  printConditions,
  type RunningServer,
  startServer,
} from "../bench/lib/conditions.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { signInAll } from "../lib/people.ts";
import { computeQuantile } from "../lib/quantile.ts";
import type { FloodResult, FloodTask } from "./flooder.ts";

const usage = `Floods an instance of its own on loopback, and shows whether seconds or settlements were late.

  npm run trial -- flood [--seconds 60] [--connections 600] [--processes 3] [--depth 4] [--quiet 20]

--quiet: seconds before the flood, for comparison. Exit status: 0 no second missing, and of the
orders that fell due in the flood none settled, and no second closed, more than 5 s late; 1
otherwise; 2 wrong options.`;

/** Half the delay that makes a second a gap (docs/rules/market.md). */
const latestAllowedMs = 5_000;
const tierSeconds = 60;
const people = 10;
const addressesPerProcess = 40;

interface Options {
  seconds: number;
  connections: number;
  processes: number;
  depth: number;
  quiet: number;
}

interface SecondDelays {
  closed: number;
  missing: number;
  latencies: number[];
}

const options = readOptions(process.argv.slice(2));
printConditions(
  `${options.connections} connections in ${options.processes} processes from ${options.processes * addressesPerProcess} addresses, ${options.depth} requests at a time on each`,
);
const data = createDataDirectory();
try {
  const server = await startServer(data.directory, { WORLD: "flood" });
  try {
    process.exitCode = await run(server);
  } finally {
    await server.stop();
  }
} finally {
  data.remove();
}

async function run(server: RunningServer): Promise<number> {
  const { port, ownerUrl } = server;
  const database = new pg.Client({ connectionString: ownerUrl });
  await database.connect();
  await database.query(`set search_path to ${schemaName("flood")}`);
  const client = createClient({ port, timeoutMs: 30_000 });
  const persons = await signInAll(port, people);
  const order = await readOrder(client);
  const senders = await readSenders(client, persons);
  // The log needs something to serve.
  await sleep(3_000);
  const tile = await readTile(client);

  const quietFromMs = Date.now();
  await sleep(options.quiet * 1000);
  const open = await placeOrders(client, persons, order);
  const floodFromMs = Date.now();
  const person = watchPerson(client, persons[0]!);
  const flooded = await flood({ port, tile, contractId: order.contract_id, senders });
  const floodToMs = Date.now();
  const answers = await person.stop();
  // The last seconds of the flood may still be closed, and its orders settled.
  await sleep(15_000);

  const quiet = await readSeconds(database, quietFromMs, floodFromMs);
  const during = await readSeconds(database, floodFromMs, floodToMs);
  const settlements = await readSettlements(database);
  const dueDuring = await countDueBetween(database, floodFromMs, floodToMs);
  const secondCounts = await readCounted(client);
  await database.end();
  client.close();

  const rate = Math.round(flooded.sentCount / options.seconds);
  const statuses = Object.entries(flooded.statuses).map(([code, count]) => `${code}: ${count}`);
  console.log(
    `${flooded.sentCount} requests (${rate}/s) on ${flooded.openedCount} connections, ${flooded.failed} broken; answers ${statuses.join(", ")}`,
  );
  console.log(`before the flood: ${describe(quiet)}`);
  console.log(`during the flood: ${describe(during)}`);
  if (dueDuring < open) console.log(`only ${dueDuring} of ${open} orders fell due in the flood`);
  const sorted = settlements.toSorted((a, b) => a - b);
  const latestSettledMs = sorted.at(-1) ?? 0;
  console.log(
    `${settlements.length} of ${open} orders settled, ${computeQuantile(sorted, 0.5)} ms after they were due, the last ${latestSettledMs} ms`,
  );
  console.log(
    `one person's calls meanwhile: ${answers.served} served (p50 ${answers.p50Ms} ms, slowest ${answers.worstMs} ms), ${answers.refused} refused or unanswered`,
  );
  console.log(
    `the instance itself counts ${secondCounts.overload} seconds lost to overload, ${secondCounts.downtime} to downtime`,
  );
  const latestMs = Math.max(0, ...during.latencies);
  console.log(
    `flood: ${options.seconds} s, ${flooded.sentCount.toLocaleString("en").replaceAll(",", " ")} requests, ${during.missing} seconds missing, latest second closed ${latestMs} ms after it was due`,
  );
  const isUpheld =
    during.missing === 0 &&
    during.closed > 0 &&
    settlements.length === open &&
    dueDuring === open &&
    Math.max(latestMs, latestSettledMs) <= latestAllowedMs;
  return isUpheld ? 0 : 1;
}

async function flood(
  to: Pick<FloodTask, "port" | "tile" | "contractId" | "senders">,
): Promise<FloodResult> {
  const { processes, connections, seconds, depth } = options;
  const results = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, "flooder.ts")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      process.once("exit", () => child.kill("SIGKILL"));
      const addresses = Array.from(
        { length: addressesPerProcess },
        (_unused, index) => `127.0.${10 + number}.${1 + index}`,
      );
      const perProcess = Math.ceil(connections / processes);
      const task: FloodTask = { ...to, seconds, connections: perProcess, addresses, depth };
      child.stdin.end(JSON.stringify(task));
      const [output, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
      if (status !== 0) throw new Error("a process of the flood failed");
      return JSON.parse(output) as FloodResult;
    }),
  );
  const statuses: Record<string, number> = {};
  for (const result of results)
    for (const [code, count] of Object.entries(result.statuses))
      statuses[code] = (statuses[code] ?? 0) + count;
  const sum = (of: (result: FloodResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    sentCount: sum((floodResult) => floodResult.sentCount),
    openedCount: sum((floodResult) => floodResult.openedCount),
    failed: sum((floodResult) => floodResult.failed),
    statuses,
  };
}

interface OrderInput {
  contract_id: string;
  terms_hash: string;
}

async function readOrder(client: Client): Promise<OrderInput> {
  const list = await client.call<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
    input: { type: "all" },
  });
  const contractId = list.items[0]!.contract_id;
  const { terms } = await client.call<{ terms: { terms_hash: string } }>({
    method: "GET",
    path: "/api/contract/getContractDetails",
    input: { contract_id: contractId },
  });
  return { contract_id: contractId, terms_hash: terms.terms_hash };
}

async function readSenders(
  client: Client,
  persons: readonly TestSession[],
): Promise<FloodTask["senders"]> {
  return Promise.all(
    persons.map(async ({ token }) => {
      const { address } = await client.call<{ address: string }>({
        method: "GET",
        path: "/api/user/getReceiveAddress",
        input: { coin: "pUSDT" },
        token,
      });
      return { token, address };
    }),
  );
}

/** The log's newest bundle of entries, by its path. */
async function readTile(client: Client): Promise<string> {
  const size = Number((await client.get("/log/checkpoint")).split("\n")[1]);
  if (!(size > 0)) throw new Error("the log has no checkpoint");
  return size >= 256 ? "tile/entries/000" : `tile/entries/000.p/${size}`;
}

/** Places one order for each person, a few at a time; they fall due while the flood lasts. */
async function placeOrders(
  client: Client,
  persons: readonly TestSession[],
  order: OrderInput,
): Promise<number> {
  for (const { token } of persons) {
    await client.call({
      method: "POST",
      path: "/api/contract/contractPlaceOrder",
      input: { ...order, direction: "up", stake: "10", tier: tierSeconds },
      token,
      key: newKey(),
    });
  }
  // They fall due after three quarters of the flood, or after a minute of a long one.
  await sleep(Math.max(0, tierSeconds - 0.75 * options.seconds) * 1000);
  return persons.length;
}

/** A signed-in person who sends a request every half second during the flood. */
function watchPerson(client: Client, { token }: TestSession) {
  const tookMs: number[] = [];
  let refusedCount = 0;
  let stopping = false;
  const askLoop = (async () => {
    while (!stopping) {
      const sentMs = performance.now();
      await client
        .call({ method: "POST", path: "/api/user/userinfo", token })
        .then(() => tookMs.push(performance.now() - sentMs))
        .catch(() => {
          refusedCount += 1;
        });
      await sleep(500);
    }
  })();
  return {
    stop: async () => {
      stopping = true;
      await askLoop;
      const sorted = tookMs.toSorted((a, b) => a - b).map(Math.round);
      const [p50Ms, worstMs] = [computeQuantile(sorted, 0.5), sorted.at(-1) ?? 0];
      return { served: tookMs.length, refused: refusedCount, p50Ms, worstMs };
    },
  };
}

/** At speed 1 a new world's time is real time, so a second is due at its own time. */
async function readSeconds(
  database: pg.Client,
  fromMs: number,
  toMs: number,
): Promise<SecondDelays> {
  const firstMs = Math.ceil(fromMs / 1000) * 1000;
  const { rows } = await database.query<{ late_ms: string }>(
    `select l.at_ms - s.second_ms as late_ms from market_second s join log_leaf l using (leaf)
     where s.second_ms >= $1 and s.second_ms < $2 order by s.second_ms`,
    [firstMs, toMs],
  );
  const expected = Math.max(0, Math.ceil((toMs - firstMs) / 1000));
  return {
    closed: rows.length,
    missing: expected - rows.length,
    latencies: rows.map((row) => Number(row.late_ms)),
  };
}

/** Reads the counts that `/verify` shows to everyone. */
async function readCounted(client: Client): Promise<{ overload: number; downtime: number }> {
  const { day } = await client.call<{ day: { overload: number; downtime: number } }>({
    method: "GET",
    path: "/api/market/getSeconds",
  });
  return day;
}

async function readSettlements(database: pg.Client): Promise<number[]> {
  const { rows } = await database.query<{ late_ms: string }>(
    `select settled_real_ms - due_at_ms as late_ms from contract_order where settled_at_ms is not null`,
  );
  return rows.map((row) => Number(row.late_ms));
}

/** Orders whose settlement the flood could delay. */
async function countDueBetween(database: pg.Client, fromMs: number, toMs: number) {
  const { rows } = await database.query<{ due: number }>(
    "select count(*)::int as due from contract_order where due_at_ms between $1 and $2",
    [fromMs, toMs],
  );
  return rows[0]!.due;
}

function describe({ closed, missing, latencies }: SecondDelays): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  return `${closed} seconds closed, ${missing} missing, lag p50 ${computeQuantile(sorted, 0.5)} ms, p99 ${computeQuantile(sorted, 0.99)} ms, worst ${sorted.at(-1) ?? 0} ms`;
}

function readOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  const { values } = parseOptions(
    {
      args: [...args],
      options: { seconds: text, connections: text, processes: text, depth: text, quiet: text },
    },
    usage,
  );
  const integer = (name: keyof Options, from: number, to: number, fallback: number) =>
    parseWholeNumber(name, values[name], { from, to, fallback });
  return {
    seconds: integer("seconds", 5, 3_600, 60),
    connections: integer("connections", 1, 10_000, 600),
    processes: integer("processes", 1, 8, 3),
    depth: integer("depth", 1, 64, 4),
    quiet: integer("quiet", 5, 600, 20),
  };
}
