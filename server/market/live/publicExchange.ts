/**
 * The only file that touches ccxt, which can do everything an account at an exchange can do. What
 * leaves this file can read public prices and nothing else (promise 1): a short list of methods,
 * over connections that carry no credential, send no request but GET, and go only to the addresses
 * of the venue's public side.
 */

/** A side of a book as ccxt keeps it, best price first; `limit` drops levels beyond its depth. */
type ExchangeSide = readonly (readonly [price: number, size: number])[];

export interface ExchangeBook {
  bids: ExchangeSide;
  asks: ExchangeSide;
  /** The venue's own time of the last change. */
  timestamp?: number | undefined;
  datetime?: string | undefined;
  nonce?: number | undefined;
}

interface ExchangeTrade {
  id?: string | undefined;
  amount?: number | undefined;
  timestamp?: number | undefined;
}

interface ExchangeMarket {
  symbol: string;
  spot?: boolean;
  active?: boolean | undefined;
  /** The taker's fee, as a share. */
  taker?: number | undefined;
  /** The venue's own data. Coinbase: `alias` is the market whose book this one shows. */
  info?: { alias?: unknown };
}

/** A connection opened by ccxt. */
export interface ExchangeClient {
  url: string;
  isConnected: boolean;
  lastPong?: number | undefined;
  close(): unknown;
}

/** The methods and properties that may be used. Everything else throws, for every caller. */
const allowed = [
  "id",
  "has",
  "markets",
  "orderbooks",
  "trades",
  "clients",
  "loadMarkets",
  "fetchOHLCV",
  "watchOrderBook",
  "watchOrderBookForSymbols",
  "watchTrades",
  "watchTradesForSymbols",
  "close",
] as const;

export interface PublicExchange {
  readonly id: string;
  readonly has: Readonly<Record<string, unknown>>;
  readonly markets: Readonly<Record<string, ExchangeMarket>> | undefined;
  readonly orderbooks: Readonly<Record<string, ExchangeBook | undefined>>;
  readonly trades: Readonly<Record<string, (ExchangeTrade[] & { clear?(): void }) | undefined>>;
  readonly clients: Readonly<Record<string, ExchangeClient>>;
  loadMarkets(reload?: boolean): Promise<unknown>;
  /** Open time, open, high, low, close and volume of each minute; the venue decides how many. */
  fetchOHLCV(symbol: string, interval: "1m", sinceMs: number): Promise<(number | undefined)[][]>;
  watchOrderBook(symbol: string, limit?: number): Promise<unknown>;
  watchOrderBookForSymbols(symbols: readonly string[], limit?: number): Promise<unknown>;
  watchTrades(symbol: string): Promise<unknown>;
  watchTradesForSymbols(symbols: readonly string[]): Promise<unknown>;
  /** Drops all connections immediately, without a closing handshake. */
  close(): Promise<unknown>;
}

/** The part of a ccxt exchange that is replaced here. */
interface RawExchange extends Record<string, unknown> {
  urls: { api: unknown };
  has: Record<string, unknown>;
  requiredCredentials: Record<string, boolean>;
  fetch(url: string, method?: string, headers?: unknown, body?: unknown): Promise<unknown>;
  client(url: string): ExchangeClient;
  handleMessage(client: ExchangeClient, message: unknown): void;
  onClose(client: ExchangeClient, event: unknown): void;
  onError(client: ExchangeClient, error: unknown): void;
}

/** Notified of each message before ccxt applies it to a book. */
export interface ExchangeListener {
  beforeMessage(client: ExchangeClient): void;
  /** Once for each connection, unless it was given up by `close`. */
  onLost(client: ExchangeClient, end: "unreachable" | "rate_limited"): void;
}

export class NotAllowedError extends Error {
  override name = "NotAllowedError";
  constructor(method: string) {
    super(`${method} is not among the reading calls of the live market`);
  }
}

const connectionKeepAliveMs = 2_000;

/** Loads one venue's code from ccxt: the package as a whole would take 60 MB more memory. */
export async function openExchange(
  id: string,
  fakeVenues: string | null,
  listener: ExchangeListener,
): Promise<PublicExchange> {
  if (!/^[a-z0-9]{2,30}$/.test(id)) throw new NotAllowedError(id);
  const file = new URL(`./src/pro/${id}.js`, import.meta.resolve("ccxt"));
  const { default: Exchange } = (await import(file.href)) as {
    default: new (options: object) => RawExchange;
  };
  const exchange = new Exchange({
    enableRateLimit: true,
    newUpdates: false,
    timeout: 10_000,
    options: {
      ws: {
        keepAlive: connectionKeepAliveMs,
        connectionTimeout: 10_000,
        // backoff.ts decides when a venue is retried; ccxt would add its own delay.
        backoff: { base: 0, max: 0 },
      },
    },
  });
  return restrictExchange(exchange, fakeVenues, listener);
}

