import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import {
  computeKlineAt,
  createBookAround,
  createPath,
  createSeededRandom,
  type FakeBook,
  type FakeKline,
} from "./prices.ts";
import { bitstamp, coinbase, kraken } from "./protocols.ts";
import { createRecordedPath } from "./recordedPath.ts";
import type { FakeVenueFault, FakeVenueProtocol, Subscription } from "./venue.ts";

const stepMs = 50;
const delayedMs = 8_000;
const hourMs = 3_600_000;
/** Share of steps in which a book changes: ten times a second, or three. */
const changeShare = { major: 0.5, alt: 0.15, stable: 0.15 } as const;
const tradeShare = 0.02;

/** The best prices that a fake venue sent, as decimal text, and when. Null: the side was empty. */
export interface SentBestPrices {
  atMs: number;
  bid: string | null;
  ask: string | null;
  /** True if its decimals were wrong because of that fault. */
  isHundredfold: boolean;
}

interface Connection {
  socket: WebSocket;
  subscriptions: Set<string>;
  /** Messages under way, in the order in which they arrive: a connection never swaps two. */
  underWay: { dueMs: number; text: string }[];
}

interface Venue {
  protocol: FakeVenueProtocol;
  connections: Set<Connection>;
  books: Map<MarketSymbol, FakeBook>;
  sent: Map<MarketSymbol, SentBestPrices[]>;
  faults: Map<FakeVenueFault, MarketSymbol | null>;
  /** When each book last changed, by the venue's clock. */
  changedMs: Map<MarketSymbol, number>;
  trades: number;
}

export interface FakeVenues {
  /** For LIVE_FAKE_VENUES. */
  url: string;
  venues: readonly string[];
  /** The symbols that a venue lists. */
  symbolsOf(venue: string): MarketSymbol[];
  /** Injects a fault into a venue until `clear`; the symbol is for faults of a single symbol. */
  inject(venue: string, fault: FakeVenueFault, symbol?: MarketSymbol): void;
  clear(venue: string, fault: FakeVenueFault): void;
  /** The messages that a venue sent about a symbol, oldest first. */
  sentBy(venue: string, symbol: MarketSymbol): readonly SentBestPrices[];
  /** Requests that were not GET, or that carried anything that looks like a credential. */
  readonly suspicious: readonly string[];
  stop(): Promise<void>;
}

/**
 * Fake three venues on one loopback port, each below its name, that speak the venues'
 * published public protocols, with the prices of a recording or generated ones.
 */
