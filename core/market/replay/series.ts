import type { Book } from "#core/market/book.ts";
import type { Quote } from "#core/market/quote.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { toBarBook, toBarQuote } from "#core/market/replay/book.ts";
import { minuteMs } from "#core/money/time.ts";

/** The recording of one symbol at one venue: minutes or seconds. Immutable. */
export interface RecordedSeries {
  /** True if quotes may change in any second; otherwise only in the first two of a minute. */
  readonly isPerSecond: boolean;
  /** World time just before the first quote can be known; +∞ if there is none. */
  readonly firstMs: number;
  /** World time of the last quote; −∞ if there is none. */
  readonly endMs: number;
  /** The quote known at a whole second, fresh or not. */
  quoteAt(atMs: number): Quote | null;
  /** The book behind that quote. */
  bookAt(atMs: number): Book | null;
  /** Volume that becomes known exactly at a whole second, at scale 8. */
  volumeClosedAt(atMs: number): bigint;
}

/**
 * The bars of one symbol at one venue, packed: a year of minutes takes 21 MB, a fraction of what
 * objects would. Immutable; bars are in ascending order.
 */
export class BarSeries implements RecordedSeries {
  readonly isPerSecond = false;
  readonly length: number;
  readonly #openMs: Float64Array;
  /** Open, low, high, close and volume of each bar. */
  readonly #values: BigInt64Array;

  constructor(bars: readonly Bar[]) {
    this.length = bars.length;
    this.#openMs = Float64Array.from(bars, ({ openMs }) => openMs);
    this.#values = new BigInt64Array(bars.length * 5);
    for (const [index, { open, low, high, close, volume }] of bars.entries()) {
      this.#values.set([open, low, high, close, volume], index * 5);
    }
  }

  get firstMs(): number {
    return this.#openMs[0] ?? Number.POSITIVE_INFINITY;
  }

  get endMs(): number {
    return this.length === 0 ? Number.NEGATIVE_INFINITY : this.closeMs(this.length - 1);
  }

  /** The time at which the bar at `index` closes and becomes known. */
  closeMs(index: number): number {
    return (this.#openMs[index] as number) + minuteMs;
  }

  bar(index: number): Bar {
    const value = (column: number) => this.#values[index * 5 + column] as bigint;
    return {
      openMs: this.#openMs[index] as number,
      open: value(0),
      low: value(1),
      high: value(2),
      close: value(3),
      volume: value(4),
    };
  }

  /** Index of the last bar closed at or before `atMs`; −1 if none. */
  lastClosed(atMs: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.closeMs(middle) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The quote of the last bar closed by `atMs`, fresh or not; null before the first. */
  quoteAt(atMs: number): Quote | null {
    const index = this.lastClosed(atMs);
    return index < 0 ? null : toBarQuote(this.bar(index));
  }

  bookAt(atMs: number): Book | null {
    const index = this.lastClosed(atMs);
    return index < 0 ? null : toBarBook(this.bar(index));
  }

  /** Volume of the bar that closes exactly at `atMs`, at scale 8; 0 if none does. */
  volumeClosedAt(atMs: number): bigint {
    if (atMs % minuteMs !== 0) return 0n;
    const index = this.lastClosed(atMs);
    return index >= 0 && this.closeMs(index) === atMs ? this.bar(index).volume : 0n;
  }
}
