import { dayMs } from "#core/money/time.ts";
import { tileWidth } from "#core/transparency-log/tile.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import { singleFlight, type TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** Leaves whose sizes are averaged: the latest ones. */
const sampleLeaves = 4_096;
/** World milliseconds of leaves that a rate needs. */
const spanMinMs = 60_000;
/** The factor by which the span widens at each attempt while it is too short. */
const widening = 4;

/** Real milliseconds for which a rate is cached; its absence is cached for less. */
const keptMs = { figure: 60_000, none: 5_000 };

/**
 * Bytes the log grows by per real day at the rate of its latest leaves: entries with their lengths,
 * and the hashes of full tiles over them. Null while there is less than a minute of data. Anyone may
 * ask for it at any rate.
 */
export function createGrowthMeter(
  realClock: RealClock,
  transparencyLog: Pick<TransparencyLog, "count" | "leaves">,
): () => Promise<number | null> {
  let cached: { bytes: number | null; untilMs: number } | null = null;
  return singleFlight(async () => {
    const nowMs = realClock.nowMs();
    if (cached && nowMs < cached.untilMs) return cached.bytes;
    const bytes = await bytesPerDay(transparencyLog);
    cached = { bytes, untilMs: nowMs + (bytes === null ? keptMs.none : keptMs.figure) };
    return bytes;
  });
}

async function bytesPerDay({
  count,
  leaves,
}: Pick<TransparencyLog, "count" | "leaves">): Promise<number | null> {
  const end = await count();
  let from = Math.max(0, end - sampleLeaves);
  const sample = await leaves(from, end);
  let first = sample[0];
  const last = sample.at(-1);
  if (!first || !last) return null;
  while (last.atMs - first.atMs < spanMinMs) {
    if (from === 0) return null;
    from = Math.max(0, end - widening * (end - from));
    first = (await leaves(from, from + 1))[0]!;
  }
  const perLeaf = 2 + 32 * (tileWidth / (tileWidth - 1));
  const bytes = sample.reduce((sum, leaf) => sum + leaf.bytes.length + perLeaf, 0);
  const perMs = (end - from) / (last.atMs - first.atMs);
  return Math.round((bytes / sample.length) * perMs * dayMs);
}
