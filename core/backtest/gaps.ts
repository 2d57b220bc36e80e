import type { Moment } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** The gaps between the venues of a symbol over a series of moments, in basis points. */
export interface Gaps {
  /** Moments in which at least two venues had a fresh book. */
  moments: number;
  /** Highest mid over lowest mid, less one, at each such moment: independent of any spread. */
  mids: number[];
  /**
   * Best bid over best ask of another venue, less one: the gain available to a trade before fees.
   */
  takeable: number[];
  /** Lengths of runs of consecutive moments whose takeable gap exceeded the cost. */
  runs: number[];
}

/**
 * Measures the gap between venues as the cross-venue strategy sees it: fresh books only, the best
 * bid against the best ask. `costBp` is what a trade must earn on both legs together.
 */
export function measureGaps(
  moments: Iterable<Moment>,
  symbol: MarketSymbol,
  venues: readonly string[],
  costBp: number,
): Gaps {
  const gaps: Gaps = { moments: 0, mids: [], takeable: [], runs: [] };
  let run = 0;
  for (const moment of moments) {
    const books = venues.flatMap((venue) => {
      const book = moment.book(venue, symbol);
      return book?.atMs === moment.atMs ? [book] : [];
    });
    if (books.length < 2) continue;
    gaps.moments += 1;
    const mids = books.map(({ bid, ask }) => Number(bid + ask) / 2);
    gaps.mids.push((Math.max(...mids) / Math.min(...mids) - 1) * 10_000);
    const bestGap = Math.max(
      ...books.flatMap((bidding, index) =>
        books.flatMap((asking, askingIndex) =>
          askingIndex === index ? [] : [(Number(bidding.bid) / Number(asking.ask) - 1) * 10_000],
        ),
      ),
    );
    gaps.takeable.push(bestGap);
    if (bestGap > costBp) run += 1;
    else if (run > 0) {
      gaps.runs.push(run);
      run = 0;
    }
  }
  if (run > 0) gaps.runs.push(run);
  return gaps;
}