/** Removes everything from a ccxt exchange that could do more than read. Exported for its test. */
export function restrictExchange(
  exchange: RawExchange,
  fakeVenues: string | null,
  listener: ExchangeListener,
): PublicExchange {
  if (fakeVenues !== null) {
    exchange.urls.api = mapUrls(exchange.urls.api, (url) =>
      fakeVenueUrl(fakeVenues, exchange, url),
    );
    // ccxt wants its own agent for sockets without TLS; Node's is enough.
    exchange.getHttpAgentIfNeeded = () => undefined;
  }
  // Names, networks and fees of currencies: not needed, and at some venues not public.
  exchange.has.fetchCurrencies = false;
  refuseCredentials(exchange);
  const origins = publicOrigins(exchange.urls.api);
  const fetch = exchange.fetch.bind(exchange);
  const client = exchange.client.bind(exchange);
  const handleMessage = exchange.handleMessage.bind(exchange);
  const onClose = exchange.onClose.bind(exchange);
  const onError = exchange.onError.bind(exchange);
  const clients = (): Record<string, ExchangeClient> =>
    (exchange.clients as Record<string, ExchangeClient> | undefined) ?? {};
  const isCurrent = (exchangeClient: ExchangeClient) =>
    clients()[exchangeClient.url] === exchangeClient;
  // A connection that was given up may close half a minute later, when another one is at work.
  const lost = new WeakSet<ExchangeClient>();
  const lose = (exchangeClient: ExchangeClient, error?: unknown) => {
    if (lost.has(exchangeClient)) return;
    lost.add(exchangeClient);
    listener.onLost(exchangeClient, isRateLimitError(error) ? "rate_limited" : "unreachable");
  };
  Object.assign(exchange, {
    fetch: async (url: string, method = "GET", headers?: unknown, body?: unknown) => {
      const isReading = method === "GET" && (body === undefined || body === null);
      if (!isReading || !origins.has(new URL(url).origin))
        throw new NotAllowedError(`${method} ${url}`);
      return fetch(url, method, headers);
    },
    client: (url: string) => {
      if (!origins.has(new URL(url).origin)) throw new NotAllowedError(url);
      return client(url);
    },
    handleMessage: (from: ExchangeClient, message: unknown) => {
      // A connection that ccxt has given up without closing would go on changing the books.
      if (!isCurrent(from)) {
        lose(from);
        from.close();
        return;
      }
      listener.beforeMessage(from);
      handleMessage(from, message);
    },
    onClose: (from: ExchangeClient, event: unknown) => {
      lose(from);
      // ccxt would forget the connection that has replaced this one.
      if (isCurrent(from)) onClose(from, event);
    },
    onError: (from: ExchangeClient, error: unknown) => {
      lose(from, error);
      if (isCurrent(from)) onError(from, error);
    },
    close: async () => {
      for (const exchangeClient of Object.values(clients())) {
        lost.add(exchangeClient);
        delete clients()[exchangeClient.url];
        exchangeClient.close();
      }
    },
  });
  return new Proxy({} as PublicExchange, {
    get: (_, name) => {
      // Awaiting an object asks it for `then`.
      if (name === "then") return undefined;
      if (!allowed.some((allowedName) => allowedName === name))
        throw new NotAllowedError(String(name));
      const value = exchange[name as string];
      return typeof value === "function" ? value.bind(exchange) : value;
    },
    set: (_, name) => {
      throw new NotAllowedError(`setting ${String(name)}`);
    },
    defineProperty: (_, name) => {
      throw new NotAllowedError(`setting ${String(name)}`);
    },
  });
}

/** Credentials cannot be set, and every method that would sign a request with them throws. */
function refuseCredentials(exchange: RawExchange): void {
  for (const name of Object.keys(exchange.requiredCredentials)) {
    Object.defineProperty(exchange, name, {
      get: () => undefined,
      set: () => {
        throw new NotAllowedError(`the credential ${name}`);
      },
    });
  }
  Object.assign(exchange, {
    checkRequiredCredentials: (isRequired = true) => {
      if (isRequired) throw new NotAllowedError("a call with credentials");
      return false;
    },
    // ccxt's verbose mode would write all messages of a venue to this program's output.
    log: () => {},
    authenticate: () => {
      throw new NotAllowedError("authenticate");
    },
  });
}

/** The origins of the venue's public side, without those that ccxt uses for accounts. */
function publicOrigins(urls: unknown): Set<string> {
  const origins = new Set<string>();
  const collect = (value: unknown, name: string) => {
    if (typeof value === "string") {
      const isPublic = !/private|auth|trade|sandbox|beta/i.test(name) && URL.canParse(value);
      if (isPublic) origins.add(new URL(value).origin);
    } else if (value && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) collect(item, key);
    }
  };
  collect(urls, "");
  return origins;
}

function mapUrls(urls: unknown, change: (url: string) => string): unknown {
  if (typeof urls === "string") return change(urls);
  if (!urls || typeof urls !== "object") return urls;
  return Object.fromEntries(
    Object.entries(urls).map(([name, value]) => [name, mapUrls(value, change)]),
  );
}

/** Maps a URL to the fake venues, below the venue's name; loopback addresses only. */
function fakeVenueUrl(fakeVenues: string, { id }: RawExchange, url: string): string {
  const { protocol, hostname, host } = new URL(fakeVenues);
  if (protocol !== "http:" || !/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    throw new NotAllowedError(fakeVenues);
  const isSocket = url.startsWith("ws");
  const path = /^[a-z]+:\/\/[^/]+(.*)$/.exec(url)?.[1] ?? "";
  return `${isSocket ? "ws" : "http"}://${host}/${String(id)}${path}`;
}

/** The symbols that a venue lists and trades, registered here or not; its markets must be loaded. */
export function listSpotSymbols({ markets }: Pick<PublicExchange, "markets">): string[] {
  const listedMarkets = Object.values(markets ?? {}).filter(
    // An alias shows another market's book: BTC/USD as BTC/USDC would hide what USDC is worth.
    ({ spot, active, info }) => spot === true && active !== false && !info?.alias,
  );
  return [...new Set(listedMarkets.map(({ symbol }) => symbol))];
}

/** ccxt's errors for too many requests; a refusal by the venue's shield counts as one. */
export function isRateLimitError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isNamed = error.name === "RateLimitExceeded" || error.name === "DDoSProtection";
  return isNamed || error.message === "Unexpected server response: 429";
}
