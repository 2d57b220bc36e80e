import { sizeScale } from "#core/market/book.ts";
import { scaleDecimal } from "#core/market/live/decimal.ts";
import type { VenueFault } from "#core/market/live/faults.ts";
import {
  unchangedMaxMs,
  type ValidatedBook,
  validateBook,
} from "#core/market/live/observedBook.ts";
import { isLate, updateDelay, type VenueDelay } from "#core/market/live/venueDelay.ts";
import { quoteMaxAgeMs } from "#core/market/quote.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { type ConnectionEnd, createBackoff } from "#server/market/live/backoff.ts";
import {
  isRateLimitError,
  listSpotSymbols,
  openExchange,
  type PublicExchange,
} from "#server/market/live/publicExchange.ts";
import {
  createTrackedBook,
  getBookKey,
  isEmpty,
  type TrackedBook,
} from "#server/market/live/trackedBook.ts";

/**
 * How often a venue's list of markets is reread to find delistings and suspensions; more often
 * while there is one.
 */
const marketsEveryMs = 600_000;
const missingEveryMs = 60_000;
/** Levels subscribed to: the smallest depth that every venue offers and that covers `bookDepth`. */
const subscribedDepth = 25;
/**
 * A connection that delivered messages for this long has worked, so that its loss counts as a first
 * failure.
 */
const workedMs = 10_000;
/** Ids of trades already counted, so that a list sent again after a reconnect adds nothing. */
const tradeIdsMax = 2_000;

/** One venue: keeps its subscriptions alive, and reports its books at the end of each second. */
export class LiveVenue {
  readonly id: string;
  readonly #nowMs: () => number;
  readonly #exchange: PublicExchange;
  readonly #tracked: Map<MarketSymbol, TrackedBook>;
  /** Why the venue sends nothing; null while it answers. */
  #failure: Exclude<ConnectionEnd, "renewed"> | null = null;
  readonly #backoff = createBackoff();
  #lastMessageMs = 0;
  /** The first message since a connection was last lost; null before it. */
  #firstHeardMs: number | null = null;
  #pongMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Null until a book states a time. */
  #delay: VenueDelay | null = null;
  /** True if anything arrived in time since a connection was last lost, and when it last did. */
  #isOnTime = false;
  #timelyMs = Number.NEGATIVE_INFINITY;
  /** When the current connection was opened; null while there is none. */
  #connectedMs: number | null = null;
  #marketsReadMs = Number.NEGATIVE_INFINITY;
  #resetMs = Number.NEGATIVE_INFINITY;
  #lost = Promise.withResolvers<ConnectionEnd>();

