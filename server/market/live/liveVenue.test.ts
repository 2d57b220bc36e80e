import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveVenue } from "#server/market/live/liveVenue.ts";
import type { ExchangeBook, PublicExchange } from "#server/market/live/publicExchange.ts";
import { createSampler } from "#server/market/live/sampler.ts";

// Vitest does not fake the timers of this module.
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms)),
}));

const symbols = [
  { name: "BTC/USD", scale: 2, venues: ["one"] },
  { name: "USDC/USD", scale: 5, venues: ["one"] },
] as const;
type Name = (typeof symbols)[number]["name"];

/** A venue whose messages the test sends, second by second. */
function openVenue() {
  const orderbooks: Record<string, ExchangeBook | undefined> = {};
  const client = { url: "", isConnected: true, close: () => {} };
  let nowMs = 1_000_000;
  let nonce = 0;
  const closedVenues: number[] = [];
  const exchange = {
    id: "one",
    has: {},
    markets: Object.fromEntries(symbols.map(({ name }) => [name, { symbol: name, spot: true }])),
    orderbooks,
    trades: {},
    clients: { one: client },
    close: async () => {
      closedVenues.push(nowMs);
    },
  } as unknown as PublicExchange;
  const venue = new LiveVenue(exchange, symbols, () => nowMs);
  return {
    venue,
    closed: closedVenues,
    /**
     * Moves to the next second and sends the named books, with their delays by the venue's clock.
     */
    second: (delays: Partial<Record<Name, number>>) => {
      for (const [name, delayMs] of Object.entries(delays)) {
        nonce += 1;
        const timestamp = nowMs + 900 - delayMs;
        orderbooks[name] = { bids: [[99, 1]], asks: [[101, 1]], timestamp, nonce };
      }
      nowMs += 900;
      if (Object.keys(delays).length > 0) venue.heard();
      nowMs += 100;
      const validated = symbols.map(({ name }) => venue.sample(name, nowMs).fault);
      venue.refresh(nowMs);
      return validated;
    },
    lose: () => venue.onLost("unreachable"),
    /** As ccxt does on each connection, for a venue that sends changes only. */
    clear: () => {
      for (const { name } of symbols) orderbooks[name] = { bids: [], asks: [] };
    },
  };
}

const delaysAt = (delayMs: number) => ({ "BTC/USD": delayMs, "USDC/USD": delayMs });
const counts = [null, null];

describe("measured delays of a venue", () => {
  test("a connection made while the venue is late does not learn that delay as usual", () => {
    const { second, lose } = openVenue();
    expect(second(delaysAt(20))).toEqual(counts);
    for (let index = 0; index < 5; index += 1) second({});
    lose();
    // The first book may be old or fetched over REST; the second is neither.
    expect(second(delaysAt(8_000))).toEqual(["starting", "starting"]);
    expect(second(delaysAt(8_000))).toEqual(["late", "late"]);
    lose();
    expect(second(delaysAt(8_000))).toEqual(["late", "late"]);
    expect(second(delaysAt(30))).toEqual(counts);
  });

  test("a late book does not count when its connection is lost", () => {
    const { second, lose } = openVenue();
    second(delaysAt(20));
    expect(second(delaysAt(8_000))).toEqual(["late", "late"]);
    lose();
    expect(second({})).toEqual(["late", "late"]);
  });

  test("an old book counts once another book shows that the venue is on time", () => {
    const { second, lose } = openVenue();
    second(delaysAt(20));
    for (let index = 0; index < 5; index += 1) second({});
    lose();
    expect(second({ "USDC/USD": 40_000 })).toEqual(["starting", "starting"]);
    expect(second({ "BTC/USD": 20 })).toEqual(["starting", "starting"]);
    expect(second({ "BTC/USD": 20 })).toEqual(counts);
  });

  test("a connection reopened within five seconds leaves no gap", () => {
    const { second, lose, clear } = openVenue();
    second(delaysAt(20));
    lose();
    clear();
    expect(second({})).toEqual(counts);
    expect(second(delaysAt(40_000))).toEqual(counts);
    for (let index = 0; index < 3; index += 1) expect(second({})).toEqual(counts);
    // For more than five seconds nothing has shown that the venue is on time.
    expect(second({})).toEqual(["starting", "starting"]);
  });

  test("a late book counts once it is refetched and another book shows that the venue is on time", () => {
    const { second, lose } = openVenue();
    second(delaysAt(20));
    second(delaysAt(8_000));
    lose();
    expect(second(delaysAt(20))).toEqual(["late", "late"]);
    expect(second({ "BTC/USD": 20 })).toEqual(counts);
  });

  test("a refetched book does not count until it arrives on time", () => {
    const { second, lose } = openVenue();
    second(delaysAt(20));
    lose();
    second({ "BTC/USD": 20 });
    second({ "BTC/USD": 20 });
    expect(second({ "BTC/USD": 8_000 })).toEqual(["late", null]);
    // Fetched by a request, as Bitstamp's is: it does not show how late messages are.
    expect(second({ "BTC/USD": 8_000, "USDC/USD": 20 })).toEqual(["late", "late"]);
    expect(second({ "USDC/USD": 20 })).toEqual(["late", null]);
  });

  test("a clock set an hour ahead or back is not a delay, even while the venue is late", () => {
    const { second } = openVenue();
    const hourMs = 3_600_000;
    for (const delayMs of [20, -hourMs, 20, hourMs, 20])
      expect(second(delaysAt(delayMs))).toEqual(counts);
    for (const delayMs of [8_000, 8_000 - hourMs, 8_000])
      expect(second(delaysAt(delayMs))).toEqual(["late", "late"]);
    expect(second(delaysAt(20))).toEqual(counts);
  });

  test("a delay of ten minutes counts as a clock that was set", () => {
    const { second, closed } = openVenue();
    second(delaysAt(20));
    for (let index = 0; index <= 600; index += 1)
      expect(second(delaysAt(8_000))).toEqual(["late", "late"]);
    expect(second(delaysAt(8_000))).toEqual(counts);
    // Until then a new connection is tried each minute.
    expect(closed).toHaveLength(9);
  });

  test("the usual delay is relearned when world time leaps", () => {
    const { venue, second } = openVenue();
    second(delaysAt(20));
    venue.forgetDelay();
    expect(second(delaysAt(8_000))).toEqual(counts);
  });
});

