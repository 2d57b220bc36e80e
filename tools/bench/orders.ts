/**
 * Durable, signed-in orders over HTTP from 64 clients in separate processes, against pgbench's
 * TPC-B on the same server in the same run: `node tools/bench/orders.ts [seconds]`. The server runs
 * with default settings: web, feed, worker and embedded PostgreSQL. No limit is lifted: enough
 * people are signed in that none comes near 30 requests a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "#server/testing/client.ts";
import { signInAll } from "../lib/people.ts";
import { quantile } from "../lib/quantile.ts";
import type { OrderLoadResult, OrderLoadTask } from "./lib/orderLoad.ts";
import { requirePgbench, tpcB, tpcBConditions } from "./lib/pgbench.ts";
import {
  makeDataDirectory,
  printConditions,
  printRatio,
  type RunningServer,
  startServer,
} from "./lib/stage.ts";

const seconds = Number(process.argv[2] ?? 10);
const clients = 64;
const processes = 2;
const users = 400;
const aim = 1;

await requirePgbench();
printConditions(
  `${clients} clients in ${processes} processes, ${users} signed-in users, stake 10 on 300 s, ${seconds} s per run; ${tpcBConditions}; fsync on`,
);
const data = makeDataDirectory();
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
  await place({ port, tokens, markets, clients, seconds: 3 });
  const before = await tpcB(ownerUrl, seconds);
  const orders = await place({ port, tokens, markets, clients, seconds });
  const after = await tpcB(ownerUrl, seconds);
  const baseline = (before + after) / 2;
  const rate = orders.accepted / seconds;
  const sorted = orders.latencies.toSorted((a, b) => a - b);
  console.log(
    `TPC-B: ${before.toFixed(0)} before, ${after.toFixed(0)} after; ${baseline.toFixed(0)} transactions/s`,
  );
  console.log(
    `orders: ${rate.toFixed(0)}/s, answer p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms; refused: ${JSON.stringify(orders.refused)}`,
  );
  printRatio(rate / baseline, aim, "least");
}

/** Spreads the clients over processes, each with its own people. */
async function place(task: OrderLoadTask): Promise<OrderLoadResult> {
  const results = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, "lib/orderLoad.ts")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const tokens = task.tokens.filter((_token, index) => index % processes === number);
      child.stdin.end(
        JSON.stringify({ ...task, tokens, clients: clients / processes } satisfies OrderLoadTask),
      );
      const [said, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
      if (status !== 0) throw new Error("a client process failed");
      return JSON.parse(said) as OrderLoadResult;
    }),
  );
  const refused: Record<string, number> = {};
  for (const one of results)
    for (const [name, count] of Object.entries(one.refused))
      refused[name] = (refused[name] ?? 0) + count;
  return {
    accepted: results.reduce((sum, { accepted }) => sum + accepted, 0),
    refused,
    latencies: results.flatMap(({ latencies }) => latencies),
  };
}

async function readMarkets(port: number): Promise<OrderLoadTask["markets"]> {
  const client = createClient({ port });
  const list = await client.call<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
    input: { type: "all" },
  });
  const markets = await Promise.all(
    list.items.map(async ({ contract_id: contractId }) => {
      const { terms } = await client.call<{ terms: { terms_hash: string } }>({
        method: "GET",
        path: "/api/contract/getContractDetails",
        input: { contract_id: contractId },
      });
      return { contractId, termsHash: terms.terms_hash };
    }),
  );
  client.close();
  return markets;
}
