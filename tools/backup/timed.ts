import { type CallRequest, type Client, createClient } from "#server/testing/client.ts";

export interface TimedClient extends Client {
  /** Ids of the orders acknowledged so far. */
  listAcknowledged(): Set<string>;
  /**
   * Runs `act` and reports the latency of the orders sent in the meantime, in real milliseconds.
   */
  measureDuring<Result>(act: () => Promise<Result>): Promise<{ result: Result; text: string }>;
}

/** A client that measures the latency of each order it places. */
export function createTimedClient(port: number, connections: number): TimedClient {
  const client = createClient({ port, connections, timeoutMs: 15_000 });
  const ids = new Set<string>();
  const samples: { sentMs: number; durationMs: number }[] = [];
  return {
    ...client,
    call: async <Data>(request: CallRequest): Promise<Data> => {
      const sentMs = performance.now();
      const data = await client.call<Data>(request);
      if (request.path === "/api/contract/contractPlaceOrder") {
        samples.push({ sentMs, durationMs: performance.now() - sentMs });
        ids.add((data as { order_id: string }).order_id);
      }
      return data;
    },
    listAcknowledged: () => new Set(ids),
    measureDuring: async (act) => {
      const startMs = performance.now();
      const result = await act();
      const endMs = performance.now();
      const sorted = samples
        .filter(({ sentMs }) => sentMs >= startMs && sentMs < endMs)
        .map(({ durationMs }) => durationMs)
        .toSorted((a, b) => a - b);
      const atShare = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
      const seconds = (endMs - startMs) / 1000;
      const text = `${atShare(0.5)} / ${atShare(0.99)} ms at ${Math.round(sorted.length / seconds)} a second`;
      return { result, text };
    },
  };
}
