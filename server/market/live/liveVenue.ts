import { setTimeout as sleep } from "node:timers/promises";
import { sizeScale } from "#core/market/book.ts";
import { scaledDecimal } from "#core/market/live/decimal.ts";
import type { VenueFault } from "#core/market/live/faults.ts";
import {
  unchangedMaxMs,
  type ValidatedBook,
  validateBook,
} from "#core/market/live/observedBook.ts";
import { isLate, updateDelay, type VenueDelay } from "#core/market/live/venueDelay.ts";
import { quoteMaxAgeMs } from "#core/market/quote.ts";
import { isSymbol, type MarketSymbol } from "#core/market/symbols.ts";
import {
  type ExchangeBook,
  type ExchangeClient,
  openExchange,
  type PublicExchange,
} from "#server/market/live/publicExchange.ts";

/**
 * How often a venue's list of markets is read again: for delistings and suspensions, and more often
 * while there is one.
 */
const marketsEveryMs = 600_000;
const missingEveryMs = 60_000;
/** Levels subscribed to: the least that every venue offers and that holds `bookDepth`. */
const subscribedDepth = 25;
/** Before a venue is tried again: doubled after each failure, reset when it lasted a minute. */
const retryMinMs = 1_000;
const retryMaxMs = 60_000;
const limitedMs = 30_000;
const lastedMs = 60_000;
/** Ids of trades already counted, so that a list sent again after a reconnect adds nothing. */
const tradeIdsMax = 2_000;

/** The tracked state of a venue's book of one symbol. Times are world time. */
interface TrackedBook {
  symbol: MarketSymbol;
  scale: number;
  book: ExchangeBook | undefined;
  key: string;
  changedMs: number;
  /** Last sign of life of a connection on which this book was confirmed. */
  heardMs: number;
  /** True if the book came over the present connection. */
  isConfirmed: boolean;
  /** True if the present connection has stated a time of the book. */
  isDated: boolean;
  /** By how much the last change was later than usual. */
  lateMs: number;
  tradeIds: Set<string>;
}

/** One venue: keeps its subscriptions alive, and says what its books were when a second ended. */
export class LiveVenue {
  readonly id: string;
  readonly #nowMs: () => number;
  readonly #exchange: PublicExchange;
  readonly #tracked: Map<MarketSymbol, TrackedBook>;
  /** Why nothing comes from the venue; null while it answers. */
  #failure: "unreachable" | "rate_limited" | null = null;
  #heardMs = 0;
  #pongMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Null until a book states a time. */
  #delay: VenueDelay | null = null;
  /** True if anything arrived in time since a connection was last lost, and when it last did. */
  #isTimely = false;
  #timelyMs = Number.NEGATIVE_INFINITY;
  /** Since when there has been a connection and none was lost; null while there is none. */
  #connectedMs: number | null = null;
  #marketsReadMs = Number.NEGATIVE_INFINITY;
  #resetMs = Number.NEGATIVE_INFINITY;
  #lost = Promise.withResolvers<void>();

