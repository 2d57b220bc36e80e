import { dayMs } from "#core/money/time.ts";

/** Days (real time) after first finishing the lesson at which it is offered again. */
const offerDays = [30, 90] as const;
export type OfferDays = (typeof offerDays)[number];

/**
 * The repeat offer in force (times in real milliseconds): the latest whose day has come, unless the
 * lesson was finished on or after that day. Null when none is due yet or the lesson was repeated.
 */
export function standingOffer(
  { firstAtMs, lastAtMs }: { firstAtMs: number; lastAtMs: number },
  nowMs: number,
): OfferDays | null {
  const come = offerDays.findLast((days) => nowMs >= firstAtMs + days * dayMs);
  if (come === undefined || lastAtMs >= firstAtMs + come * dayMs) return null;
  return come;
}

/** When the next offer comes; null after the last. */
export function nextOfferAtMs(firstAtMs: number, nowMs: number): number | null {
  const days = offerDays.find((one) => nowMs < firstAtMs + one * dayMs);
  return days === undefined ? null : firstAtMs + days * dayMs;
}
