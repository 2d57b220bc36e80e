import type { ChartBar } from "./bars.ts";

/** The figures of a range of bars; prices as the server wrote them. */
export interface RangeSummary {
  count: number;
  fromMs: number;
  toMs: number;
  open: string;
  close: string;
  high: string;
  highMs: number;
  low: string;
  lowMs: number;
  /** Change from the first opening to the last close, in basis points, rounded to nearest. */
  changeBp: number;
}

/** Summarises bars in order of time; null when there are none. */
export function summariseBars(bars: readonly ChartBar[]): RangeSummary | null {
  const [first] = bars;
  const last = bars.at(-1);
  if (!first || !last) return null;
  let highest = first;
  let lowest = first;
  for (const bar of bars) {
    if (bar.high > highest.high) highest = bar;
    if (bar.low < lowest.low) lowest = bar;
  }
  return {
    count: bars.length,
    fromMs: first.timestamp,
    toMs: last.timestamp,
    open: first.text[0],
    close: last.text[3],
    high: highest.text[1],
    highMs: highest.timestamp,
    low: lowest.text[2],
    lowMs: lowest.timestamp,
    // This float is for text only; nothing is settled with it.
    changeBp: Math.round(((last.close - first.open) / first.open) * 10_000),
  };
}
