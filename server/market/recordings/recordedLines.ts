import { sizeScale } from "#core/market/book.ts";
import { filterFreshQuotes } from "#core/market/indexValue.ts";
import { volumeScale } from "#core/market/kline.ts";
import { recordedFileName } from "#core/market/replay/fileName.ts";
import { formatSecond } from "#core/market/replay/seconds.ts";
import type { AppendedSecond } from "#server/market/feed.ts";
import type { RecordBegin, RecordSecond } from "#server/market/recordings/messages.ts";
import type { World } from "#server/platform/world.ts";

/** Turns closed seconds of a world into lines of a recording. */
export function createRecordedLines(
  { name: world, market, symbols, listing }: World,
  venues: readonly string[],
) {
  const files = listing.flatMap(({ venues: listedVenues, scale }, column) =>
    listedVenues.map((venue) => {
      const symbol = symbols[column]!;
      const name = recordedFileName({ venue, symbol, step: "1s" });
      return { name, symbol, column, scale, row: venues.indexOf(venue) };
    }),
  );
  /** Volume traded without a quote, by symbol; it is added to the next quote. */
  const carriedVolumes = symbols.map(() => 0n);
  const unit = 10n ** BigInt(sizeScale - volumeScale);
  const begin: RecordBegin = {
    world,
    kind: market.kind,
    speed: market.speed,
    files: files.map(({ name }) => name),
    symbols,
  };
  return {
    begin,
    /** Called once for each second, in order, while its books can still be asked for. */
    second: (appendedSecond: AppendedSecond): RecordSecond => {
      const { secondMs, index, quotes, volume } = appendedSecond;
      for (const [column, tradedVolume] of volume.entries())
        carriedVolumes[column]! += tradedVolume * unit;
      const lines: [number, string][] = [];
      for (const [position, { symbol, column, scale, row }] of files.entries()) {
        const quote = quotes[row]?.[column];
        const [countedQuote] = filterFreshQuotes([quote ?? null], secondMs);
        if (!quote || !countedQuote) continue;
        const book = appendedSecond.bookOf(row, symbol) ?? { bids: [], asks: [] };
        const item = { secondMs, quote, volume: carriedVolumes[column]!, book };
        lines.push([position, formatSecond(item, scale)]);
        carriedVolumes[column] = 0n;
      }
      return { secondMs, index: symbols.map((item) => index[item]?.toString() ?? null), lines };
    },
  };
}
