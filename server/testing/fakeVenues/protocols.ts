import type { MarketSymbol } from "#core/market/symbols.ts";
import { diffSides } from "./prices.ts";
import type { FakeVenueProtocol, Subscription } from "./venue.ts";

const iso = (atMs: number) => new Date(atMs).toISOString();
const parts = (symbol: MarketSymbol) => symbol.split("/") as [string, string];

/** Kraken's names of assets in lists of markets. */
const krakenAssets: Readonly<Record<string, string>> = {
  BTC: "XXBT",
  ETH: "XETH",
  XRP: "XXRP",
  DOGE: "XXDG",
  USD: "ZUSD",
};

/** https://docs.kraken.com/api: REST v0 and WebSocket v2. */
export const kraken: FakeVenueProtocol = {
  id: "kraken",
  digits: {
    "BTC/USDT": 1,
    "ETH/USDT": 2,
    "BTC/USDC": 2,
    "BTC/USD": 1,
    "BNB/USDT": 2,
    "SOL/USDT": 2,
    "XRP/USDT": 5,
    "DOGE/USDT": 7,
    "USDC/USDT": 4,
    "USDT/USD": 5,
    "USDC/USD": 4,
  },
  rest: (path, { markets, klines, nowMs }) => {
    const { pathname, searchParams } = new URL(path, "http://venue");
    if (pathname === "/0/public/OHLC") {
      const pair = searchParams.get("pair");
      const market = markets.find(({ symbol }) => krakenId(symbol) === pair);
      if (!market) return { error: ["EQuery:Unknown asset pair"] };
      // At most the last 720 minutes for any `since`, including the open one.
      const sinceMs = Math.max(Number(searchParams.get("since")) * 1_000, nowMs - 720 * 60_000);
      const rows = klines(market.symbol, sinceMs, nowMs).map((kline) => [
        kline.openMs / 1_000,
        kline.open,
        kline.high,
        kline.low,
        kline.close,
        kline.close,
        kline.volume,
        1,
      ]);
      return { error: [], result: { [krakenId(market.symbol)]: rows, last: 0 } };
    }
    if (pathname !== "/0/public/AssetPairs") return undefined;
    const pairs = markets.map(({ symbol, isTrading }) => {
      const [base, quote] = parts(symbol);
      const name = (asset: string) => krakenAssets[asset] ?? asset;
      return [
        krakenId(symbol),
        {
          altname: base + quote,
          wsname: `${base}/${quote}`,
          aclass_base: "currency",
          base: name(base),
          aclass_quote: "currency",
          quote: name(quote),
          pair_decimals: kraken.digits[symbol],
          lot_decimals: 8,
          leverage_buy: [],
          leverage_sell: [],
          fees: [[0, 0.4]],
          fees_maker: [[0, 0.25]],
          ordermin: "0.0001",
          costmin: "0.5",
          status: isTrading ? "online" : "cancel_only",
        },
      ];
    });
    return { error: [], result: Object.fromEntries(pairs) };
  },
  greeting: [
    {
      channel: "status",
      type: "update",
      data: [{ version: "2.0.10", system: "online", api_version: "v2", connection_id: 1 }],
    },
  ],
  read: ({ method, params, req_id }) => {
    if (method === "ping") return { subscribe: [], answers: [{ method: "pong", req_id }] };
    const { channel, symbol } = params as { channel: string; symbol: MarketSymbol[] };
    return {
      subscribe: symbol.map((name) => ({
        channel: channel === "book" ? "book" : "trades",
        symbol: name,
      })),
      answers: symbol.map((name) => ({
        method,
        req_id,
        success: true,
        result: { channel, symbol: name, snapshot: true },
      })),
    };
  },
  snapshot: ({ channel, symbol }, book) =>
    channel === "book"
      ? [krakenBook("snapshot", symbol, [...book.bids], [...book.asks])]
      : [{ channel: "trade", type: "snapshot", data: [krakenTrade(symbol, 1, "1", "7", 0)] }],
  update: (symbol, before, after, atMs) => [
    krakenBook(
      "update",
      symbol,
      diffSides(before.bids, after.bids),
      diffSides(before.asks, after.asks),
      iso(atMs),
    ),
  ],
  trade: ({ id, symbol, price, size }, atMs) => ({
    channel: "trade",
    type: "update",
    data: [krakenTrade(symbol, id, price, size, atMs)],
  }),
  heartbeat: () => ({ channel: "heartbeat" }),
};

function krakenId(symbol: MarketSymbol): string {
  return parts(symbol)
    .map((asset) => krakenAssets[asset] ?? asset)
    .join("");
}

