import type { Book } from "#core/market/book.ts";
import type { Interval } from "#core/market/intervals.ts";
import type { Kline } from "#core/market/kline.ts";
import type { Quote } from "#core/market/quote.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** What a source says of one second. */
export interface SourceSecond {
  secondMs: number;
  /**
   * `quotes[venue][symbol]` in the orders of `venues` and of the world's symbols; null: the venue
   * said nothing yet.
   */
  quotes: readonly (readonly (Quote | null)[])[];
  /** By symbol, traded on all venues together, at `volumeScale`. */
  volume: readonly bigint[];
}

/** Klines by symbol (the world's order) and interval, oldest first. */
export type KlineHistory = readonly Readonly<Record<Interval, readonly Kline[]>>[];

/** What a source and the feed need of the public log. */
export type LeafLog = Pick<TransparencyLog, "append" | "next">;

/**
 * Where quotes come from. Chosen once, in server/app/modules.ts; the feed knows nothing else of it.
 * Only the feed calls it, one call at a time.
 */
export interface MarketSource {
  readonly kind: World["market"]["kind"];
  readonly venues: readonly string[];
  /**
   * Makes ready for the seconds from `atMs` on, and appends the leaves that must stand before them.
   * Idempotent: after a crash it is called again. `untilMs` is where it must be called next
   * (exclusive end of what `take` may be asked for). `history` comes with the very first second and
   * never again: klines from before it.
   */
  prepare(tx: Tx, atMs: number): Promise<{ untilMs: number; history: KlineHistory | null }>;
  /**
   * Every whole second from `fromMs` to `toMs`, both included. May be asked again for what a lost
   * transaction closed.
   */
  take(fromMs: number, toMs: number): Promise<SourceSecond[]>;
  /**
   * The book behind a quote of a second that `take` gave last, by the numbers of venue and symbol:
   * of the moment in which the venue said it, which is the quote's. Null where there is no quote.
   */
  bookOf(second: SourceSecond, venue: number, symbol: number): Book | null;
  /** Writes down, in the transaction that closes the last second taken, what a restart needs. */
  save(tx: Tx): Promise<void>;
}
