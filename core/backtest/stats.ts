import { unitNav } from "#core/hosting/pool.ts";

/** Change since `from` in basis points, truncated towards zero: 1.00000000 to 0.99500000 is −50. */
export function computeChangeBp(from: bigint, to: bigint): bigint {
  return ((to - from) * 10_000n) / from;
}

/** Return in basis points since the pool's start at a NAV of 1. */
export function computeReturnBp(nav: bigint): bigint {
  return computeChangeBp(unitNav, nav);
}

/** Maximum drawdown so far, updated value by value. */
export interface Drawdown {
  peak: bigint;
  /** In basis points of the peak, rounded up: a loss is never understated. */
  worstBp: bigint;
}

export const noDrawdown: Drawdown = { peak: 0n, worstBp: 0n };

/** The drawdown after one more value (a NAV or a pool's worth, at least 0). */
export function updateDrawdown({ peak, worstBp }: Drawdown, value: bigint): Drawdown {
  if (value >= peak) return { peak: value, worstBp };
  const fall = ((peak - value) * 10_000n + peak - 1n) / peak;
  return { peak, worstBp: fall > worstBp ? fall : worstBp };
}
