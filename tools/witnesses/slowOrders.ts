import { setTimeout as sleep } from "node:timers/promises";
import { createClient, newKey } from "#server/testing/client.ts";
import { readMarkets } from "../bench/lib/placeOrders.ts";
import { signInAll } from "../lib/people.ts";

/** Orders of a tier that a person may place in a day. */
const ordersEach = 5;

export interface SlowOrders {
  /** Resolves with the number of orders that were accepted. */
  stop(): Promise<number>;
}

/**
 * People who together place this many orders a minute for some minutes, so that the log holds more
 * than seconds.
 */
export async function placeOrdersSlowly(
  port: number,
  { perMinute, minutes }: { perMinute: number; minutes: number },
): Promise<SlowOrders> {
  const controller = new AbortController();
  const client = createClient({ port });
  const persons = await signInAll(port, Math.ceil((perMinute * minutes) / ordersEach) + 1);
  const markets = await readMarkets(port);
  let acceptedCount = 0;
  const orderPlacement = (async () => {
    for (let number = 0; !controller.signal.aborted; number += 1) {
      const { contractId, termsHash } = markets[number % markets.length]!;
      const input = { contract_id: contractId, direction: number % 2 === 0 ? "up" : "down" };
      await client
        .call({
          method: "POST",
          path: "/api/contract/contractPlaceOrder",
          input: { ...input, stake: "10", tier: 60, terms_hash: termsHash },
          token: persons[number % persons.length]!.token,
          key: newKey(),
        })
        .then(() => {
          acceptedCount += 1;
        })
        .catch((error: unknown) => console.error(`an order failed: ${(error as Error).message}`));
      await sleep(60_000 / perMinute, undefined, { signal: controller.signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      controller.abort();
      await orderPlacement;
      client.close();
      return acceptedCount;
    },
  };
}
