import { redemptionFeeBp } from "#core/hosting/pool.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";
import { computeQuantiles, countBelow, type Quantiles } from "#core/monte-carlo/quantiles.ts";

/** A pool's NAV at a time, under each friction. */
export interface NavMoment<Friction extends string> {
  atMs: number;
  nav: Readonly<Record<Friction, bigint>>;
}

export interface PoolRun {
  /** The number of moments from which the pool could be held that long. */
  starts: number;
  /** The number of them that end with less than was put in. */
  below: number;
  spread: Quantiles;
  /** The spread of results by holding time, in milliseconds. */
  fan: { heldMs: number; spread: Quantiles }[];
}

const points = 24;

/**
 * The results of putting `amount` into a pool at each moment of its history and redeeming after
 * `heldMs`, less the amount: at the last NAV known then, rounded down, less the redemption fee,
 * rounded up. Starts with less history ahead of them are left out. Null if none remains. `moments`
 * are in time order.
 */
export function runPool<Friction extends string>(
  moments: readonly NavMoment<Friction>[],
  friction: Friction,
  amount: bigint,
  heldMs: number,
): PoolRun | null {
  const lastMs = moments.at(-1)?.atMs ?? 0;
  const starts = moments.filter(({ atMs }) => atMs + heldMs <= lastMs);
  if (starts.length === 0) return null;
  const fan = Array.from({ length: points + 1 }, (_, point) => {
    const afterMs = Math.round((heldMs * point) / points);
    const results = listResults(moments, starts, friction, amount, afterMs);
    return { heldMs: afterMs, spread: computeQuantiles(results) };
  });
  const ends = listResults(moments, starts, friction, amount, heldMs);
  return { starts: starts.length, below: countBelow(ends), spread: computeQuantiles(ends), fan };
}

function listResults<Friction extends string>(
  moments: readonly NavMoment<Friction>[],
  starts: readonly NavMoment<Friction>[],
  friction: Friction,
  amount: bigint,
  afterMs: number,
): bigint[] {
  // Both are in time order, so the last known moment only moves forward.
  let index = 0;
  return starts.map((start) => {
    while (index + 1 < moments.length && moments[index + 1]!.atMs <= start.atMs + afterMs)
      index += 1;
    const worth = divideDown(amount * moments[index]!.nav[friction], start.nav[friction]);
    return worth - divideUp(worth * redemptionFeeBp, 10_000n) - amount;
  });
}