export async function startFakeVenues(
  seed = 1,
  port = 0,
  recording: Recording | null = null,
): Promise<FakeVenues> {
  const generatedPath = createPath(seed);
  const path = recording ? createRecordedPath(recording, generatedPath) : generatedPath;
  const random = createSeededRandom(seed + 1);
  const venues = new Map(
    [kraken, coinbase, bitstamp].map((protocol) => [protocol.id, createVenue(protocol)]),
  );
  const suspicious: string[] = [];
  const sockets = new WebSocketServer({ noServer: true });

  const venueAt = ({ url = "/" }: IncomingMessage) => {
    const [, name = "", rest = ""] = /^\/([a-z]+)(.*)$/.exec(url) ?? [];
    return { venue: venues.get(name), rest };
  };
  const inspect = ({ method, url, headers }: IncomingMessage) => {
    const names = Object.keys(headers).filter((name) => /auth|key|sign|cookie|token/i.test(name));
    const unusualHeaders = names.filter((name) => !name.startsWith("sec-websocket"));
    if (method !== "GET" || unusualHeaders.length > 0)
      suspicious.push(`${method} ${url} ${unusualHeaders.join()}`);
  };
  const refusal = ({ faults }: Venue) =>
    faults.has("refuse") ? 503 : faults.has("limit") ? 429 : null;
  const getClock = ({ faults }: Venue) => Date.now() + (faults.has("clock") ? hourMs : 0);

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    inspect(request);
    const { venue, rest } = venueAt(request);
    const refusalStatus = venue ? refusal(venue) : 404;
    if (refusalStatus !== null || !venue)
      return void response.writeHead(refusalStatus ?? 404).end("{}");
    if (venue.faults.has("silence")) return;
    const body = venue.protocol.rest(rest, {
      markets: getMarkets(venue),
      bookOf: (symbol) => venue.books.get(symbol) ?? null,
      klines: (symbol, fromMs, toMs) => getKlines(venue, symbol, fromMs, toMs),
      nowMs: getClock(venue),
      changedMs: (symbol) => venue.changedMs.get(symbol) ?? getClock(venue),
    });
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  };

  const send = (venue: Venue, connection: Connection, message: object | string) => {
    if (venue.faults.has("silence")) return;
    const text = typeof message === "string" ? message : JSON.stringify(message);
    const dueMs = Date.now() + (venue.faults.has("late") ? delayedMs : 0);
    connection.underWay.push({ dueMs, text });
    deliver(connection);
  };
  const deliver = ({ socket, underWay }: Connection) => {
    while (underWay[0] && underWay[0].dueMs <= Date.now()) {
      const { text } = underWay.shift()!;
      if (socket.readyState === socket.OPEN) socket.send(text);
    }
  };
  const publish = (venue: Venue, { channel, symbol }: Subscription, messages: object[]) => {
    for (const connection of venue.connections) {
      if (!connection.subscriptions.has(`${channel} ${symbol}`)) continue;
      for (const message of messages) send(venue, connection, message);
    }
  };

  const receive = (venue: Venue, connection: Connection, text: string) => {
    const { subscribe, answers } = venue.protocol.read(JSON.parse(text));
    for (const message of answers) send(venue, connection, message);
    for (const subscription of subscribe) {
      const book = venue.books.get(subscription.symbol);
      if (!book || !isQuoted(venue, subscription.symbol)) continue;
      connection.subscriptions.add(`${subscription.channel} ${subscription.symbol}`);
      for (const message of venue.protocol.snapshot(subscription, book, getClock(venue)))
        send(venue, connection, message);
    }
  };
  const accept = (venue: Venue, socket: WebSocket) => {
    const connection: Connection = { socket, subscriptions: new Set(), underWay: [] };
    venue.connections.add(connection);
    // A silent venue does not even answer pings.
    if (venue.faults.has("silence")) socket.pause();
    socket.on("message", (data) => receive(venue, connection, (data as Buffer).toString()));
    socket.on("close", () => venue.connections.delete(connection));
    socket.on("error", () => {});
    for (const message of venue.protocol.greeting) send(venue, connection, message);
  };

  const server = createServer(answer);
  server.on("upgrade", (request, socket, head) => {
    inspect(request);
    const { venue } = venueAt(request);
    const refusalStatus = venue ? refusal(venue) : 404;
    if (refusalStatus !== null || !venue)
      return void socket.end(`HTTP/1.1 ${refusalStatus} Refused\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (webSocket) => accept(venue, webSocket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const move = () => {
    path.step();
    for (const venue of venues.values()) {
      for (const connection of venue.connections) deliver(connection);
      for (const symbol of listSymbols(venue)) {
        if (random() > changeShare[symbols[symbol].type] || !isQuoted(venue, symbol)) continue;
        const before = venue.books.get(symbol)!;
        const after = withFaults(venue, symbol, path.priceOf(symbol, venue.protocol.id), random);
        venue.books.set(symbol, after);
        remember(venue, symbol, after, concerns(venue, "decimals", symbol));
        const atMs = nextChangeMs(venue.changedMs.get(symbol), getClock(venue));
        venue.changedMs.set(symbol, atMs);
        publish(
          venue,
          { channel: "book", symbol },
          venue.protocol.update(symbol, before, after, atMs),
        );
        if (random() > tradeShare) continue;
        venue.trades += 1;
        const trade = { id: 1_000 + venue.trades, symbol, price: "1", size: "0.01250000" };
        publish(venue, { channel: "trades", symbol }, [venue.protocol.trade(trade, atMs)]);
      }
    }
  };
  const beat = () => {
    for (const venue of venues.values()) {
      const message = venue.protocol.heartbeat(getClock(venue));
      for (const connection of venue.connections) {
        if (message) send(venue, connection, message);
        if (venue.faults.has("garbage")) {
          for (const text of ["{", "[]", "null", '{"channel":"new","data":[{}]}', "\u0000"])
            send(venue, connection, text);
        }
      }
    }
  };
  for (const venue of venues.values())
    for (const symbol of listSymbols(venue))
      venue.books.set(
        symbol,
        withFaults(venue, symbol, path.priceOf(symbol, venue.protocol.id), random),
      );
  const timers = [setInterval(move, stepMs), setInterval(beat, 1_000)];

  const cutConnections = ({ connections }: Venue) => {
    for (const { socket } of connections) socket.terminate();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    venues: [...venues.keys()].toSorted(),
    symbolsOf: (name) => listSymbols(venues.get(name)!),
    inject: (name, fault, symbol) => {
      const venue = venues.get(name)!;
      if (fault !== "disconnect") venue.faults.set(fault, symbol ?? null);
      if (fault === "disconnect" || fault === "refuse" || fault === "limit") cutConnections(venue);
      if (fault === "silence") for (const { socket } of venue.connections) socket.pause();
    },
    clear: (name, fault) => {
      const venue = venues.get(name)!;
      venue.faults.delete(fault);
      if (fault === "silence") for (const { socket } of venue.connections) socket.resume();
      // A market that comes back is quoted on new subscriptions only.
    },
    sentBy: (name, symbol) => venues.get(name)!.sent.get(symbol) ?? [],
    suspicious,
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      for (const venue of venues.values()) cutConnections(venue);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createVenue(protocol: FakeVenueProtocol): Venue {
  return {
    protocol,
    connections: new Set(),
    books: new Map(),
    sent: new Map(),
    changedMs: new Map(),
    faults: new Map(),
    trades: 0,
  };
}

const listSymbols = ({ protocol }: Venue) => Object.keys(protocol.digits) as MarketSymbol[];

const concerns = ({ faults }: Venue, fault: FakeVenueFault, symbol: MarketSymbol) =>
  faults.get(fault) === symbol;

function getKlines({ protocol }: Venue, symbol: MarketSymbol, fromMs: number, toMs: number) {
  const klines: FakeKline[] = [];
  const lastMs = Math.min(toMs, Date.now());
  for (let openMs = Math.ceil(fromMs / 60_000) * 60_000; openMs <= lastMs; openMs += 60_000) {
    const kline = computeKlineAt(protocol.id, symbol, protocol.digits[symbol]!, openMs);
    if (kline) klines.push(kline);
  }
  return klines;
}

function getMarkets(venue: Venue) {
  return listSymbols(venue)
    .filter((symbol) => !concerns(venue, "delist", symbol))
    .map((symbol) => ({ symbol, isTrading: !concerns(venue, "halt", symbol) }));
}

/**
 * The time of a change. Two changes of a book never share a time, although a late timer may fire
 * twice within a millisecond: Bitstamp numbers its changes by their microseconds.
 */
function nextChangeMs(changedMs: number | undefined, nowMs: number): number {
  const isSame = changedMs !== undefined && changedMs >= nowMs && changedMs < nowMs + 1;
  return isSame ? changedMs + 0.01 : nowMs;
}

const isQuoted = (venue: Venue, symbol: MarketSymbol) =>
  !(["mute", "halt", "delist"] as const).some((fault) => concerns(venue, fault, symbol));

function withFaults(
  venue: Venue,
  symbol: MarketSymbol,
  price: number,
  random: () => number,
): FakeBook {
  const factor = concerns(venue, "decimals", symbol)
    ? 100
    : concerns(venue, "far", symbol)
      ? 1.05
      : 1;
  const book = createBookAround(price * factor, venue.protocol.digits[symbol]!, random);
  if (concerns(venue, "empty", symbol)) book.asks.clear();
  if (concerns(venue, "cross", symbol)) return { bids: book.asks, asks: book.bids };
  return book;
}

function remember(
  { sent }: Venue,
  symbol: MarketSymbol,
  { bids, asks }: FakeBook,
  isHundredfold: boolean,
): void {
  const tops = sent.get(symbol) ?? [];
  sent.set(symbol, tops);
  const best = (prices: Iterable<string>, sign: 1 | -1) =>
    [...prices].toSorted((a, b) => sign * (Number(a) - Number(b)))[0] ?? null;
  tops.push({
    atMs: Date.now(),
    bid: best(bids.keys(), -1),
    ask: best(asks.keys(), 1),
    isHundredfold,
  });
}
