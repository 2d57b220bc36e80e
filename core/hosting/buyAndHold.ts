/** A payment into a pool (positive) or out of it, and buy-and-hold's NAV at its mark. */
export interface PoolFlow {
  amount: bigint;
  hold: bigint;
}

/**
 * The result of the same payments in the pool's coin itself, without any cost: each buys or sells
 * at the index of its mark, and the rest is worth `holdNow`. Truncated toward zero, payment by
 * payment. Negative if more came out of the pool than the coin would have given.
 */
export function computeBuyAndHoldValue(flows: readonly PoolFlow[], holdNow: bigint): bigint {
  return flows.reduce((sum, { amount, hold }) => sum + (amount * holdNow) / hold, 0n);
}
