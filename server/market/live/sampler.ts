import type { BookLevel } from "#core/market/book.ts";
import { computeIndexValue } from "#core/market/indexValue.ts";
import type { ValidatedBook } from "#core/market/live/observedBook.ts";
import { comparePrices, referenceMaxMs } from "#core/market/live/plausible.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { LiveVenue } from "#server/market/live/liveVenue.ts";
import type {
  LiveSecond,
  SentOrderBook,
  VenueStatus,
  WatchTask,
} from "#server/market/live/messages.ts";

type SampledVenue = Pick<LiveVenue, "id" | "sample" | "takeVolume" | "takerFee">;

interface SampledSecond {
  second: LiveSecond;
  /** Null: as in the second before. */
  status: VenueStatus[] | null;
}

/**
 * Reports the quotes of all venues at the end of each whole second, once and in order. Must be
 * called before any later message is applied.
 */
export function createSampler(
  { symbols, references: known }: Pick<WatchTask, "symbols" | "references">,
  venues: readonly SampledVenue[],
  startMs: number,
) {
  let lastMs = Math.floor(startMs / 1_000) * 1_000;
  const references = [...known];
  const faults = new Map<string, VenueStatus>();

  /**
   * Updates the faults; returns all of them if any changed since the previous second, otherwise
   * null.
   */
  function noteFaults(
    secondMs: number,
    rows: readonly { venue: string; symbol: MarketSymbol; fault: VenueStatus["fault"] | null }[],
  ) {
    let hasChanged = false;
    for (const { venue, symbol, fault } of rows) {
      const bookKey = `${venue} ${symbol}`;
      if (faults.get(bookKey)?.fault === (fault ?? undefined)) continue;
      hasChanged = true;
      if (fault) faults.set(bookKey, { venue, symbol, fault, sinceMs: secondMs });
      else faults.delete(bookKey);
    }
    return hasChanged ? [...faults.values()] : null;
  }

  function sample(secondMs: number): SampledSecond {
    const books: (SentOrderBook | null)[][] = venues.map(() => symbols.map(() => null));
    const volume = symbols.map(() => 0n);
    const index: (bigint | null)[] = [];
    const rows: Parameters<typeof noteFaults>[1][number][] = [];
    for (const [column, { name, venues: listing }] of symbols.entries()) {
      const listedRows = venues.flatMap((venue, row) => (listing.includes(venue.id) ? [row] : []));
      const validatedBooks: ValidatedBook[] = listedRows.map((row) =>
        venues[row]!.sample(name, secondMs),
      );
      const reference = references[column] ?? null;
      const comparison = comparePrices(
        validatedBooks.map(({ quote }) => quote),
        reference && secondMs - reference.atMs <= referenceMaxMs ? reference.value : null,
      );
      const countedQuotes = validatedBooks.map(({ quote }, index) =>
        comparison[index] === "implausible" ? null : quote,
      );
      const value = computeIndexValue(countedQuotes);
      index.push(value);
      if (value !== null) references[column] = { value, atMs: secondMs };
      for (const [index, row] of listedRows.entries()) {
        const { fault, quote, book } = validatedBooks[index]!;
        rows.push({ venue: venues[row]!.id, symbol: name, fault: fault ?? comparison[index]! });
        volume[column]! += venues[row]!.takeVolume(name, secondMs);
        if (!quote || comparison[index] === "implausible") continue;
        const { bid, ask, atMs } = quote;
        books[row]![column] = {
          bid,
          ask,
          atMs,
          bids: pack(book.bids),
          asks: pack(book.asks),
          takerFee: venues[row]!.takerFee(name),
        };
      }
    }
    return { second: { secondMs, books, index, volume }, status: noteFaults(secondMs, rows) };
  }

  return {
    /** All seconds that have ended by `nowMs` and were not sampled yet. */
    until: (nowMs: number): SampledSecond[] => {
      const sampledSeconds: SampledSecond[] = [];
      // After a long sleep the seconds in between were not observed.
      lastMs = Math.max(lastMs, Math.floor(nowMs / 1_000) * 1_000 - 10_000);
      while (lastMs + 1_000 <= nowMs) {
        lastMs += 1_000;
        sampledSeconds.push(sample(lastMs));
      }
      return sampledSeconds;
    },
    nextMs: () => lastMs + 1_000,
    status: () => [...faults.values()],
  };
}

const int64Max = 2n ** 63n - 1n;

function pack(levels: readonly BookLevel[]): BigInt64Array {
  const packedLevels = new BigInt64Array(levels.length * 2);
  for (const [index, { price, size }] of levels.entries()) {
    packedLevels[2 * index] = price;
    packedLevels[2 * index + 1] = size < int64Max ? size : int64Max;
  }
  return packedLevels;
}

export function unpackLevels(packedLevels: BigInt64Array): BookLevel[] {
  const levels: BookLevel[] = [];
  for (let index = 0; index < packedLevels.length; index += 2)
    levels.push({ price: packedLevels[index]!, size: packedLevels[index + 1]! });
  return levels;
}
