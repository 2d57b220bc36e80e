import { computeAccrualPerTh, type NetworkFigures } from "#core/mining/formula.ts";
import { hourMs } from "#core/money/time.ts";

/**
 * A reading of the network at a whole hour of world time, valid until the next. `cumulative` is the
 * amount 1 TH/s has earned since the world's first reading, before the pool fee, in 10⁻¹² satoshi;
 * `accrual` is what it earns in this hour.
 */
export interface Reading extends NetworkFigures {
  hourMs: number;
  cumulative: bigint;
  accrual: bigint;
}

/**
 * Makes the reading that follows `before` (null for the first) from the figures read at `atMs`.
 * Throws a RangeError unless it is the next hour.
 */
export function createNextReading(
  before: Pick<Reading, "hourMs" | "cumulative" | "accrual"> | null,
  figures: NetworkFigures,
  atMs: number,
): Reading {
  if (atMs % hourMs !== 0 || (before && atMs !== before.hourMs + hourMs)) {
    throw new RangeError("readings must be hourly with none left out");
  }
  return {
    ...figures,
    hourMs: atMs,
    cumulative: before ? before.cumulative + before.accrual : 0n,
    accrual: computeAccrualPerTh(figures, hourMs / 1_000),
  };
}

/**
 * The earnings of 1 TH/s up to `atMs` within the reading's hour: its accrual grows linearly,
 * rounded down.
 */
export function computeCumulativeAt(
  { hourMs: from, cumulative, accrual }: Pick<Reading, "hourMs" | "cumulative" | "accrual">,
  atMs: number,
): bigint {
  if (atMs < from || atMs > from + hourMs) throw new RangeError("atMs is outside this hour");
  return cumulative + (accrual * BigInt(atMs - from)) / BigInt(hourMs);
}
