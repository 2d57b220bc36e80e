import {
  type ExchangeQuote,
  type ExchangeStep,
  type IndexAt,
  worthAtIndex,
} from "#core/exchange/exchange.ts";
import type { FillCostName, FillCosts } from "#core/market/fillCosts.ts";

type QuoteAmounts = Pick<ExchangeQuote, "to" | "atIndex"> & {
  steps: readonly Omit<ExchangeStep, "side" | "rate" | "feeCost" | "spreadCost">[];
};

/**
 * Splits an exchange's costs, in minor units of the coin received, by what is left after each
 * deduction at the index of the quote. They sum to what was given, at the index of the exchange,
 * less what was received. Delay: the index moved while the quote was firm. There is no slippage:
 * all of it goes at one rate.
 *
 * `atIndexNow`: the worth of what was given at the index of the moment of the exchange.
 */
export function computeExchangeCosts(
  { to, atIndex, steps }: QuoteAmounts,
  atIndexNow: bigint,
): FillCosts {
  const indexes = new Map(steps.map(({ symbol, index }) => [symbol, index]));
  const indexAt: IndexAt = (symbol) => indexes.get(symbol) ?? null;
  const costs: Record<FillCostName, bigint> = {
    delay: atIndexNow - atIndex,
    spread: 0n,
    slippage: 0n,
    fee: 0n,
  };
  let remaining = atIndex;
  for (const step of steps) {
    const afterFee = worthAtIndex(step.from, to, step.given - step.fee, indexAt) ?? 0n;
    const afterSpread = worthAtIndex(step.to, to, step.received, indexAt) ?? 0n;
    costs.fee += remaining - afterFee;
    costs.spread += afterFee - afterSpread;
    remaining = afterSpread;
  }
  return costs;
}
