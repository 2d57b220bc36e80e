import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "#server/testing/client.ts";
import type { OrderLoadResult, OrderLoadTask } from "./orderLoad.ts";

const processes = 2;

/** Spreads the clients over two processes, each with its own people. */
export async function placeOrders(task: OrderLoadTask): Promise<OrderLoadResult> {
  const results = await Promise.all(
    Array.from({ length: processes }, async (_, number) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, "orderLoad.ts")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const tokens = task.tokens.filter((_token, index) => index % processes === number);
      child.stdin.end(
        JSON.stringify({
          ...task,
          tokens,
          clients: task.clients / processes,
        } satisfies OrderLoadTask),
      );
      const [output, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
      if (status !== 0) throw new Error("a client process failed");
      return JSON.parse(output) as OrderLoadResult;
    }),
  );
  const refusals: Record<string, number> = {};
  for (const result of results)
    for (const [name, count] of Object.entries(result.refusalCounts))
      refusals[name] = (refusals[name] ?? 0) + count;
  return {
    acceptedCount: results.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0),
    refusalCounts: refusals,
    latencies: results.flatMap(({ latencies }) => latencies),
  };
}

/** Every contract with its current terms. */
export async function readMarkets(port: number): Promise<OrderLoadTask["markets"]> {
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
