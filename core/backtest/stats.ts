import { navOne } from "#core/hosting/pool.ts";

/**
 * Change since `from` in hundredths of a percent, cut towards zero: 1.00000000 to 0.99500000 is
 * −50.
 */
export function changeBp(from: bigint, to: bigint): bigint {
  return ((to - from) * 10_000n) / from;
}

/** Return since the pool's start, whose NAV was 1, in hundredths of a percent. */
export function returnBp(nav: bigint): bigint {
  return changeBp(navOne, nav);
}

/** The deepest fall from a highest value so far, carried from value to value. */
export interface Drawdown {
  peak: bigint;
  /**
   * In hundredths of a percent of the peak, rounded up: a loss is never shown smaller than it was.
   */
  worstBp: bigint;
}

export const noDrawdown: Drawdown = { peak: 0n, worstBp: 0n };

/** The drawdown with one more value. Values are NAVs, or a pool's worth; at least 0. */
export function drawdownWith({ peak, worstBp }: Drawdown, value: bigint): Drawdown {
  if (value >= peak) return { peak: value, worstBp };
  const fall = ((peak - value) * 10_000n + peak - 1n) / peak;
  return { peak, worstBp: fall > worstBp ? fall : worstBp };
}