test("a connection without a symbol's book for a minute is reopened", () => {
  const { second, closed, lose } = openVenue();
  second(delaysAt(20));
  lose();
  for (let index = 0; index < 60; index += 1) second({ "BTC/USD": 20 });
  expect(second({ "BTC/USD": 20 })).toEqual([null, "starting"]);
  expect(closed).toHaveLength(0);
  second({ "BTC/USD": 20 });
  expect(closed).toHaveLength(1);
});

/** A venue under test; the test sets its symbols and accepts or rejects subscriptions. */
function runVenue() {
  const markets: Record<string, { symbol: string; active: boolean }> = {};
  for (const { name } of symbols) markets[name] = { symbol: name, active: true };
  const active = new Map<Name, boolean>();
  const subscribed: (readonly string[])[] = [];
  let closeCount = 0;
  let nowMs = 1_000_000;
  let isRefused = false;
  const exchange = {
    id: "one",
    has: { watchOrderBookForSymbols: true },
    markets,
    orderbooks: {},
    trades: {},
    clients: { one: { url: "", isConnected: true } },
    loadMarkets: async () => {
      for (const [name, isActive] of active) markets[name]!.active = isActive;
    },
    close: async () => {
      closeCount += 1;
    },
    watchOrderBookForSymbols: async (names: readonly string[]) => {
      subscribed.push(names);
      if (isRefused) throw new Error("refused");
    },
  } as unknown as PublicExchange;
  const venue = new LiveVenue(exchange, symbols, () => nowMs);
  const stop = new AbortController();
  venue.run(stop.signal);
  const pass = async (ms: number) => {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  return {
    venue,
    subscribed,
    closed: () => closeCount,
    pass,
    setActive: async (name: Name, isActive: boolean) => {
      active.set(name, isActive);
      await pass(600_000);
      venue.heard();
      await venue.reloadMarkets();
      await pass(1);
    },
    refuse: (value: boolean) => {
      isRefused = value;
    },
    stop: () => stop.abort(),
  };
}

describe("a venue's subscriptions", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
  afterEach(() => void vi.useRealTimers());
  const symbolNames = symbols.map(({ name }) => name);

  test("suspending a symbol keeps the other subscriptions, and a relisted one is subscribed immediately", async () => {
    const { subscribed, closed, pass, setActive, stop } = runVenue();
    await pass(1);
    expect(subscribed).toEqual([symbolNames]);
    await setActive("USDC/USD", false);
    expect(closed()).toBe(0);
    await setActive("USDC/USD", true);
    expect(subscribed).toEqual([symbolNames, symbolNames]);
    stop();
  });

  test("a deliberate reconnection is immediate, even after failures", async () => {
    const { venue, subscribed, pass, refuse, stop } = runVenue();
    await pass(1);
    refuse(true);
    venue.onLost("unreachable");
    await pass(120_000);
    refuse(false);
    await pass(60_000);
    const before = subscribed.length;
    expect(before).toBeGreaterThan(5);
    venue.heard();
    venue.refresh(1_000_000);
    await pass(100_000);
    venue.refresh(1_180_001);
    await pass(1);
    expect(subscribed).toHaveLength(before + 1);
    stop();
  });

  test("a connection that worked for ten seconds is retried within 1.5 s, even after many failures", async () => {
    const { venue, subscribed, pass, refuse, stop } = runVenue();
    await pass(1);
    refuse(true);
    venue.onLost("unreachable");
    await pass(120_000);
    refuse(false);
    await pass(60_000);
    const before = subscribed.length;
    venue.heard();
    await pass(9_000);
    venue.onLost("unreachable");
    await pass(30_000);
    expect(subscribed).toHaveLength(before);
    await pass(30_000);
    expect(subscribed).toHaveLength(before + 1);
    venue.heard();
    await pass(10_000);
    venue.onLost("unreachable");
    await pass(1_500);
    expect(subscribed).toHaveLength(before + 2);
    stop();
  });
});

test("a new process compares a single venue's prices with the last index", () => {
  const atMs = 1_000_000;
  const [{ name }] = symbols;
  const quote = { bid: 990_000n, ask: 1_010_000n, atMs, maxAgeMs: 5_000 };
  const venue = {
    id: "one",
    sample: () => ({ fault: null, quote, book: { bids: [], asks: [] } }),
    takeVolume: () => 0n,
    takerFee: () => null,
  };
  const faultAfter = (value: bigint, agoMs: number) => {
    const references = [{ value, atMs: atMs - agoMs }];
    const sampler = createSampler({ symbols: [symbols[0]], references }, [venue], atMs - 1_000);
    return sampler.until(atMs)[0]!.status?.find((venueStatus) => venueStatus.symbol === name)
      ?.fault;
  };
  expect(faultAfter(10_000n, 600_000)).toBe("implausible");
  expect(faultAfter(10_000n, 600_001)).toBeUndefined();
  expect(faultAfter(1_000_000n, 1_000)).toBeUndefined();
});
