import { dayMs } from "#core/money/time.ts";

/** Longer than anything can wait for a market second: contracts run for seven days at most. */
const pastEverythingMs = 8 * dayMs;

/**
 * The two seconds that end the log of a recording. World time stops at `endMs`, so no later second
 * is closed in the normal course, and open orders would wait forever. These two lie beyond anything
 * that can be open, and no venue quotes in them: their leaves show permanently that all seconds
 * between are gaps. So the ordinary rules for gaps settle every order, and verifiers need no rule
 * for endings. The first binds what was accepted at the very end; the second decides that it has no
 * entry.
 */
export function createEndingSeconds(endMs: number): [number, number] {
  return [endMs + pastEverythingMs, endMs + pastEverythingMs + 1_000];
}