function krakenBook(
  type: "snapshot" | "update",
  symbol: MarketSymbol,
  bids: [string, string][],
  asks: [string, string][],
  timestamp?: string,
): object {
  const side = (levels: [string, string][]) =>
    levels.map(([price, qty]) => ({ price: Number(price), qty: Number(qty) }));
  const data = { symbol, bids: side(bids), asks: side(asks), checksum: 0 };
  return { channel: "book", type, data: [timestamp ? { ...data, timestamp } : data] };
}

function krakenTrade(symbol: string, trade_id: number, price: string, qty: string, atMs: number) {
  return {
    symbol,
    side: "buy",
    price: Number(price),
    qty: Number(qty),
    ord_type: "limit",
    trade_id,
    timestamp: iso(atMs),
  };
}

const dashed = (symbol: MarketSymbol) => symbol.replace("/", "-");
const undashed = (id: string) => id.replace("-", "/") as MarketSymbol;

/** https://docs.cdp.coinbase.com/advanced-trade: public REST v3 and the public socket. */
export const coinbase: FakeVenueProtocol = {
  id: "coinbase",
  digits: {
    "BTC/USDT": 2,
    "ETH/USDT": 2,
    "BTC/USDC": 2,
    "BTC/USD": 2,
    "SOL/USDT": 2,
    "XRP/USDT": 4,
    "DOGE/USDT": 5,
    "USDT/USD": 5,
  },
  rest: (path, { markets, klines }) => {
    const { pathname, searchParams } = new URL(path, "http://venue");
    const id = /^\/api\/v3\/brokerage\/market\/products\/([A-Z-]+)\/candles$/.exec(pathname)?.[1];
    if (id) {
      const [fromMs = 0, toMs = 0] = ["start", "end"].map(
        (name) => Number(searchParams.get(name)) * 1_000,
      );
      // The venue refuses more than 350 minutes, and sends the newest first.
      if (toMs - fromMs > 350 * 60_000) return undefined;
      const matching = klines(undashed(id), fromMs, toMs).toReversed();
      const rows = matching.map(({ openMs, ...one }) => ({ start: `${openMs / 1_000}`, ...one }));
      // The venue's word for them.
      return Object.fromEntries([["candles", rows]]);
    }
    if (pathname !== "/api/v3/brokerage/market/products") return undefined;
    if (searchParams.has("product_type")) return { products: [], num_products: 0 };
    const products = markets.map(({ symbol, isTrading }) => {
      const [base, quote] = parts(symbol);
      return {
        product_id: dashed(symbol),
        base_currency_id: base,
        quote_currency_id: quote,
        product_type: "SPOT",
        trading_disabled: !isTrading,
        base_increment: "0.00000001",
        quote_increment: "0.01",
        price_increment: String(10 ** -coinbase.digits[symbol]!),
        // The venue's USDC markets are aliases of those in US dollars.
        alias: quote === "USDC" ? `${base}-USD` : "",
        alias_to: quote === "USD" && base === "BTC" ? ["BTC-USDC"] : [],
      };
    });
    return { products, num_products: products.length };
  },
  greeting: [],
  read: ({ type, channel, product_ids }) => {
    if (type !== "subscribe") return { subscribe: [], answers: [] };
    const ids = product_ids as string[];
    const name = channel as string;
    const events = [{ subscriptions: { [name]: ids } }];
    return {
      subscribe: ids.map((id) => ({
        channel: name === "level2" ? "book" : "trades",
        symbol: undashed(id),
      })),
      answers: [{ channel: "subscriptions", client_id: "", sequence_num: 0, events }],
    };
  },
  snapshot: ({ channel, symbol }, book, atMs) =>
    channel === "book"
      ? [coinbaseBook("snapshot", symbol, [...book.bids], [...book.asks], atMs)]
      : [coinbaseTrade("snapshot", { id: 1, symbol, price: "1", size: "7" }, 0)],
  update: (symbol, before, after, atMs) => [
    coinbaseBook(
      "update",
      symbol,
      diffSides(before.bids, after.bids),
      diffSides(before.asks, after.asks),
      atMs,
    ),
  ],
  trade: (trade, atMs) => coinbaseTrade("update", trade, atMs),
  heartbeat: () => null,
};

function coinbaseBook(
  type: "snapshot" | "update",
  symbol: MarketSymbol,
  bids: [string, string][],
  asks: [string, string][],
  atMs: number,
): object {
  const side = (name: string, levels: [string, string][]) =>
    levels.map(([price_level, new_quantity]) => ({
      side: name,
      event_time: iso(atMs),
      price_level,
      new_quantity,
    }));
  const updates = [...side("bid", bids), ...side("offer", asks)];
  return {
    channel: "l2_data",
    client_id: "",
    timestamp: iso(atMs),
    sequence_num: 0,
    events: [{ type, product_id: dashed(symbol), updates }],
  };
}

