import { accrualPerTh, type NetworkFigures } from "#core/mining/formula.ts";
import { hourMs } from "#core/money/time.ts";

/**
 * One reading of the network, at a whole hour of world time. Its figures stand until the next.
 * `cumulative` is what 1 TH/s has brought since the world's first reading, before the pool's fee,
 * in 10⁻¹² satoshi; `accrual` what it brings in this hour.
 */
export interface Reading extends NetworkFigures {
  hourMs: number;
  cumulative: bigint;
  accrual: bigint;
}

/**
 * The reading that follows one (null: the first), from the figures read at `atMs`. Throws a
 * RangeError unless it is the next hour.
 */
export function nextReading(
  before: Pick<Reading, "hourMs" | "cumulative" | "accrual"> | null,
  figures: NetworkFigures,
  atMs: number,
): Reading {
  if (atMs % hourMs !== 0 || (before && atMs !== before.hourMs + hourMs)) {
    throw new RangeError("readings are made each whole hour, none left out");
  }
  return {
    ...figures,
    hourMs: atMs,
    cumulative: before ? before.cumulative + before.accrual : 0n,
    accrual: accrualPerTh(figures, hourMs / 1_000),
  };
}

/**
 * What 1 TH/s has brought up to `atMs`, which lies in the reading's hour: its accrual grows evenly,
 * rounded down.
 */
export function cumulativeAt(
  { hourMs: from, cumulative, accrual }: Pick<Reading, "hourMs" | "cumulative" | "accrual">,
  atMs: number,
): bigint {
  if (atMs < from || atMs > from + hourMs) throw new RangeError("the moment is not in this hour");
  return cumulative + (accrual * BigInt(atMs - from)) / BigInt(hourMs);
}
