/**
 * Durable, signed-in orders over HTTP from 64 clients in separate processes, against pgbench's
 * TPC-B on the same server in the same run: `node tools/bench/orders.ts [seconds]`. The server runs
 * with default settings: web, feed, worker and embedded PostgreSQL. No limit is lifted: enough
 * people are signed in that none comes near 30 requests a second.
 */
import { signInAll } from "../lib/people.ts";
import { computeQuantile } from "../lib/quantile.ts";
import {
  createDataDirectory,
  printConditions,
  printRatio,
  type RunningServer,
  startServer,
} from "./lib/conditions.ts";
import { measureTpcB, requirePgbench, tpcBConditions } from "./lib/pgbench.ts";
import { placeOrders, readMarkets } from "./lib/placeOrders.ts";

const seconds = Number(process.argv[2] ?? 10);
const clients = 64;
const users = 400;
const aim = 1;

await requirePgbench();
printConditions(
  `${clients} clients in two processes, ${users} signed-in users, stake 10 on 300 s, ${seconds} s per run; ${tpcBConditions}; fsync on`,
);
const data = createDataDirectory();
try {
  const server = await startServer(data.directory);
  try {
    await run(server);
  } finally {
    await server.stop();
  }
} finally {
  data.remove();
}

async function run({ port, ownerUrl }: RunningServer): Promise<void> {
  const people = await signInAll(port, users);
  const markets = await readMarkets(port);
  const tokens = people.map(({ token }) => token);
  await placeOrders({ port, tokens, markets, clients, seconds: 3 });
  const before = await measureTpcB(ownerUrl, seconds);
  const orders = await placeOrders({ port, tokens, markets, clients, seconds });
  const after = await measureTpcB(ownerUrl, seconds);
  const baseline = (before + after) / 2;
  const rate = orders.acceptedCount / seconds;
  const sorted = orders.latencies.toSorted((a, b) => a - b);
  console.log(
    `TPC-B: ${before.toFixed(0)} before, ${after.toFixed(0)} after; ${baseline.toFixed(0)} transactions/s`,
  );
  console.log(
    `orders: ${rate.toFixed(0)}/s, answer p50 ${computeQuantile(sorted, 0.5).toFixed(1)} ms, p99 ${computeQuantile(sorted, 0.99).toFixed(1)} ms; refused: ${JSON.stringify(orders.refusalCounts)}`,
  );
  printRatio(rate / baseline, aim, "least");
}
