import { dayMs } from "#core/money/time.ts";

/** Days of real time after the first finishing from which the lesson is offered again. */
const offerDays = [30, 90] as const;
export type OfferDays = (typeof offerDays)[number];

/**
 * Which offer of a repetition stands (real milliseconds): the latest whose day has come, unless the
 * lesson was finished on or after that day. Null: none, because it was never finished, it is too
 * early, or it was repeated.
 */
export function standingOffer(
  { firstAtMs, lastAtMs }: { firstAtMs: number; lastAtMs: number },
  nowMs: number,
): OfferDays | null {
  const come = offerDays.findLast((days) => nowMs >= firstAtMs + days * dayMs);
  if (come === undefined || lastAtMs >= firstAtMs + come * dayMs) return null;
  return come;
}

/** When the next offer comes; null when there is none to come. */
export function nextOfferAtMs(firstAtMs: number, nowMs: number): number | null {
  const days = offerDays.find((one) => nowMs < firstAtMs + one * dayMs);
  return days === undefined ? null : firstAtMs + days * dayMs;
}
