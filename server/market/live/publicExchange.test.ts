import { describe, expect, test } from "vitest";
import {
  type ExchangeClient,
  NotAllowedError,
  openExchange,
  restrictExchange,
} from "#server/market/live/publicExchange.ts";
import { startFakeVenues } from "#server/testing/fakeVenues/fakeVenues.ts";

const listener = { beforeMessage: () => {}, onLost: () => {} };

describe("the restricted ccxt exchange", () => {
  test.each([
    "createOrder",
    "createOrderWs",
    "cancelAllOrders",
    "withdraw",
    "transfer",
    "fetchBalance",
    "fetchDepositAddress",
    "sign",
    "request",
    "fetch",
    "apiKey",
    "secret",
    "urls",
  ])("%s is not reachable", async (name) => {
    for (const id of ["kraken", "coinbase", "bitstamp"]) {
      const exchange = await openExchange(id, null, listener);
      expect(() => (exchange as unknown as Record<string, unknown>)[name]).toThrow(NotAllowedError);
    }
  });

  test("credentials cannot be set", async () => {
    const exchange = await openExchange("kraken", null, listener);
    const set = () => {
      (exchange as unknown as Record<string, unknown>).apiKey = "key";
    };
    expect(set).toThrow(NotAllowedError);
    expect(() => Object.defineProperty(exchange, "secret", { value: "secret" })).toThrow(
      NotAllowedError,
    );
  });

  test("ccxt retries a venue without delay", async () => {
    const fakeVenues = await startFakeVenues(1);
    const exchange = await openExchange("kraken", fakeVenues.url, listener);
    await exchange.loadMarkets();
    fakeVenues.inject("kraken", "refuse");
    const fromMs = performance.now();
    for (let index = 0; index < 4; index += 1)
      await expect(exchange.watchOrderBookForSymbols(["BTC/USD"])).rejects.toThrow("503");
    expect(performance.now() - fromMs).toBeLessThan(3_000);
    await fakeVenues.stop();
  });

  test("only ccxt's own venues can be loaded", async () => {
    for (const id of ["../kraken", "fs", "kraken.js", ""])
      await expect(openExchange(id, null, listener)).rejects.toThrow();
  });
});

/** A stand-in for the object that `restrict` replaces, with access to ccxt's own code. */
function rawExchange() {
  const fetchedUrls: string[] = [];
  const dialled: string[] = [];
  const changes: unknown[] = [];
  const clients: Record<string, ExchangeClient> = {};
  const raw = {
    id: "venue",
    urls: {
      api: {
        public: "https://api.venue.test/v1",
        ws: { public: "wss://ws.venue.test", private: "wss://ws-auth.venue.test" },
      },
    },
    has: {},
    clients,
    requiredCredentials: { apiKey: true, secret: true },
    fetch: async (url: string) => {
      fetchedUrls.push(url);
    },
    client: (url: string): ExchangeClient => {
      dialled.push(url);
      return { url, isConnected: true, close: () => {} };
    },
    handleMessage: (_: ExchangeClient, message: unknown) => {
      changes.push(message);
    },
    // As ccxt's own: the address of a connection that has ended is forgotten.
    onClose: ({ url }: ExchangeClient): void => {
      delete clients[url];
    },
    onError: ({ url }: ExchangeClient): void => {
      delete clients[url];
    },
  };
  return { raw, fetched: fetchedUrls, dialled, changed: changes };
}

describe("restrict", () => {
  test("only GET requests without a body reach only the venue's public addresses", async () => {
    const { raw, fetched } = rawExchange();
    restrictExchange(raw, null, listener);
    await raw.fetch("https://api.venue.test/v1/markets");
    const rawFetch = raw.fetch as (...asked: unknown[]) => Promise<unknown>;
    for (const parameters of [
      ["https://api.venue.test/v1/order", "POST"],
      ["https://api.venue.test/v1/order", "DELETE"],
      ["https://api.venue.test/v1/order", "GET", {}, "side=buy"],
      ["https://elsewhere.test/v1/markets", "GET"],
    ])
      await expect(rawFetch(...parameters)).rejects.toThrow(NotAllowedError);
    expect(fetched).toEqual(["https://api.venue.test/v1/markets"]);
  });

  test("sockets for accounts are not opened", () => {
    const { raw, dialled } = rawExchange();
    restrictExchange(raw, null, listener);
    raw.client("wss://ws.venue.test/v2");
    expect(() => raw.client("wss://ws-auth.venue.test/v2")).toThrow(NotAllowedError);
    expect(dialled).toEqual(["wss://ws.venue.test/v2"]);
  });

  test("credentials can be neither set nor required", () => {
    const { raw } = rawExchange();
    restrictExchange(raw, null, listener);
    const open = raw as unknown as Record<string, unknown> & {
      checkRequiredCredentials(isRequired?: boolean): boolean;
      authenticate(): void;
    };
    expect(() => {
      open.apiKey = "key";
    }).toThrow(NotAllowedError);
    expect(open.apiKey).toBeUndefined();
    expect(() => open.checkRequiredCredentials()).toThrow(NotAllowedError);
    expect(open.checkRequiredCredentials(false)).toBe(false);
    expect(() => open.authenticate()).toThrow(NotAllowedError);
  });

  test("beforeMessage runs before each message, and abandoned connections change nothing", () => {
    const { raw, changed } = rawExchange();
    const before: number[] = [];
    restrictExchange(raw, null, { ...listener, beforeMessage: () => before.push(changed.length) });
    let closeCount = 0;
    const client = {
      url: "wss://ws.venue.test",
      isConnected: true,
      close: () => (closeCount += 1),
    };
    raw.clients[client.url] = client;
    raw.handleMessage(client, "one");
    raw.handleMessage(client, "two");
    raw.handleMessage({ ...client }, "from a connection that was given up");
    expect(before).toEqual([0, 1]);
    expect(changed).toEqual(["one", "two"]);
    expect(closeCount).toBe(1);
  });

  test("an abandoned connection is lost once and does not affect another", async () => {
    const { raw } = rawExchange();
    const ends: string[] = [];
    const exchange = restrictExchange(raw, null, {
      ...listener,
      onLost: ({ isConnected }, end) => ends.push(`${isConnected} ${end}`),
    });
    const dial = (isConnected: boolean) => {
      const client = { url: "wss://ws.venue.test", isConnected, close: () => {} };
      raw.clients[client.url] = client;
      return client;
    };
    const silent = dial(true);
    raw.onError(silent);
    const next = dial(false);
    raw.onClose(silent);
    expect(raw.clients[next.url]).toBe(next);
    expect(ends).toEqual(["true unreachable"]);
    await exchange.close();
    expect(raw.clients).toEqual({});
    raw.onClose(next);
    expect(ends).toHaveLength(1);
    const onError = raw.onError as (from: ExchangeClient, error: Error) => void;
    onError(dial(true), new Error("Unexpected server response: 429"));
    expect(ends[1]).toBe("true rate_limited");
  });

  test.each([
    "http://192.168.1.2:9100",
    "https://127.0.0.1:9100",
    "http://localhost.example:9100",
  ])("fake venues must be local, not at %s", (address) => {
    expect(() => restrictExchange(rawExchange().raw, address, listener)).toThrow(NotAllowedError);
  });
});
