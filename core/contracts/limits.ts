import { dayMs } from "#core/money/time.ts";

/**
 * Self limits on contracts (docs/rules/contracts.md, rule 8). They go by real time: a real day is a
 * UTC day. Decided here, kept by the server; nothing can be undone early.
 */

/** Number of the real day (UTC) since 1970. */
export function realDay(realMs: number): number {
  return Math.floor(realMs / dayMs);
}

/** First millisecond of the next real day. */
export function nextDayMs(realMs: number): number {
  return (realDay(realMs) + 1) * dayMs;
}

/**
 * A daily loss limit in minor units, null for none, and a higher one that waits for its day.
 * Losses count gross, since counting net of gains invites chasing. An order takes its whole charge
 * from the day's limit row with its posting, and settlement gives back what was not lost, so that
 * two orders at once cannot pass it.
 */
export interface LossLimit {
  limit: bigint | null;
  next: { limit: bigint | null; fromMs: number } | null;
}

/** The limit as it stands at `realMs`: one whose day has come replaces the old. */
export function lossLimitAt(stored: LossLimit, realMs: number): LossLimit {
  return stored.next && stored.next.fromMs <= realMs
    ? { limit: stored.next.limit, next: null }
    : stored;
}

/**
 * Sets a limit: lower (or the same) at once, higher or none from the next real day on. The latest
 * request counts.
 */
export function setLossLimit(stored: LossLimit, wanted: bigint | null, realMs: number): LossLimit {
  const now = lossLimitAt(stored, realMs);
  const atOnce = now.limit === null || (wanted !== null && wanted <= now.limit);
  if (atOnce) return { limit: wanted, next: null };
  return { limit: now.limit, next: { limit: wanted, fromMs: nextDayMs(realMs) } };
}

export type ExclusionPeriod = "day" | "month" | "forever";
/** Until when, in real milliseconds; `forever` for good; null when not excluded. */
export type Exclusion = number | "forever" | null;

const periodMs = { day: dayMs, month: 30 * dayMs };

/** Whether new orders are barred at `realMs`. */
export function isExcluded(exclusion: Exclusion, realMs: number): boolean {
  return exclusion === "forever" || (exclusion !== null && realMs < exclusion);
}

/** Excludes from now on; refused unless it ends later than the one that stands. */
export function exclude(
  stored: Exclusion,
  period: ExclusionPeriod,
  realMs: number,
): { ok: true; exclusion: number | "forever" } | { ok: false; error: "exclusion_not_longer" } {
  if (stored === "forever") return { ok: false, error: "exclusion_not_longer" };
  if (period === "forever") return { ok: true, exclusion: "forever" };
  const until = realMs + periodMs[period];
  if (stored !== null && until <= stored) return { ok: false, error: "exclusion_not_longer" };
  return { ok: true, exclusion: until };
}

/**
 * What a person's limits still bar when their account is deleted, and the next account of the same
 * wallet must not pass by: an exclusion that runs, and a daily loss limit, which could be lifted
 * from the next real day on, until then. `ofLossLimit`: there is no exclusion but such a limit.
 * Null: nothing.
 */
export function barredAfterDeletion(
  stored: { loss: LossLimit; exclusion: Exclusion },
  realMs: number,
): { until: number | "forever"; ofLossLimit: boolean } | null {
  const { exclusion } = stored;
  if (exclusion === "forever") return { until: exclusion, ofLossLimit: false };
  const excludedMs = exclusion ?? 0;
  const limitedMs = lossLimitAt(stored.loss, realMs).limit === null ? 0 : nextDayMs(realMs);
  const until = Math.max(excludedMs, limitedMs);
  return until <= realMs ? null : { until, ofLossLimit: excludedMs <= realMs };
}
