import type { Book } from "#core/market/book.ts";
import type { Interval } from "#core/market/intervals.ts";
import type { Kline } from "#core/market/kline.ts";
import type { Quote } from "#core/market/quote.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** A source's data for one second. */
export interface SourceSecond {
  secondMs: number;
  /**
   * `quotes[venue][symbol]` in the orders of `venues` and of the world's symbols; null while the
   * venue has not quoted yet.
   */
  quotes: readonly (readonly (Quote | null)[])[];
  /** Volume by symbol, summed over all venues, at `volumeScale`. */
  volume: readonly bigint[];
}

/** Klines by symbol (in the world's order) and interval, oldest first. */
export type KlineHistory = readonly Readonly<Record<Interval, readonly Kline[]>>[];

/**
 * The inputs of the hours before a world's first second: a seed that must stay secret until it is
 * revealed, or bars.
 */
export type HistoryInputs =
  | {
      kind: "simulated";
      seed: Uint8Array;
      symbols: readonly MarketSymbol[];
      simulator: number;
      firstMs: number;
    }
  | {
      kind: "recording";
      /** Bars that closed before the world began, of its last two weeks, by symbol and venue. */
      series: { venue: string; symbol: MarketSymbol; bars: readonly Bar[] }[];
      /** SHA-256, as in the `world` leaf. */
      hash: string;
      firstMs: number;
    };

/** A venue's fee for takers, at the lowest volume. */
export interface TakerFee {
  /** In hundredths of a basis point. */
  fee: number;
  /** The catalogue that it was read from, with its version. */
  source: string;
}

/** The parts of the public log that a source and the feed use. */
export type LeafLog = Pick<TransparencyLog, "append" | "next">;

/**
 * Where quotes come from. Chosen once, in server/app/modules.ts; the feed knows only this
 * interface. Called by the feed only, one call at a time.
 */
export interface MarketSource {
  readonly kind: World["market"]["kind"];
  readonly venues: readonly string[];
  /** Called once, before the world's first leaf: the description of the source for that leaf. */
  create(tx: Tx): Promise<Pick<WorldLeaf, "seedAnchor" | "recording">>;
  /**
   * Prepares for the seconds from `atMs` on, and appends the leaves that must precede them.
   * Idempotent: it is called again after a crash. `untilMs` is the time of the next call (the
   * exclusive end of what `take` may be asked for). `history` holds the klines from before the very
   * first second; null on every later call.
   */
  prepare(tx: Tx, atMs: number): Promise<{ untilMs: number; history: KlineHistory | null }>;
  /**
   * Every whole second from `fromMs` to `toMs`, both inclusive. May be called again for seconds
   * whose transaction was lost.
   */
  take(fromMs: number, toMs: number): Promise<SourceSecond[]>;
  /**
   * The book behind a quote of a second that `take` returned last, by venue and symbol index, as of
   * the quote's own time. Null where there is no quote.
   */
  bookOf(second: SourceSecond, venue: number, symbol: number): Book | null;
  /**
   * The venue's fee for takers, in hundredths of a basis point, and who says so; null where it is
   * not known. Absent for markets without real venues.
   */
  takerFee?(second: SourceSecond, venue: number, symbol: number): TakerFee | null;
  /** Releases what `take` started; absent if it starts nothing. */
  close?(): Promise<void>;
  /**
   * The history that pools can be tested on: the market before the world's first second, and
   * nothing later. Absent, or null, where there was none.
   */
  historyInputs?(db: Db, firstMs: number): Promise<HistoryInputs | null>;
  /** Saves the state needed by a restart, in the transaction that closes the last second taken. */
  save(tx: Tx): Promise<void>;
}
