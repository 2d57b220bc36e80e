import { hourMs } from "#core/money/time.ts";

/** One-use codes of one class: a sheet of four pages. */
export const codesMax = 40;
/** How long a room view shows the class's progress, in real time; then it must be reopened. */
export const roomViewMs = hourMs;
/** Wrong PINs in a row, after which a backup stays locked until the teacher unlocks it. */
export const pinTries = 5;
/**
 * How often a backup can be unlocked: including the first five attempts, at most 55 of the million
 * PINs can ever be tried.
 */
export const unlocksMax = 10;
