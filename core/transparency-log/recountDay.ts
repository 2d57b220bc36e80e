import type { DayLeaf } from "#core/transparency-log/dayLeaf.ts";

/** A leaf that was read: the second that it closes, or null for one of another kind. */
export interface LeafSecond {
  leaf: number;
  secondMs: number | null;
}

const secondsOfDay = 86_400;

/**
 * Compares the gaps stated by a `day` leaf with the leaves read, ascending by index: none of their
 * seconds may be missing, and between two whose leaves follow each other every second must be.
 * Returns the first second (since 1970) that differs, or null.
 */
export function findWrongSecond(
  { day, due, missing }: Pick<DayLeaf, "day" | "due" | "missing">,
  leaves: readonly LeafSecond[],
): number | null {
  const start = day * secondsOfDay;
  const end = start + due.from + due.count;
  const isDue = (second: number) => second >= start + due.from && second < end;
  const isMissing = (second: number) =>
    missing.some(({ from, count }) => second >= start + from && second < start + from + count);
  let before: { leaf: number; second: number | null } = { leaf: -2, second: null };
  for (const { leaf, secondMs } of leaves) {
    // A leaf that was not read may hold a second.
    let last = before.leaf === leaf - 1 ? before.second : null;
    if (secondMs !== null) {
      const second = secondMs / 1_000;
      const inDay = Math.floor(second / secondsOfDay) === day;
      if (inDay && (!isDue(second) || isMissing(second))) return second;
      if (last !== null)
        for (
          let index = Math.max(last + 1, start + due.from);
          index < Math.min(second, end);
          index += 1
        )
          if (!isMissing(index)) return index;
      last = second;
    }
    before = { leaf, second: last };
  }
  return null;
}
