import { setTimeout as sleep } from "node:timers/promises";
import {
  ApiError,
  type Client,
  NoAnswerError,
  newKey,
  type TestSession,
} from "#server/testing/client.ts";

export interface PeopleCount {
  placedCount: number;
  receipts: number;
  /** Orders whose receipt was requested before it was covered by a checkpoint. */
  earlyReceipts: number;
  refusalCounts: Record<string, number>;
  /** Milliseconds from sending an order to its answer. */
  orderMs: number[];
}

interface Market {
  contractId: string;
  termsHash: string;
}

/**
 * Simulates a few people trading: each order is preceded by the trade screen's requests, and
 * sometimes one of them opens the receipt of a finished order. Ends when `signal` aborts.
 */
export async function keepTrading(
  client: Client,
  people: readonly TestSession[],
  ordersPerMinute: number,
  count: PeopleCount,
  signal: AbortSignal,
): Promise<void> {
  const markets = await readMarkets(client);
  const restMs = 60_000 / ordersPerMinute;
  const openOrders: { token: string; id: string }[] = [];
  for (let number = 0; !signal.aborted; number += 1) {
    const { token } = people[number % people.length]!;
    const market = markets[number % markets.length]!;
    try {
      openOrders.push({ token, id: await trade(client, token, market, number, count) });
      const oldOrder = openOrders.length > 20 ? openOrders.shift() : undefined;
      if (oldOrder) await openReceipt(client, oldOrder, count);
    } catch (error) {
      const name = error instanceof ApiError ? error.error : "no answer";
      if (!(error instanceof ApiError || error instanceof NoAnswerError)) throw error;
      count.refusalCounts[name] = (count.refusalCounts[name] ?? 0) + 1;
    }
    await sleep(restMs, undefined, { signal }).catch(() => {});
  }
}

async function trade(
  client: Client,
  token: string,
  { contractId, termsHash }: Market,
  number: number,
  count: PeopleCount,
): Promise<string> {
  const ask = { contract_id: contractId };
  await client.call({ method: "GET", path: "/api/contract/getContractDetails", input: ask, token });
  const interval = ["1m", "5m", "1h", "1d"][number % 4]!;
  const input = { ...ask, interval };
  await client.call({ method: "GET", path: "/api/contract/getKlineData", input, token });
  const sentMs = performance.now();
  const { order_id: id } = await client.call<{ order_id: string }>({
    method: "POST",
    path: "/api/contract/contractPlaceOrder",
    token,
    key: newKey(),
    input: {
      ...ask,
      direction: number % 2 === 0 ? "up" : "down",
      stake: "10",
      tier: [300, 900, 3_600][number % 3]!,
      terms_hash: termsHash,
    },
  });
  count.orderMs.push(performance.now() - sentMs);
  count.placedCount += 1;
  return id;
}

async function openReceipt(
  client: Client,
  { token, id }: { token: string; id: string },
  count: PeopleCount,
): Promise<void> {
  try {
    const input = { order_id: id };
    await client.call({ method: "GET", path: "/api/contract/getReceipt", input, token });
    count.receipts += 1;
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== "contracts.receipt_not_ready") throw error;
    count.earlyReceipts += 1;
  }
}

async function readMarkets(client: Client): Promise<Market[]> {
  const list = await client.call<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
    input: { type: "all" },
  });
  const readTiers = async (contractId: string) => {
    const { terms } = await client.call<{ terms: { terms_hash: string } }>({
      method: "GET",
      path: "/api/contract/getContractDetails",
      input: { contract_id: contractId },
    });
    return { contractId, termsHash: terms.terms_hash };
  };
  return await Promise.all(list.items.map(({ contract_id: id }) => readTiers(id)));
}
