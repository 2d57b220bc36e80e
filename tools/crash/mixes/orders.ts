import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import type { TestSession } from "#server/testing/client.ts";
import { type Change, findChange, type Mix, type RetryingCall } from "../change.ts";

interface Trader extends TestSession {
  /** Orders left on the one-minute tier, which is limited to five a day. */
  shortOrdersLeft: number;
  /** Real time until which this person places no orders: all their money is in open ones. */
  restsUntilMs: number;
}

interface Market {
  contractId: string;
  termsHash: string;
}

const orderFields = ["order_id", "order_hash", "accepted_at_ms", "stake", "fee"] as const;

/** Up and down orders of a few people on every contract. */
export async function createOrders(
  people: readonly TestSession[],
  ask: RetryingCall,
  random: () => number,
): Promise<Mix> {
  const traders = people.map(
    (person): Trader => ({ ...person, shortOrdersLeft: 5, restsUntilMs: 0 }),
  );
  let markets = await readMarkets(ask);
  let next = 0;
  // An operator may have published new terms.
  const readAgain = () => {
    readMarkets(ask).then(
      (list) => {
        markets = list;
      },
      () => {}, // The load is stopping.
    );
  };
  return {
    name: "orders",
    createNext: async () => {
      const trader = traders[next++ % traders.length]!;
      if (trader.restsUntilMs > Date.now()) return null;
      return toOrder(trader, markets[Math.floor(random() * markets.length)]!, random, readAgain);
    },
  };
}

function toOrder(
  trader: Trader,
  { contractId, termsHash }: Market,
  random: () => number,
  readAgain: () => void,
): Change {
  const isShort = trader.shortOrdersLeft > 0 && random() < 0.02;
  if (isShort) trader.shortOrdersLeft -= 1;
  const input = {
    contract_id: contractId,
    direction: random() < 0.5 ? "up" : "down",
    stake: "10",
    tier: isShort ? 60 : 300,
    terms_hash: termsHash,
  };
  return findChange("order", trader, "/api/contract/contractPlaceOrder", input, {
    lastingFields: orderFields,
    balanceChanges: ({ stake, fee }) => ({ pUSDT: String(-minor(stake) - minor(fee)) }),
    onRefusal: (name) => {
      if (name === "ledger.overdraft") trader.restsUntilMs = Date.now() + 5_000;
      if (name === "contracts.terms_changed") readAgain();
    },
  });
}

function minor(text: unknown): bigint {
  return toMinorUnits(String(text), coinScale("pUSDT"));
}

/** Contracts that can be ordered, with their terms hashes. */
async function readMarkets(ask: RetryingCall): Promise<Market[]> {
  const list = await ask<{ items: { contract_id: string }[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
    input: { type: "all" },
  });
  return Promise.all(
    list.items.map(async ({ contract_id: contractId }) => {
      const details = await ask<{ terms: { terms_hash: string } }>({
        method: "GET",
        path: "/api/contract/getContractDetails",
        input: { contract_id: contractId },
      });
      return { contractId, termsHash: details.terms.terms_hash };
    }),
  );
}
