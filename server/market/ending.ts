import { dayMs } from "#core/money/time.ts";

/**
 * Longer than anything that waits for a second of the market can wait: contracts run for seven days
 * at most.
 */
const pastEverythingMs = 8 * dayMs;

/**
 * The two seconds that end the log of a recording. World time stands still at `endMs`, so no second
 * after it will ever be closed in its turn, and what is open would wait for ever. These two lie
 * past everything that can be open, and nobody quotes in them: their leaves show for good that all
 * seconds between are gaps. So the rules for gaps, as they are, settle every order, and whoever
 * checks needs no rule for endings. The first binds what was accepted at the very end; the second
 * decides that it has no entry.
 */
export function endingSeconds(endMs: number): [number, number] {
  return [endMs + pastEverythingMs, endMs + pastEverythingMs + 1_000];
}
