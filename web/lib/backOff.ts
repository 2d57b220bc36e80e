/**
 * Exponential backoff: milliseconds until the next attempt after `failures` failed ones, 0.5 s
 * doubling to 30 s, jittered by `chance` (0 to 1).
 */
export function computeBackOffMs(failures: number, chance: number): number {
  const fullMs = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return Math.round(fullMs * (0.5 + chance / 2));
}