  /** For tests; `open` brings the exchange. */
  constructor(
    exchange: PublicExchange,
    symbols: readonly { name: MarketSymbol; scale: number }[],
    nowMs: () => number,
  ) {
    this.id = exchange.id;
    this.#exchange = exchange;
    this.#nowMs = nowMs;
    this.#tracked = new Map(symbols.map(({ name, scale }) => [name, newTracked(name, scale)]));
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
      onLost: (client) => venue?.onLost(client),
    });
    venue = new LiveVenue(exchange, symbols, nowMs);
    return venue;
  }

  /** The symbols of the registry that the venue lists and trades now. */
  async list(): Promise<MarketSymbol[]> {
    await this.#exchange.loadMarkets(true);
    return listedSymbols(this.#exchange).filter(isSymbol);
  }

  heard(): void {
    this.#heardMs = this.#nowMs();
  }

  /** The books of a lost connection count until they are stale; a new one must send its own. */
  onLost(_client: ExchangeClient): void {
    this.#look(this.#nowMs());
    for (const one of this.#tracked.values()) {
      one.isConfirmed = false;
      one.isDated = false;
    }
    this.#isTimely = false;
    this.#connectedMs = null;
    const lost = this.#lost;
    this.#lost = Promise.withResolvers<void>();
    lost.resolve();
  }

  /** Subscribes, and again whenever a connection is lost, until `signal` is aborted. */
  run(signal: AbortSignal): void {
    const { has } = this.#exchange;
    const keep = (subscribe: () => Promise<unknown>) => void this.#keep(subscribe, signal);
    if (has.watchOrderBookForSymbols) {
      keep(() => this.#exchange.watchOrderBookForSymbols(this.#trading(), subscribedDepth));
    } else {
      for (const name of this.#tracked.keys())
        keep(() => this.#exchange.watchOrderBook(name, subscribedDepth));
    }
    if (has.watchTradesForSymbols) {
      keep(() => this.#exchange.watchTradesForSymbols(this.#trading()));
    } else if (has.watchTrades) {
      for (const name of this.#tracked.keys()) keep(() => this.#exchange.watchTrades(name));
    }
  }

  /** The venue's contribution for a symbol to the second that ends at `secondMs`. */
  sample(symbol: MarketSymbol, secondMs: number): ValidatedBook {
    const one = this.#tracked.get(symbol)!;
    // All books at once: whether the venue is in time shows at any of them.
    if (this.#lookedMs !== secondMs) this.#look(secondMs);
    this.#lookedMs = secondMs;
    const fault = this.#faultOf(one, secondMs);
    if (fault) return { fault, quote: null, book: null };
    const { changedMs, heardMs } = one;
    const lateMs = this.#isUnproven(one, secondMs) ? (this.#delay?.lateMs ?? 0) : one.lateMs;
    const { bids, asks } = one.book!;
    return validateBook({ bids, asks, changedMs, heardMs, lateMs }, one.scale, secondMs);
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
      volume += scaledDecimal(amount ?? 0, sizeScale, "down") ?? 0n;
    }
    trades?.clear?.();
    for (const id of tradeIds) {
      if (tradeIds.size <= tradeIdsMax) break;
      tradeIds.delete(id);
    }
    return volume;
  }

  /** World time has leapt: what it says of the venue's clock is learned anew. */
  forgetDelay(): void {
    this.#delay = null;
  }

  /**
   * Once a second: has a connection made anew over which a book has not changed or not come for so
   * long that its subscription may be lost, or whose messages have been late for so long that they
   * may be piled up.
   */
  refresh(secondMs: number): void {
    this.#connectedMs = this.#isConnected() ? (this.#connectedMs ?? secondMs) : null;
    if (this.#connectedMs === null || secondMs - this.#resetMs <= unchangedMaxMs) return;
    const longAgoMs = secondMs - unchangedMaxMs;
    const isOld = this.#connectedMs < longAgoMs;
    const isLateForLong = isOld && (this.#delay?.lateSinceMs ?? secondMs) < longAgoMs;
    const isDead = ({ symbol, isConfirmed, changedMs }: TrackedBook) =>
      isConfirmed ? changedMs < longAgoMs : isOld && this.#isTrading(symbol);
    if (!isLateForLong && ![...this.#tracked.values()].some(isDead)) return;
    this.#resetMs = secondMs;
    this.#marketsReadMs = Number.NEGATIVE_INFINITY;
    this.#exchange.close().catch(() => {});
  }

  async close(): Promise<void> {
    await this.#exchange.close();
  }

  #faultOf(one: TrackedBook, secondMs: number): VenueFault | null {
    const { markets } = this.#exchange;
    const market = markets?.[one.symbol];
    if (markets && !market) return "delisted";
    if (market?.active === false) return "halted";
    const isStale = secondMs - one.heardMs > quoteMaxAgeMs;
    if (!one.book || isEmpty(one.book) || (isStale && !one.isConfirmed)) {
      if (one.isConfirmed) return "empty";
      if (this.#failure) return this.#failure;
      return this.#isConnected() ? "starting" : "unreachable";
    }
    const isWaiting = this.#isUnproven(one, secondMs) && !isLate(this.#delay?.lateMs ?? 0);
    return isWaiting ? "starting" : null;
  }

  /**
   * Came over a connection that has shown nothing yet that arrived in time. What the one before
   * showed holds as long as a quote is fresh, so that a connection made anew leaves no gap.
   */
  #isUnproven({ isConfirmed }: TrackedBook, secondMs: number): boolean {
    const isTimely = this.#isTimely || secondMs - this.#timelyMs <= quoteMaxAgeMs;
    return isConfirmed && this.#delay !== null && !isTimely;
  }

  /** Takes over what ccxt knows of all books by now. */
  #look(nowMs: number): void {
    for (const one of this.#tracked.values()) this.#lookAt(one, nowMs);
  }

  #lookAt(one: TrackedBook, nowMs: number): void {
    const book = this.#exchange.orderbooks[one.symbol];
    const key = book ? keyOf(book) : "";
    if (book !== one.book || key !== one.key) {
      if (book && !isEmpty(book)) {
        if (!one.isConfirmed) one.lateMs = 0;
        one.isConfirmed = true;
        one.changedMs = Math.min(nowMs, this.#heardMs);
        if (book.timestamp !== undefined) this.#learnDelay(one, book.timestamp, nowMs);
      }
      one.book = book;
      one.key = key;
    }
    if (one.isConfirmed) one.heardMs = Math.min(nowMs, Math.max(this.#heardMs, this.#pongedMs()));
  }

  /**
   * The first time that a connection states for a book says nothing of the connection: it may be
   * that of a change long ago, or of a book fetched by a request.
   */
  #learnDelay(one: TrackedBook, statedMs: number, nowMs: number): void {
    const isFirst = !one.isDated;
    one.isDated = true;
    if (isFirst && this.#delay) return;
    this.#delay = updateDelay(this.#delay, one.changedMs - statedMs, nowMs);
    one.lateMs = this.#delay.lateMs;
    this.#isTimely ||= !isLate(one.lateMs);
    this.#timelyMs = isLate(one.lateMs) ? Number.NEGATIVE_INFINITY : nowMs;
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

  async #keep(subscribe: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    let retryMs = retryMinMs;
    while (!signal.aborted) {
      const begunMs = performance.now();
      const lost = this.#lost.promise;
      try {
        await this.#readMarkets();
        // Lost while the first message is awaited: ccxt may leave that promise open.
        await Promise.race([subscribe(), lost]);
        this.#failure = null;
        await lost;
      } catch (error) {
        this.#failure = isLimit(error) ? "rate_limited" : "unreachable";
        if (this.#failure === "rate_limited") retryMs = Math.max(retryMs, limitedMs);
      }
      if (performance.now() - begunMs > lastedMs) retryMs = retryMinMs;
      // Spread, so that not everybody returns to a venue in the same moment.
      await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      retryMs = Math.min(retryMaxMs, retryMs * 2);
    }
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
   * Reads the list of markets again while everything runs, and subscribes anew if it has changed; a
   * failure is tried again next time.
   */
  async reloadMarkets(): Promise<void> {
    if (this.#reading || !this.#exchange.markets) return;
    const before = this.#trading().join();
    await this.#readMarkets().catch(() => {
      this.#marketsReadMs = this.#nowMs() - marketsEveryMs + missingEveryMs;
    });
    if (before !== this.#trading().join()) await this.#exchange.close().catch(() => {});
  }
}

/** A fee as a share, such as 0.004, in hundredths of a basis point; null for one that cannot be. */
function feeUnits(taker: number): number | null {
  return taker >= 0 && taker <= 0.1 ? Math.round(taker * 1_000_000) : null;
}

/**
 * The symbols that a venue lists and trades, registered here or not; its markets must be loaded.
 */
export function listedSymbols({ markets }: Pick<PublicExchange, "markets">): string[] {
  const listed = Object.values(markets ?? {}).filter(
    // An alias shows another market's book: BTC/USD as BTC/USDC would hide what USDC is worth.
    ({ spot, active, info }) => spot === true && active !== false && !info?.alias,
  );
  return [...new Set(listed.map(({ symbol }) => symbol))];
}

function newTracked(symbol: MarketSymbol, scale: number): TrackedBook {
  return {
    symbol,
    scale,
    book: undefined,
    key: "",
    changedMs: 0,
    heardMs: 0,
    isConfirmed: false,
    isDated: false,
    lateMs: 0,
    tradeIds: new Set(),
  };
}

/** Differs whenever the book has changed, as far as the venue says so. */
function keyOf({ nonce, datetime, bids, asks }: ExchangeBook): string {
  return `${nonce ?? ""} ${datetime ?? ""} ${bids[0]?.join() ?? ""} ${asks[0]?.join() ?? ""}`;
}

function isEmpty({ bids, asks }: ExchangeBook): boolean {
  return bids.length === 0 && asks.length === 0;
}

/** ccxt's errors for too many requests; a refusal by the venue's shield counts as one. */
export function isLimit(error: unknown): boolean {
  const { name } = error as Error;
  return name === "RateLimitExceeded" || name === "DDoSProtection";
}
