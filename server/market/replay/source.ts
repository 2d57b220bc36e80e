import { setImmediate as breathe } from "node:timers/promises";
import type { Bar } from "#core/market/replay/bars.ts";
import type { BarSeries } from "#core/market/replay/series.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { readRecordedHistory } from "#server/market/replay/history.ts";
import { iterateBars, type Recording } from "#server/market/replay/recording.ts";
import { sumClosedVolume } from "#server/market/replay/volume.ts";
import type { MarketSource, SourceSecond } from "#server/market/source.ts";
import { readState } from "#server/market/store.ts";
import type { AppContext } from "#server/platform/context.ts";

/** The part of a recording before the world's start on which pools are tested. */
const historyMs = 14 * dayMs;
/** Seconds computed before yielding to the event loop: a few milliseconds. */
const chunkSeconds = 200;

/**
 * A recording as a market source. Stateless: a second's quotes follow from the files alone, so
 * there is nothing to restore after a crash.
 */
export function createReplaySource(
  { world: { symbols } }: Pick<AppContext, "world">,
  recording: Recording,
): MarketSource {
  const { venues, series } = recording;
  return {
    kind: "replay",
    venues,
    create: async () => ({ seedAnchor: null, recording: hexToBytes(recording.hash) }),
    prepare: async (tx, atMs) => ({
      untilMs: Number.MAX_SAFE_INTEGER,
      // Only a world whose market is being created has no state yet.
      history: (await readState(tx)) ? null : readRecordedHistory(recording, symbols, atMs),
    }),
    take: async (fromMs, toMs) => {
      const seconds: SourceSecond[] = [];
      for (let secondMs = fromMs; secondMs <= toMs; secondMs += 1_000) {
        seconds.push(findSecond(recording, symbols, secondMs));
        if (seconds.length % chunkSeconds === 0) await breathe();
      }
      return seconds;
    },
    bookOf: ({ secondMs }, venue, symbol) =>
      series.get(symbols[symbol]!)?.get(venues[venue]!)?.bookAt(secondMs) ?? null,
    historyInputs: async (_db, firstMs) => {
      const series = [...iterateBars(recording)].flatMap(({ venue, symbol, bars }) => {
        const before = barsBefore(bars, firstMs);
        return before.length === 0 ? [] : [{ venue, symbol, bars: before }];
      });
      return series.length === 0
        ? null
        : { kind: "recording", series, hash: recording.hash, firstMs };
    },
    save: async () => {},
  };
}

/** The bars of the last two weeks that closed before the world's first second. */
function barsBefore(bars: BarSeries, firstMs: number): Bar[] {
  const before: Bar[] = [];
  for (let index = 0; index < bars.length && bars.closeMs(index) < firstMs; index += 1)
    if (bars.closeMs(index) >= firstMs - historyMs) before.push(bars.bar(index));
  return before;
}

function findSecond(
  { venues, series }: Recording,
  symbols: readonly MarketSymbol[],
  secondMs: number,
): SourceSecond {
  return {
    secondMs,
    quotes: venues.map((venue) =>
      symbols.map((symbol) => series.get(symbol)?.get(venue)?.quoteAt(secondMs) ?? null),
    ),
    volume: symbols.map((symbol) => sumClosedVolume(series.get(symbol)?.values() ?? [], secondMs)),
  };
}
