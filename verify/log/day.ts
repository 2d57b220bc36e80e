import { MismatchError } from "./bytes.ts";
import { Cursor, kinds, readKind } from "./leaves.ts";

/** "`day`" of docs/formats/log.md: a completed UTC day and its missing seconds. */
export interface Day {
  day: number;
  first: number;
  due: number;
  noEntry: number;
  fewSamples: number;
  /** Index of the `day` leaf before; null in the first. */
  before: number | null;
  /** Seconds of the day that are missing, counted from its start. */
  missing: Set<number>;
}

export const secondsOfDay = 86_400;
const countMax = Number.MAX_SAFE_INTEGER;

export function decodeDay(entry: Uint8Array, tag: Uint8Array): Day {
  if (readKind(entry, tag) !== kinds.day) throw new MismatchError("leaves", "leaf_kind_wrong");
  const wrong = (detail: string) => new MismatchError("leaves", "leaf_value_invalid", detail);
  const cursor = new Cursor(entry, 11);
  const day = cursor.count(100_000_000);
  const first = cursor.count(secondsOfDay - 1);
  const dueCount = cursor.count(secondsOfDay);
  const end = first + dueCount;
  if (dueCount === 0 || end > secondsOfDay) throw wrong("due");
  const noEntry = cursor.count(countMax);
  const fewSamples = cursor.count(countMax);
  const link = cursor.count(countMax);
  const missingSeconds = new Set<number>();
  let secondMs = first;
  const stretches = cursor.count(secondsOfDay / 2);
  for (let number = 0; number < stretches; number++) {
    const closedCount = cursor.count(secondsOfDay);
    const count = cursor.count(secondsOfDay);
    if ((number > 0 && closedCount === 0) || count === 0) throw wrong("stretch");
    secondMs += closedCount;
    if (secondMs + count > end) throw wrong("stretch");
    for (let remaining = count; remaining > 0; remaining--) missingSeconds.add(secondMs++);
  }
  cursor.end();
  return {
    day,
    first,
    due: dueCount,
    noEntry,
    fewSamples,
    before: link === 0 ? null : link - 1,
    missing: missingSeconds,
  };
}

const toDate = ({ day }: Pick<Day, "day">): string =>
  new Date(day * secondsOfDay * 1_000).toISOString().slice(0, 10);

/** Describes a day for a reader. */
export function formatDay(day: Day): string {
  const voids = day.noEntry + day.fewSamples;
  const orders = voids === 1 ? "1 order was void" : `${voids} orders were void`;
  return `${day.missing.size} of the ${day.due} seconds of ${toDate(day)} are missing; ${orders}.`;
}

/**
 * Recounts the missing seconds from the leaves read: `seconds` by index, null for a leaf of another
 * kind. Throws a MismatchError of step `day` where the leaf says something else.
 */
export function requireSameCounts(day: Day, seconds: ReadonlyMap<number, number | null>): void {
  const mismatch = (second: number, message: string) =>
    new MismatchError(
      "day",
      "day_seconds_differ",
      `${new Date((day.day * secondsOfDay + second) * 1_000).toISOString()} is ${message}`,
    );
  const inDay = (ms: number) => ms / 1_000 - day.day * secondsOfDay;
  let run: { leaf: number; second: number | null } = { leaf: -2, second: null };
  for (const leaf of [...seconds.keys()].sort((a, b) => a - b)) {
    const ms = seconds.get(leaf) ?? null;
    const knownSecond: number | null = run.leaf + 1 === leaf ? run.second : null;
    if (ms === null) {
      run = { leaf, second: knownSecond };
      continue;
    }
    const second = inDay(ms);
    const isInDay = second >= day.first && second < day.first + day.due;
    if (second >= 0 && second < secondsOfDay && (!isInDay || day.missing.has(second)))
      throw mismatch(second, `missing by the day's leaf, and is leaf ${leaf}`);
    const end = Math.min(second, day.first + day.due);
    if (knownSecond !== null)
      for (let index = Math.max(knownSecond + 1, day.first); index < end; index++)
        if (!day.missing.has(index))
          throw mismatch(index, `not missing by the day's leaf, and no leaf before ${leaf} has it`);
    run = { leaf, second };
  }
}
