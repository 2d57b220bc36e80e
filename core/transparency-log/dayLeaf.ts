import { concatBytes } from "#core/transparency-log/bytes.ts";
import { decodeHead, ensure, leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import { ByteReader, ByteWriter, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** Consecutive seconds of a day: the first, in seconds after the day's start, and how many. */
export interface SecondRange {
  from: number;
  count: number;
}

/** Orders of a day that were returned, by the reason. */
export interface Voids {
  noEntry: number;
  fewSamples: number;
}

/** A UTC day of world time that is over: which of its seconds were never closed. */
export interface DayLeaf {
  /** Days since 1970. */
  day: number;
  /** Seconds that were due: all of the day, but in the world's first and a recording's last. */
  due: SecondRange;
  voids: Voids;
  /** Index of the `day` leaf of the day before; null in the world's first. */
  before: number | null;
  /** Ascending, with closed seconds between any two. */
  missing: readonly SecondRange[];
}

const dayMax = 100_000_000;
const secondsOfDay = 86_400;
const countMax = Number.MAX_SAFE_INTEGER;

/** Encodes a `day` leaf. Throws a RangeError for values a decoder would refuse. */
export function encodeDay({ day, due, voids, before, missing }: DayLeaf, world: string) {
  const writer = new ByteWriter();
  const numbers = [day, due.from, due.count, voids.noEntry, voids.fewSamples];
  for (const value of [...numbers, before === null ? 0 : before + 1]) writer.uint(value);
  writer.uint(missing.length);
  let secondMs = due.from;
  for (const { from, count } of missing) {
    writer.uint(from - secondMs);
    writer.uint(count);
    secondMs = from + count;
  }
  const bytes = concatBytes(leafHead("day", worldTag(world)), writer.bytes());
  if (!decodeDay(bytes, null).ok) throw new RangeError("not a valid day leaf");
  return bytes;
}

/** Reads a `day` leaf of the world with this tag (null: of any world). */
export function decodeDay(bytes: Uint8Array, tag: Uint8Array | null): Decoded<DayLeaf> {
  return tryDecode(() => {
    const reader = new ByteReader(bytes);
    decodeHead(reader, "day", tag);
    const day = reader.count(dayMax);
    const due = { from: reader.count(secondsOfDay - 1), count: reader.count(secondsOfDay) };
    const end = due.from + due.count;
    ensure(due.count > 0 && end <= secondsOfDay);
    const voids = { noEntry: reader.count(countMax), fewSamples: reader.count(countMax) };
    const link = reader.count(countMax);
    const missingRanges: SecondRange[] = [];
    let secondMs = due.from;
    for (let remaining = reader.count(secondsOfDay / 2); remaining > 0; remaining -= 1) {
      const closedCount = reader.count(secondsOfDay);
      const count = reader.count(secondsOfDay);
      ensure(
        (closedCount > 0 || missingRanges.length === 0) &&
          count > 0 &&
          secondMs + closedCount + count <= end,
      );
      missingRanges.push({ from: secondMs + closedCount, count });
      secondMs += closedCount + count;
    }
    reader.end();
    return { day, due, voids, before: link === 0 ? null : link - 1, missing: missingRanges };
  });
}

/** How many seconds of the day are missing. */
export function countMissing({ missing }: Pick<DayLeaf, "missing">): number {
  return missing.reduce((sum, { count }) => sum + count, 0);
}
