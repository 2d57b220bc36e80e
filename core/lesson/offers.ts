import { dayMs } from "#core/money/time.ts";

/** Days (real time) after the first lesson or sitting at which another sitting is offered. */
export const offerDays = [21, 90] as const;
export type OfferDays = (typeof offerDays)[number];

/**
 * The times of a person's first finished lesson or sitting, and of their last sitting (or the first
 * time again).
 */
export interface LessonTimes {
  firstAtMs: number;
  lastAtMs: number;
}

/**
 * The offer in force (times in real milliseconds): the latest one due, unless a sitting was
 * finished on or after its day. Null when none is due or the latest was taken.
 */
export function findCurrentOffer(
  { firstAtMs, lastAtMs }: LessonTimes,
  nowMs: number,
): OfferDays | null {
  const dueOffer = offerDays.findLast((days) => nowMs >= computeOfferMs(firstAtMs, days));
  if (dueOffer === undefined || lastAtMs >= computeOfferMs(firstAtMs, dueOffer)) return null;
  return dueOffer;
}

/** The time of an offer. */
export const computeOfferMs = (firstAtMs: number, days: OfferDays): number =>
  firstAtMs + days * dayMs;

/** The time of the next offer; null after the last. */
export function nextOfferAtMs(firstAtMs: number, nowMs: number): number | null {
  const days = offerDays.find((day) => nowMs < computeOfferMs(firstAtMs, day));
  return days === undefined ? null : computeOfferMs(firstAtMs, days);
}
