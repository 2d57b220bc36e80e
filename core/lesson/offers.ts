import { dayMs } from "#core/money/time.ts";

/** Days (real time) after the first lesson or sitting at which another sitting is offered. */
export const offerDays = [21, 90] as const;
export type OfferDays = (typeof offerDays)[number];

/**
 * When a person first finished a lesson or a sitting, and their last sitting or that first time.
 */
export interface LessonTimes {
  firstAtMs: number;
  lastAtMs: number;
}

/**
 * The offer in force (times in real milliseconds): the latest whose day has come, unless a sitting
 * was finished on or after that day. Null when none is due yet or it was taken up.
 */
export function findCurrentOffer(
  { firstAtMs, lastAtMs }: LessonTimes,
  nowMs: number,
): OfferDays | null {
  const come = offerDays.findLast((days) => nowMs >= computeOfferMs(firstAtMs, days));
  if (come === undefined || lastAtMs >= computeOfferMs(firstAtMs, come)) return null;
  return come;
}

/** When an offer comes. */
export const computeOfferMs = (firstAtMs: number, days: OfferDays): number =>
  firstAtMs + days * dayMs;

/** When the next offer comes; null after the last. */
export function nextOfferAtMs(firstAtMs: number, nowMs: number): number | null {
  const days = offerDays.find((day) => nowMs < computeOfferMs(firstAtMs, day));
  return days === undefined ? null : computeOfferMs(firstAtMs, days);
}
