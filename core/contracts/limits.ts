import { dayMs, nextDayMs } from "#core/money/time.ts";

/**
 * Self limits on contracts (docs/rules/contracts.md, rule 8). They use real time; a real day is a
 * UTC day. Decided here and stored by the server; no limit can be lifted early.
 */

/**
 * A daily loss limit in minor units (null for none), and a pending higher one with the day it takes
 * effect. Losses count gross, because netting gains invites chasing losses. An order reserves its
 * whole charge in the day's limit row when it posts, and settlement releases what was not lost, so
 * two concurrent orders cannot exceed the limit.
 */
export interface LossLimit {
  limit: bigint | null;
  next: { limit: bigint | null; fromMs: number } | null;
}

/** The limit in force at `realMs`; a pending one replaces the old once its day has come. */
export function getLossLimitAt(lossLimit: LossLimit, realMs: number): LossLimit {
  return lossLimit.next && lossLimit.next.fromMs <= realMs
    ? { limit: lossLimit.next.limit, next: null }
    : lossLimit;
}

/**
 * Sets a limit: lower (or equal) takes effect immediately, higher or none from the next real day.
 * The latest request wins.
 */
export function setLossLimit(
  lossLimit: LossLimit,
  limit: bigint | null,
  realMs: number,
): LossLimit {
  const current = getLossLimitAt(lossLimit, realMs);
  const atOnce = current.limit === null || (limit !== null && limit <= current.limit);
  if (atOnce) return { limit, next: null };
  return { limit: current.limit, next: { limit, fromMs: nextDayMs(realMs) } };
}

export type ExclusionPeriod = "day" | "month" | "forever";
/** End of the exclusion in real milliseconds, or `forever`; null when not excluded. */
export type Exclusion = number | "forever" | null;

const periodMs = { day: dayMs, month: 30 * dayMs };

/** Returns true if new orders are refused at `realMs`. */
export function isExcluded(exclusion: Exclusion, realMs: number): boolean {
  return exclusion === "forever" || (exclusion !== null && realMs < exclusion);
}

/** Excludes from now on; refused unless it ends later than the current exclusion. */
export function extendExclusion(
  exclusion: Exclusion,
  period: ExclusionPeriod,
  realMs: number,
): { ok: true; exclusion: number | "forever" } | { ok: false; error: "exclusion_not_longer" } {
  if (exclusion === "forever") return { ok: false, error: "exclusion_not_longer" };
  if (period === "forever") return { ok: true, exclusion: "forever" };
  const untilMs = realMs + periodMs[period];
  if (exclusion !== null && untilMs <= exclusion)
    return { ok: false, error: "exclusion_not_longer" };
  return { ok: true, exclusion: untilMs };
}

/**
 * The restriction that outlives a deleted account and passes to the wallet's next account: an
 * exclusion still in force, and a daily loss limit until the next real day, when it could be
 * lifted. `ofLossLimit`: only such a limit applies, no exclusion. Null: none.
 */
export function getRetainedExclusion(
  limits: { loss: LossLimit; exclusion: Exclusion },
  realMs: number,
): { until: number | "forever"; ofLossLimit: boolean } | null {
  const { exclusion } = limits;
  if (exclusion === "forever") return { until: exclusion, ofLossLimit: false };
  const excludedMs = exclusion ?? 0;
  const limitedMs = getLossLimitAt(limits.loss, realMs).limit === null ? 0 : nextDayMs(realMs);
  const until = Math.max(excludedMs, limitedMs);
  return until <= realMs ? null : { until, ofLossLimit: excludedMs <= realMs };
}
