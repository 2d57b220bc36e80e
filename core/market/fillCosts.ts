/**
 * The differences between the mid price and the price of a fill, in the order in which they arise.
 * Each is signed: a change in the taker's favour is negative.
 * - `delay`: the mid moved between the decision and the fill;
 * - `spread`: the best price lay off the mid, or a payout off fair odds;
 * - `slippage`: the size took more than the best price, or the price is an average;
 * - `fee`: the fee charged.
 */
export const fillCostNames = ["delay", "spread", "slippage", "fee"] as const;
export type FillCostName = (typeof fillCostNames)[number];

/** In minor units of one coin. */
export type FillCosts = Readonly<Record<FillCostName, bigint>>;

export const noFillCosts: FillCosts = { delay: 0n, spread: 0n, slippage: 0n, fee: 0n };

/** The difference from the mid price that the costs explain. */
export function sumFillCosts(costs: FillCosts): bigint {
  return fillCostNames.reduce((sum, name) => sum + costs[name], 0n);
}

/** The costs of several fills in the same coin. */
export function addFillCosts(list: readonly FillCosts[]): FillCosts {
  return list.reduce(
    (sum, item) => ({
      delay: sum.delay + item.delay,
      spread: sum.spread + item.spread,
      slippage: sum.slippage + item.slippage,
      fee: sum.fee + item.fee,
    }),
    noFillCosts,
  );
}