function coinbaseTrade(
  type: "snapshot" | "update",
  trade: { id: number; symbol: MarketSymbol; price: string; size: string },
  atMs: number,
): object {
  const { id, symbol, price, size } = trade;
  const match = { trade_id: String(id), product_id: dashed(symbol), price, size, side: "BUY" };
  return {
    channel: "market_trades",
    client_id: "",
    timestamp: iso(atMs),
    sequence_num: 0,
    events: [{ type, trades: [{ ...match, time: iso(atMs) }] }],
  };
}

const joinSymbol = (symbol: MarketSymbol) => symbol.replace("/", "").toLowerCase();

/** https://www.bitstamp.net/api and /websocket/v2: differences, on a book fetched over REST. */
export const bitstamp: FakeVenueProtocol = {
  id: "bitstamp",
  digits: {
    "BTC/USDT": 0,
    "ETH/USDT": 1,
    "BTC/USDC": 0,
    "BTC/USD": 0,
    "XRP/USDT": 5,
    "USDC/USDT": 5,
    "USDT/USD": 5,
    "USDC/USD": 5,
  },
  rest: (path, { markets, bookOf, changedMs, klines }) => {
    const { pathname, searchParams } = new URL(path, "http://venue");
    const pair = /^\/api\/v2\/ohlc\/([a-z]+)\/?$/.exec(pathname)?.[1];
    const fakeVenueMarket = markets.find(({ symbol }) => joinSymbol(symbol) === pair);
    if (fakeVenueMarket) {
      const [fromMs = 0, toMs = 0] = ["start", "end"].map(
        (name) => Number(searchParams.get(name)) * 1_000,
      );
      const rows = klines(fakeVenueMarket.symbol, fromMs, toMs).slice(0, 1_000);
      const ohlc = rows.map(({ openMs, ...one }) => ({
        timestamp: `${openMs / 1_000}`,
        ...one,
      }));
      return { data: { pair: fakeVenueMarket.symbol, ohlc } };
    }
    if (/^\/api\/v2\/markets\/?$/.test(path)) return markets.map(bitstampMarket);
    const id = /^\/api\/v2\/order_book\/([a-z]+)\/?$/.exec(path)?.[1];
    const market = markets.find(({ symbol }) => joinSymbol(symbol) === id);
    const book = market && bookOf(market.symbol);
    if (!book) return undefined;
    return {
      ...bitstampTimes(changedMs(market.symbol)),
      bids: [...book.bids],
      asks: [...book.asks],
    };
  },
  greeting: [],
  read: ({ event, data }) => {
    const { channel = "" } = (data ?? {}) as { channel?: string };
    const subscription = event === "bts:subscribe" ? readBitstampChannel(channel) : null;
    return {
      subscribe: subscription ? [subscription] : [],
      answers: subscription ? [{ event: "bts:subscription_succeeded", channel, data: {} }] : [],
    };
  },
  snapshot: () => [],
  update: (symbol, before, after, atMs) => [
    {
      event: "data",
      channel: `diff_order_book_${joinSymbol(symbol)}`,
      data: {
        ...bitstampTimes(atMs),
        bids: diffSides(before.bids, after.bids),
        asks: diffSides(before.asks, after.asks),
      },
    },
  ],
  trade: ({ id, symbol, price, size }, atMs) => ({
    event: "trade",
    channel: `live_trades_${joinSymbol(symbol)}`,
    data: {
      ...bitstampTimes(atMs),
      id,
      amount: Number(size),
      amount_str: size,
      price: Number(price),
      price_str: price,
      type: 0,
      buy_order_id: 1,
      sell_order_id: 2,
    },
  }),
  heartbeat: () => null,
};

function bitstampMarket({ symbol, isTrading }: { symbol: MarketSymbol; isTrading: boolean }) {
  const [base, quote] = parts(symbol);
  return {
    name: symbol,
    market_symbol: joinSymbol(symbol),
    base_currency: base,
    base_decimals: 8,
    counter_currency: quote,
    counter_decimals: bitstamp.digits[symbol],
    minimum_order_value: "10",
    trading: isTrading ? "Enabled" : "Disabled",
    market_type: "SPOT",
  };
}

function bitstampTimes(atMs: number) {
  return {
    timestamp: String(Math.floor(atMs / 1_000)),
    microtimestamp: String(Math.floor(atMs * 1_000)),
  };
}

function readBitstampChannel(name: string): Subscription | null {
  const [, kind, id] = /^(diff_order_book|live_trades)_([a-z]+)$/.exec(name) ?? [];
  const symbols = Object.keys(bitstamp.digits) as MarketSymbol[];
  const symbol = symbols.find((symbol) => joinSymbol(symbol) === id);
  if (!symbol) return null;
  return { channel: kind === "diff_order_book" ? "book" : "trades", symbol };
}
