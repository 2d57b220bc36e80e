import { quoteMaxAgeMs } from "#core/market/quote.ts";

/** How much later than usual a venue's messages may arrive: as long as a quote is fresh. */
const lateMaxMs = quoteMaxAgeMs;

/** A jump in delay that no connection causes: the venue's clock was set. */
const clockSetMs = 600_000;
/** The longest that a venue can be late; beyond that, its clock must have been set. */
const lateForMs = 600_000;
/** How long a late venue stays late, regardless of its clock. */
const carriedOverMs = 30_000;

/**
 * How long a venue's messages take by its own clock: arrival minus the stated time. Kept across
 * connections, because a connection made while the venue is late must not treat that delay as
 * usual. Times are world time.
 */
export interface VenueDelay {
  /** The smallest delay seen, raised by a millisecond per second because clocks drift. */
  usualMs: number;
  /** By how much the last message was later than usual. */
  lateMs: number;
  /** Since when every message has been late; null if the last one was not. */
  lateSinceMs: number | null;
  /** When the last message was observed. */
  atMs: number;
}

/**
 * Updates the delay of a venue with a message that took `delayMs`; `previous` is null before the
 * first message.
 */
export function updateDelay(
  previous: VenueDelay | null,
  delayMs: number,
  atMs: number,
): VenueDelay {
  const first = { usualMs: delayMs, lateMs: 0, lateSinceMs: null, atMs };
  if (!previous) return first;
  const usualMs = previous.usualMs + (atMs - previous.atMs) / 1_000;
  const lateMs = Math.max(0, delayMs - usualMs);
  if (Math.abs(delayMs - usualMs) > clockSetMs) {
    const isCarriedOver = isLate(previous.lateMs) && atMs - previous.atMs <= carriedOverMs;
    return isCarriedOver ? { ...previous, usualMs: delayMs - previous.lateMs, atMs } : first;
  }
  const lateSinceMs = isLate(lateMs) ? (previous.lateSinceMs ?? atMs) : null;
  if (lateSinceMs !== null && atMs - lateSinceMs > lateForMs) return first;
  return { usualMs: Math.min(delayMs, usualMs), lateMs, lateSinceMs, atMs };
}

export function isLate(lateMs: number): boolean {
  return lateMs > lateMaxMs;
}
