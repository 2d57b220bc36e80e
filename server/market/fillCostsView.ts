import { type FillCostName, type FillCosts, fillCostNames } from "#core/market/fillCosts.ts";
import { formatAmount } from "#core/money/amount.ts";
import type { Coin } from "#core/money/coins.ts";

/** Costs as on the wire: decimals of one coin. */
export function toFillCostsView(costs: FillCosts, coin: Coin): Record<FillCostName, string> {
  const entries = fillCostNames.map((name) => [name, formatAmount(costs[name], coin)]);
  return Object.fromEntries(entries) as Record<FillCostName, string>;
}
