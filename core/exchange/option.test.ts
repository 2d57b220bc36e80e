import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, test } from "vitest";
import {
  decideExecution,
  type ExchangeQuote,
  type IndexAt,
  quoteExchange,
  quoteLifeMs,
} from "#core/exchange/exchange.ts";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { Simulator } from "#core/market/simulate/simulator.ts";
import { createAnchorState } from "#core/market/simulate/state.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";

/**
 * The value of a quote as an option, in the simulated market: quoted at one second, executed at the
 * best of those that follow within its 15 real seconds, or not at all. The figures are those of
 * docs/rules/wallet.md, "Why the cost is the limit".
 */
const names: MarketSymbol[] = ["BTC/USDT", "ETH/USDT", "USDC/USDT"];
const seconds = 6 * 3_600;
const path: IndexAt[] = [];

beforeAll(() => {
  const model = createModel(names);
  const seed = sha256(utf8ToBytes("option"));
  const simulator = new Simulator(model, seed, createAnchorState(model), Date.UTC(2026, 0, 5));
  for (let position = 0; position < seconds; position += 1) {
    const { quotes, secondMs } = simulator.step();
    const freshRows = quotes.map((row) => filterFreshQuotes(row, secondMs));
    const index = names.map((_, s) => computeIndexValue(freshRows.map((row) => row[s] ?? null)));
    path.push((symbol) => index[names.indexOf(symbol)] ?? null);
  }
});

interface Pair {
  from: Coin;
  to: Coin;
  given: bigint;
}

const pairs: Record<string, Pair> = {
  "pBTC to pUSDT": { from: "pBTC", to: "pUSDT", given: 10_000_000n },
  "pUSDT to pETH": { from: "pUSDT", to: "pETH", given: 1_000_000_000n },
  "pBTC to pETH": { from: "pBTC", to: "pETH", given: 10_000_000n },
};

/**
 * Mean gain per quote, in basis points of the amount to two digits, for a person who executes at
 * the best second that `allowed` permits and otherwise lets the quote expire; and the largest gain.
 */
function getGain(
  pair: Pair,
  speed: number,
  allowed: (quote: ExchangeQuote, at: IndexAt) => boolean,
) {
  const horizon = Math.floor((quoteLifeMs / 1_000) * speed);
  let [sum, count, largestGain] = [0, 0, -Infinity];
  for (let start = 0; start + horizon < seconds; start += Math.max(30, Math.floor(horizon / 4))) {
    const result = quoteExchange(pair, path[start]!);
    if (!result.ok) continue;
    let bestGain = 0;
    for (let index = start; index <= start + horizon; index += 1) {
      const currentQuote = quoteExchange(pair, path[index]!);
      if (!currentQuote.ok || !allowed(result.quote, path[index]!)) continue;
      const gain =
        Number(result.quote.received - currentQuote.quote.atIndex) /
        Number(currentQuote.quote.atIndex);
      largestGain = Math.max(largestGain, gain);
      bestGain = Math.max(bestGain, gain);
    }
    sum += bestGain;
    count += 1;
  }
  return { mean: Math.round((sum / count) * 1e6) / 100, greatest: largestGain };
}

const isAlwaysAllowed = () => true;
const isStillExecutable = (quote: ExchangeQuote, getIndex: IndexAt) =>
  decideExecution(quote, getIndex) === "stands";

describe.each(Object.entries(pairs))("%s", (_name, pair) => {
  test.each([1, 10, 60])("a quote has no option value at speed %i", (speed) => {
    const { mean, greatest: largestGain } = getGain(pair, speed, isStillExecutable);
    expect(mean).toBe(0);
    expect(largestGain).toBeLessThanOrEqual(0);
  });
});

test("without the movement limit a quote has option value in a fast world", () => {
  const table = Object.fromEntries(
    Object.entries(pairs).map(([name, pair]) => [
      name,
      [1, 10, 60].map((speed) => getGain(pair, speed, isAlwaysAllowed).mean),
    ]),
  );
  expect(table).toEqual({
    "pBTC to pUSDT": [0, 0.04, 6.16],
    "pUSDT to pETH": [0, 0.36, 5.08],
    "pBTC to pETH": [0, 0, 0.03],
  });
});
