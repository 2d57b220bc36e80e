import { hourMs } from "#core/money/time.ts";

/** One-use codes of one class: a sheet of four pages. */
export const codesMax = 40;
/** How long a room view shows how the class is getting on, in real time; then it is opened anew. */
export const roomViewMs = hourMs;
/** Wrong PINs in a row, after which a backup stays locked until the teacher unlocks it. */
export const pinTries = 5;
/**
 * How often a backup can be unlocked: with the first five tries at most 55 of the million PINs are
 * ever tried.
 */
export const unlocksMax = 10;
