import type { MarketSymbol } from "#core/market/symbols.ts";
import type { FakeBook, FakeKline } from "./prices.ts";

/** The faults that a fake venue can be given. */
export const fakeVenueFaults = [
  /** The venue cuts its connections, which may be opened again immediately. */
  "disconnect",
  /** The venue cuts its connections and answers 503: maintenance, or a lost network. */
  "refuse",
  /** The venue cuts its connections and answers 429. */
  "limit",
  /** Connections stay open and nothing comes over them, not even an answer to a ping. */
  "silence",
  /** The venue stops sending one symbol's book. */
  "mute",
  /** One symbol's best bid is above its best ask. */
  "cross",
  /** One symbol's book has no asks. */
  "empty",
  /** One symbol's prices are a hundred times too high. */
  "decimals",
  /** One symbol's prices are five per cent too high. */
  "far",
  /** Messages arrive eight seconds after their own time. */
  "late",
  /** The venue's clock is an hour ahead. */
  "clock",
  /** The venue sends invalid JSON, and messages unknown to its protocol. */
  "garbage",
  /** The venue suspends one symbol and stops sending its book. */
  "halt",
  /** The venue delists one symbol and stops sending its book. */
  "delist",
] as const;

export type FakeVenueFault = (typeof fakeVenueFaults)[number];

/** A subscription as a protocol's messages name it. */
export interface Subscription {
  channel: "book" | "trades";
  symbol: MarketSymbol;
}

interface FakeVenueMarket {
  symbol: MarketSymbol;
  isTrading: boolean;
}

interface FakeTrade {
  id: number;
  symbol: MarketSymbol;
  price: string;
  size: string;
}

/**
 * A venue's published public protocol. These are fakes, written from the venues' documentation for
 * tests and for developing without a network: they contain none of the venue's code or data.
 */
export interface FakeVenueProtocol {
  id: string;
  /** Digits of its prices, by symbol; it lists these symbols. */
  digits: Partial<Record<MarketSymbol, number>>;
  /** The answer to a GET below the venue's path; undefined: 404. */
  rest(path: string, venue: FakeVenueView): unknown;
  /** The messages sent when a connection opens. */
  greeting: readonly object[];
  /** Understands a client's message. */
  read(message: Record<string, unknown>): { subscribe: Subscription[]; answers: object[] };
  /** First messages of a subscription, its book or its last trades. */
  snapshot(subscription: Subscription, book: FakeBook, atMs: number): object[];
  update(symbol: MarketSymbol, before: FakeBook, after: FakeBook, atMs: number): object[];
  trade(trade: FakeTrade, atMs: number): object;
  /** Sent each second; null if the protocol has none. */
  heartbeat(atMs: number): object | null;
}

interface FakeVenueView {
  markets: readonly FakeVenueMarket[];
  bookOf: (symbol: MarketSymbol) => FakeBook | null;
  /** The klines that open in `[fromMs, toMs]` and are not in the future, oldest first. */
  klines: (symbol: MarketSymbol, fromMs: number, toMs: number) => FakeKline[];
  /** Time on the venue's clock. */
  nowMs: number;
  changedMs: (symbol: MarketSymbol) => number;
}