  /** For tests; `open` brings the exchange. */
  constructor(
    exchange: PublicExchange,
    symbols: readonly { name: MarketSymbol; scale: number }[],
    nowMs: () => number,
  ) {
    this.id = exchange.id;
    this.#exchange = exchange;
    this.#nowMs = nowMs;
    this.#tracked = new Map(
      symbols.map(({ name, scale }) => [name, createTrackedBook(name, scale)]),
    );
  }

  /** `beforeMessage` is called before a message of the venue changes anything. */
  static async open(
    id: string,
    fakeVenues: string | null,
    symbols: readonly { name: MarketSymbol; scale: number }[],
    nowMs: () => number,
    beforeMessage: () => void,
  ): Promise<LiveVenue> {
    let venue: LiveVenue | null = null;
    const exchange = await openExchange(id, fakeVenues, {
      beforeMessage: () => {
        beforeMessage();
        venue?.heard();
      },
      onLost: (_client, end) => venue?.onLost(end),
    });
    venue = new LiveVenue(exchange, symbols, nowMs);
    return venue;
  }

  /** The symbols of the registry that the venue lists and trades now. */
  async list(): Promise<MarketSymbol[]> {
    await this.#exchange.loadMarkets(true);
    return listSpotSymbols(this.#exchange).filter(isSymbol);
  }

  heard(): void {
    this.#lastMessageMs = this.#nowMs();
    this.#firstHeardMs ??= this.#lastMessageMs;
  }

  /** The books of a lost connection count until they are stale; a new one must send its own. */
  onLost(end: ConnectionEnd): void {
    const nowMs = this.#nowMs();
    this.#sync(nowMs);
    for (const trackedBook of this.#tracked.values()) {
      trackedBook.isConfirmed = false;
      trackedBook.hasTimestamp = false;
      trackedBook.hasMeasuredDelay = false;
    }
    this.#isOnTime = false;
    this.#connectedMs = null;
    if (nowMs - (this.#firstHeardMs ?? nowMs) >= workedMs) this.#backoff.reset();
    this.#firstHeardMs = null;
    const lost = this.#lost;
    this.#lost = Promise.withResolvers<ConnectionEnd>();
    lost.resolve(end);
  }

  /** Subscribes, and again whenever a connection is lost, until `signal` is aborted. */
  run(signal: AbortSignal): void {
    const { has } = this.#exchange;
    const names = [...this.#tracked.keys()];
    const keep = (symbols: MarketSymbol[], subscribe: (trading: MarketSymbol[]) => unknown) =>
      void this.#keepSubscribed(symbols, async (trading) => subscribe(trading), signal);
    if (has.watchOrderBookForSymbols) {
      keep(names, (batch) => this.#exchange.watchOrderBookForSymbols(batch, subscribedDepth));
    } else {
      for (const name of names)
        keep([name], () => this.#exchange.watchOrderBook(name, subscribedDepth));
    }
    if (has.watchTradesForSymbols) {
      keep(names, (batch) => this.#exchange.watchTradesForSymbols(batch));
    } else if (has.watchTrades) {
      for (const name of names) keep([name], () => this.#exchange.watchTrades(name));
    }
  }

  /** Samples the venue's quote of a symbol for the second that ends at `secondMs`. */
  sample(symbol: MarketSymbol, secondMs: number): ValidatedBook {
    const trackedBook = this.#tracked.get(symbol)!;
    // All books together: any of them shows if the venue is on time.
    if (this.#lookedMs !== secondMs) this.#sync(secondMs);
    this.#lookedMs = secondMs;
    const fault = this.#faultOf(trackedBook, secondMs);
    if (fault) return { fault, quote: null, book: null };
    const { changedMs, heardMs } = trackedBook;
    // A book whose own delay is unknown is as late as the venue.
    const isOwn =
      !trackedBook.isConfirmed ||
      (trackedBook.hasMeasuredDelay && !this.#isUnproven(trackedBook, secondMs));
    const lateMs = isOwn ? trackedBook.lateMs : (this.#delay?.lateMs ?? 0);
    const { bids, asks } = trackedBook.book!;
    return validateBook({ bids, asks, changedMs, heardMs, lateMs }, trackedBook.scale, secondMs);
  }

  /**
   * The venue's fee for takers of the lowest volume, in hundredths of a basis point; null where
   * ccxt does not know.
   */
  takerFee(symbol: MarketSymbol): number | null {
    const taker = this.#exchange.markets?.[symbol]?.taker;
    return taker === undefined ? null : feeUnits(taker);
  }

  /** Traded since the last call, at `sizeScale`. */
  takeVolume(symbol: MarketSymbol, secondMs: number): bigint {
    const { tradeIds } = this.#tracked.get(symbol)!;
    const trades = this.#exchange.trades[symbol];
    let volume = 0n;
    const sinceMs = secondMs - quoteMaxAgeMs - Math.max(0, this.#delay?.usualMs ?? 0);
    for (const { id, amount, timestamp } of trades ?? []) {
      if (id === undefined || tradeIds.has(id) || (timestamp ?? 0) < sinceMs) continue;
      tradeIds.add(id);
      volume += scaleDecimal(amount ?? 0, sizeScale, "down") ?? 0n;
    }
    trades?.clear?.();
    for (const id of tradeIds) {
      if (tradeIds.size <= tradeIdsMax) break;
      tradeIds.delete(id);
    }
    return volume;
  }

  /** World time has jumped: the offset of the venue's clock must be relearned. */
  forgetDelay(): void {
    this.#delay = null;
  }

  /**
   * Called once a second. Replaces a connection whose subscription may be lost, because a book has
   * not changed or arrived for too long, or whose messages may be piling up, because they have been
   * late for too long.
   */
  refresh(secondMs: number): void {
    this.#connectedMs = this.#isConnected() ? (this.#connectedMs ?? secondMs) : null;
    if (this.#connectedMs === null || secondMs - this.#resetMs <= unchangedMaxMs) return;
    const longAgoMs = secondMs - unchangedMaxMs;
    const isOld = this.#connectedMs < longAgoMs;
    const isLateForLong = isOld && (this.#delay?.lateSinceMs ?? secondMs) < longAgoMs;
    const isDead = ({ symbol, isConfirmed, changedMs }: TrackedBook) =>
      this.#isTrading(symbol) && (isConfirmed ? changedMs < longAgoMs : isOld);
    if (!isLateForLong && ![...this.#tracked.values()].some(isDead)) return;
    this.#resetMs = secondMs;
    this.#marketsReadMs = Number.NEGATIVE_INFINITY;
    this.#renew();
  }

  /** Gives up all connections and resubscribes immediately, before the quotes are stale. */
  #renew(): void {
    void this.#exchange.close();
    this.onLost("renewed");
  }

  #faultOf(trackedBook: TrackedBook, secondMs: number): VenueFault | null {
    const { markets } = this.#exchange;
    const market = markets?.[trackedBook.symbol];
    if (markets && !market) return "delisted";
    if (market?.active === false) return "halted";
    const isStale = secondMs - trackedBook.heardMs > quoteMaxAgeMs;
    if (!trackedBook.book || isEmpty(trackedBook.book) || (isStale && !trackedBook.isConfirmed)) {
      if (trackedBook.isConfirmed) return "empty";
      if (this.#isConnected() && this.#failure !== "rate_limited") return "starting";
      return this.#failure ?? "unreachable";
    }
    const isWaiting = this.#isUnproven(trackedBook, secondMs) && !isLate(this.#delay?.lateMs ?? 0);
    return isWaiting ? "starting" : null;
  }

  /**
   * True if the book came over a connection that has not yet delivered anything on time. What the
   * previous connection showed counts for as long as a quote is fresh, so that replacing a
   * connection leaves no gap.
   */
  #isUnproven({ isConfirmed }: TrackedBook, secondMs: number): boolean {
    const isOnTime = this.#isOnTime || secondMs - this.#timelyMs <= quoteMaxAgeMs;
    return isConfirmed && this.#delay !== null && !isOnTime;
  }

  /** Copies ccxt's current state of all books. */
  #sync(nowMs: number): void {
    for (const trackedBook of this.#tracked.values()) this.#lookAt(trackedBook, nowMs);
  }

  #lookAt(trackedBook: TrackedBook, nowMs: number): void {
    const book = this.#exchange.orderbooks[trackedBook.symbol];
    // A new connection's book begins empty: until it is complete, the previous one counts.
    if (!trackedBook.isConfirmed && (!book || isEmpty(book))) return;
    const key = book ? getBookKey(book) : "";
    if (book !== trackedBook.book || key !== trackedBook.key) {
      if (book && !isEmpty(book)) {
        if (!trackedBook.isConfirmed) trackedBook.lateMs = 0;
        trackedBook.isConfirmed = true;
        trackedBook.changedMs = Math.min(nowMs, this.#lastMessageMs);
        if (book.timestamp !== undefined) this.#learnDelay(trackedBook, book.timestamp, nowMs);
      }
      trackedBook.book = book;
      trackedBook.key = key;
    }
    if (trackedBook.isConfirmed)
      trackedBook.heardMs = Math.min(nowMs, Math.max(this.#lastMessageMs, this.#pongedMs()));
  }

  /**
   * The first timestamp that a connection states for a book does not measure the connection: it may
   * belong to an old change, or to a book fetched by a request.
   */
  #learnDelay(trackedBook: TrackedBook, statedMs: number, nowMs: number): void {
    const isFirst = !trackedBook.hasTimestamp;
    trackedBook.hasTimestamp = true;
    if (isFirst && this.#delay) return;
    trackedBook.hasMeasuredDelay = true;
    this.#delay = updateDelay(this.#delay, trackedBook.changedMs - statedMs, nowMs);
    trackedBook.lateMs = this.#delay.lateMs;
    this.#isOnTime ||= !isLate(trackedBook.lateMs);
    this.#timelyMs = isLate(trackedBook.lateMs) ? Number.NEGATIVE_INFINITY : nowMs;
  }

  /** World time of the last answer to a ping, which no message reports. */
  #pongedMs(): number {
    for (const { lastPong } of Object.values(this.#exchange.clients ?? {})) {
      // ccxt reads the machine's clock, which may be set: only its age is used.
      if (lastPong) this.#pongMs = this.#nowMs() - Math.max(0, Date.now() - lastPong);
    }
    return this.#pongMs;
  }

  #isConnected(): boolean {
    return Object.values(this.#exchange.clients ?? {}).some(({ isConnected }) => isConnected);
  }

  #trading(): MarketSymbol[] {
    return [...this.#tracked.keys()].filter((name) => this.#isTrading(name));
  }

  #isTrading(symbol: MarketSymbol): boolean {
    const market = this.#exchange.markets?.[symbol];
    return market !== undefined && market.active !== false;
  }

  /** Keeps a subscription to those of `symbols` that are traded, over one connection after another. */
  async #keepSubscribed(
    symbols: readonly MarketSymbol[],
    subscribe: (trading: MarketSymbol[]) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const end = await this.#subscribe(symbols, subscribe).catch((error: unknown) =>
        isRateLimitError(error) ? "rate_limited" : "unreachable",
      );
      if (end === "renewed") continue;
      this.#failure = end;
      await this.#backoff.wait(end, signal);
    }
  }

  /** Resolves when the connection over which it subscribed is lost; rejects if it could not. */
  async #subscribe(
    symbols: readonly MarketSymbol[],
    subscribe: (trading: MarketSymbol[]) => Promise<unknown>,
  ): Promise<ConnectionEnd> {
    const lost = this.#lost.promise;
    await this.#readMarkets();
    const trading = symbols.filter((name) => this.#isTrading(name));
    // Otherwise a later relisting renews the connection.
    if (trading.length > 0) {
      // Lost while the first message is awaited: ccxt may leave that promise open.
      const end = await Promise.race([subscribe(trading).then(() => null), lost]);
      if (end === null) this.#failure = null;
    }
    return lost;
  }

  #reading: Promise<unknown> | null = null;

  /** Reads the list of markets when it is due; all subscriptions share one request. */
  async #readMarkets(): Promise<void> {
    const isWhole = this.#trading().length === this.#tracked.size;
    const everyMs = isWhole ? marketsEveryMs : missingEveryMs;
    if (this.#nowMs() - this.#marketsReadMs < everyMs) return;
    this.#reading ??= this.#exchange
      .loadMarkets(true)
      .then(() => {
        this.#marketsReadMs = this.#nowMs();
      })
      .finally(() => {
        this.#reading = null;
      });
    await this.#reading;
  }

  /**
   * Reads the list of markets again while everything runs, and resubscribes if one is traded that
   * was not; one that is gone leaves the others alone. A failure is tried again next time.
   */
  async reloadMarkets(): Promise<void> {
    if (this.#reading || !this.#exchange.markets) return;
    const before = this.#trading();
    await this.#readMarkets().catch(() => {
      this.#marketsReadMs = this.#nowMs() - marketsEveryMs + missingEveryMs;
    });
    if (this.#trading().some((name) => !before.includes(name))) this.#renew();
  }
}

/**
 * Converts a fee given as a fraction, such as 0.004, to hundredths of a basis point; null if it is
 * implausible.
 */
function feeUnits(taker: number): number | null {
  return taker >= 0 && taker <= 0.1 ? Math.round(taker * 1_000_000) : null;
}
