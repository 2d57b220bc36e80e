import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, test } from "vitest";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { intervalNames } from "#core/market/intervals.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { replayDay } from "#core/market/simulate/replayDay.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import {
  buildBook,
  crossTime,
  type SimulatedSecond,
  Simulator,
} from "#core/market/simulate/simulator.ts";
import {
  createAnchorState,
  decodeState,
  encodeState,
  type SimulatorState,
} from "#core/market/simulate/state.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";

/** The symbols of the first worlds. A growing registry must not change any result below. */
const symbolNames: readonly MarketSymbol[] = [
  "BTC/USDT",
  "ETH/USDT",
  "BTC/USDC",
  "BTC/USD",
  "BNB/USDT",
  "SOL/USDT",
  "XRP/USDT",
  "DOGE/USDT",
  "USDC/USDT",
  "USDT/USD",
  "USDC/USD",
];
const model = createModel(symbolNames);
const getSeed = (text: string) => sha256(utf8ToBytes(text));
const dayMs = Date.UTC(2026, 0, 5);
const daySeconds = 86_400;

/** Runs a day; returns its index by symbol and calls `onSecond` for each second. */
function runDay(
  seed: Uint8Array,
  seconds: number,
  onSecond: (second: SimulatedSecond) => void = () => {},
) {
  const simulator = new Simulator(model, seed, createAnchorState(model), dayMs);
  const index = symbolNames.map(() => new Float64Array(seconds));
  for (let i = 0; i < seconds; i += 1) {
    const second = simulator.step();
    onSecond(second);
    const freshRows = second.quotes.map((row) => filterFreshQuotes(row, second.secondMs));
    for (let s = 0; s < symbolNames.length; s += 1) {
      const value = computeIndexValue(freshRows.map((row) => row[s] ?? null));
      (index[s] as Float64Array)[i] = value === null ? Number.NaN : Number(value);
    }
  }
  return { index, state: simulator.state() };
}

describe("a path is a function of its seed and state", () => {
  test("the bytes of a simulated hour are pinned", () => {
    const hash = sha256.create();
    const { state } = runDay(getSeed("a pinned day"), 3_600, ({ secondMs, quotes, volume }) => {
      const lines = quotes
        .flat()
        .map((quote) => (quote ? `${quote.bid}/${quote.ask}/${quote.atMs}` : "-"));
      hash.update(utf8ToBytes(`${secondMs} ${lines.join(" ")} ${volume.join(" ")}\n`));
    });
    hash.update(encodeState(model, state));
    expect(bytesToHex(hash.digest())).toBe(
      "6bf9ba8ee3965d1b715bc5b7e75df2be91da42e844a1f3779788803910c0fe91",
    );
  });

  test("the bytes of the history before the first second are pinned", () => {
    const { klines, state } = simulateHistory(model, getSeed("a pinned day"), dayMs + 12_345_000);
    const text = JSON.stringify(klines, (_key, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    expect(bytesToHex(sha256(utf8ToBytes(text)))).toBe(
      "834c3ed3f2e90046b10f67994ed5ccbd91acdf9a5dab7e9a5c80f6b6ab556b80",
    );
    expect(bytesToHex(sha256(encodeState(model, state)))).toBe(
      "63b550db9500dabdb21c675fb2b3474ff7863b2742ca60c1da2b1ff6e3b153e7",
    );
  });

  test("a path resumes from its encoded state", () => {
    const seed = getSeed("cut");
    const fullSimulator = new Simulator(model, seed, createAnchorState(model), dayMs);
    for (let i = 0; i < 500; i += 1) fullSimulator.skip();
    const rest = new Simulator(
      model,
      seed,
      decodeState(model, encodeState(model, fullSimulator.state())),
      fullSimulator.nextMs,
    );
    for (let i = 0; i < 50; i += 1) expect(rest.step()).toEqual(fullSimulator.step());
  });

  test("a different seed or state gives a different path", () => {
    const first = (seed: Uint8Array, state = createAnchorState(model)) =>
      new Simulator(model, seed, state, dayMs).step();
    const otherState = createAnchorState(model);
    otherState.level[0] = (otherState.level[0] as number) + 1e-4;
    expect(first(getSeed("b"))).not.toEqual(first(getSeed("a")));
    expect(first(getSeed("a"), otherState)).not.toEqual(first(getSeed("a")));
  });

  test("a state of the wrong length or with a NaN is refused", () => {
    expect(() => decodeState(model, new Uint8Array(model.stateBytes - 1))).toThrow(RangeError);
    expect(() => decodeState(model, new Uint8Array(model.stateBytes).fill(255))).toThrow(
      RangeError,
    );
  });
});

describe("a model of fewer symbols", () => {
  const fewer = symbolNames.filter((name) => name !== "DOGE/USDT");

  test("a model has only the assets of its symbols, and its own state length", () => {
    const small = createModel(fewer);
    expect([small.assets.length, small.coinCount, small.symbols.length]).toEqual([7, 5, 10]);
    const state = encodeState(small, createAnchorState(small));
    expect(encodeState(small, decodeState(small, state))).toEqual(state);
    expect(() => decodeState(model, state)).toThrow(RangeError);
    const { quotes, volume } = new Simulator(
      small,
      getSeed("a"),
      createAnchorState(small),
      dayMs,
    ).step();
    expect([quotes.length, quotes[0]?.length, volume.length]).toEqual([3, 10, 10]);
  });

  test.each([
    ["symbol", () => createModel([...fewer, "NONE/USDT"])],
    ["version", () => createModel(fewer, 2)],
  ])("a model with an unknown %s is refused", (_what, make) => {
    expect(make).toThrow(RangeError);
  });
});

describe("replayDay", () => {
  const seed = getSeed("logged");
  const listing = symbolNames.map((name) => ({
    name,
    scale: symbols[name].scale,
    venues: ["north"],
  }));
  const links = new SeedChain(seed);
  const world = { simulator: 1, symbols: listing, seedAnchor: links.anchor, createdAtMs: dayMs };
  const day = {
    dayMs,
    source: { kind: "none" } as const,
    link: links.seedOf(0),
    simulator: model.name,
    state: encodeState(model, createAnchorState(model)),
  };
  test.each([
    ["another simulator", { ...day, simulator: "drydock.simulate/0" }, "simulator_unknown"],
    ["a link other than the anchor's", { ...day, link: getSeed("other") }, "link_differs"],
    ["the link of the next day", { ...day, link: links.seedOf(1) }, "link_differs"],
    ["a day before the world's first", { ...day, dayMs: dayMs - 1_000 }, "link_differs"],
    ["a malformed state", { ...day, state: new Uint8Array(3) }, "state_malformed"],
  ])("%s is refused with its reason", (_title, evidence, reason) => {
    expect(replayDay(world, evidence, [])).toEqual({ ok: false, error: reason });
  });

  test("a world with an unknown symbol or simulator is refused", () => {
    const unknownListing = [...listing, { name: "NONE/USDT", scale: 4, venues: ["north"] }];
    const unknownSimulator = { ok: false, error: "simulator_unknown" };
    expect(replayDay({ ...world, symbols: unknownListing }, day, [])).toEqual(unknownSimulator);
    expect(replayDay({ ...world, simulator: 2 }, day, [])).toEqual(unknownSimulator);
    expect(replayDay({ ...world, simulator: null }, day, [])).toEqual(unknownSimulator);
  });

  test("leaves out of order are refused", () => {
    const earlySecond = { secondMs: dayMs - 1_000, quotes: [], index: [] };
    expect(replayDay(world, day, [earlySecond])).toEqual({ ok: false, error: "order_wrong" });
  });
});

describe("statistics of a simulated day", () => {
  let index: Float64Array[];
  let dayEnd: SimulatorState;
  let widest = 0;
  let lowest = Number.POSITIVE_INFINITY;
  const spreads = symbolNames.map(() => 0);
  let silentCount = 0;
  beforeAll(() => {
    const seed = getSeed("statistics");
    ({ index, state: dayEnd } = runDay(seed, daySeconds, ({ secondMs, quotes }) => {
      for (const row of quotes) {
        const quote = row[0];
        if (quote && quote.atMs !== secondMs) silentCount += 1;
      }
      for (let s = 0; s < symbolNames.length; s += 1) {
        const mids = quotes.map((row) => Number((row[s]?.bid ?? 0n) + (row[s]?.ask ?? 0n)) / 2);
        widest = Math.max(widest, Math.max(...mids) / Math.min(...mids) - 1);
        lowest = Math.min(lowest, ...quotes.map((row) => Number(row[s]?.bid ?? 0n)));
        const best = quotes[0]?.[s];
        if (best)
          spreads[s] =
            (spreads[s] as number) + Number(best.ask - best.bid) / Number(best.bid) / daySeconds;
      }
    }));
  });

  test("the state at the end of the day is pinned", () => {
    expect(bytesToHex(sha256(encodeState(model, dayEnd)))).toBe(
      "ffcf0a6730bcedf12a70e14408b2da94b6b3f462467964ffa501f89f3ef1f9cc",
    );
  });

  const returns = (s: number, step: number) => {
    const values = index[s] as Float64Array;
    const ratios: number[] = [];
    for (let i = step; i < values.length; i += step) {
      const move = Math.log((values[i] as number) / (values[i - step] as number));
      if (Number.isFinite(move)) ratios.push(move);
    }
    return ratios;
  };
  const deviation = (list: number[]) =>
    Math.sqrt(list.reduce((a, b) => a + b * b, 0) / list.length);
  const yearly = (s: number) => deviation(returns(s, 60)) * Math.sqrt((365.25 * daySeconds) / 60);

  test.each([
    ["BTC/USDT", 0.3, 0.8],
    ["ETH/USDT", 0.35, 1.1],
    ["SOL/USDT", 0.45, 1.5],
    ["XRP/USDT", 0.4, 1.4],
    ["BNB/USDT", 0.3, 1],
    ["DOGE/USDT", 0.5, 1.8],
    ["USDC/USDT", 0.001, 0.03],
  ] as const)("%s has a plausible annual volatility", (name, low, high) => {
    const volatility = yearly(symbolNames.indexOf(name));
    expect(volatility).toBeGreaterThan(low);
    expect(volatility).toBeLessThan(high);
  });

  test("one-minute returns do not predict the next", () => {
    for (const name of ["BTC/USDT", "ETH/USDT", "DOGE/USDT"] as const) {
      const list = returns(symbolNames.indexOf(name), 60);
      const product = list.slice(1).reduce((sum, move, i) => sum + move * (list[i] as number), 0);
      expect(Math.abs(product / list.length / deviation(list) ** 2)).toBeLessThan(0.1);
    }
  });

  test("venues stay within three percent of each other, and every price is positive", () => {
    expect(widest).toBeLessThan(0.03);
    expect(lowest).toBeGreaterThan(0);
  });

  test("the tightest venue's spread is between 0.01 and 5 basis points", () => {
    for (const spread of spreads) {
      expect(spread).toBeGreaterThan(1e-6);
      expect(spread).toBeLessThan(5e-4);
    }
  });

  test("venues fall silent occasionally while the index has few gaps", () => {
    expect(silentCount).toBeGreaterThan(30);
    expect(silentCount).toBeLessThan(daySeconds * 3 * 0.01);
    const gaps = (index[0] as Float64Array).filter((value) => Number.isNaN(value)).length;
    expect(gaps).toBeLessThan(120);
  });

  test("triangles close approximately but not exactly", () => {
    const indexOf = (name: keyof typeof symbols) => {
      const values = index[symbolNames.indexOf(name)] as Float64Array;
      return values.map((value) => value / 10 ** symbols[name].scale);
    };
    const [usdt, usdc, usd] = [indexOf("BTC/USDT"), indexOf("BTC/USDC"), indexOf("BTC/USD")];
    const [pair, tether, coin] = [indexOf("USDC/USDT"), indexOf("USDT/USD"), indexOf("USDC/USD")];
    let open = 0;
    for (let i = 0; i < daySeconds; i += 97) {
      const turns = [
        ((usdc[i] as number) * (pair[i] as number)) / (usdt[i] as number),
        ((usdt[i] as number) * (tether[i] as number)) / (usd[i] as number),
        ((usdc[i] as number) * (coin[i] as number)) / (usd[i] as number),
      ].filter((ratio) => Number.isFinite(ratio));
      for (const ratio of turns) expect(Math.abs(ratio - 1)).toBeLessThan(0.003);
      if (turns.some((ratio) => Math.abs(ratio - 1) > 1e-5)) open += 1;
    }
    expect(open).toBeGreaterThan(100);
  });
});

test("up and down over sixty seconds are equally likely", () => {
  let ups = 0;
  let downs = 0;
  const seconds = 21_600;
  const playedSymbols = [
    "BTC/USDT",
    "ETH/USDT",
    "SOL/USDT",
    "XRP/USDT",
    "BNB/USDT",
    "DOGE/USDT",
  ] as const;
  for (let day = 0; day < 6; day += 1) {
    const { index } = runDay(getSeed(`coin ${day}`), seconds);
    for (const name of playedSymbols) {
      const values = index[symbolNames.indexOf(name)] as Float64Array;
      for (let i = 60; i < seconds; i += 60) {
        const move = (values[i] as number) - (values[i - 60] as number);
        if (move > 0) ups += 1;
        if (move < 0) downs += 1;
      }
    }
  }
  // Symbols move together, so the effective sample is about a quarter of its size.
  const noise = 3 / (2 * Math.sqrt((ups + downs) / 4));
  expect(Math.abs(ups / (ups + downs) - 0.5)).toBeLessThan(noise);
});

describe("history", () => {
  test("every symbol has contiguous klines of every interval up to the first second", () => {
    const firstMs = dayMs + 12_345_000;
    const { klines } = simulateHistory(model, getSeed("history"), firstMs);
    for (const ofSymbol of klines) {
      for (const interval of intervalNames) {
        const list = ofSymbol[interval];
        expect(list.length).toBeGreaterThanOrEqual(interval === "1w" ? 100 : 500);
        expect(list.every((c) => c.low > 0n && c.low <= c.open && c.high >= c.close)).toBe(true);
        expect(list.at(-1)?.close).toBe(ofSymbol["1m"].at(-1)?.close);
        expect(list.at(-1)?.openMs).toBeLessThan(firstMs);
      }
    }
  });
});

test("downtime moves prices by whole coarse steps only", () => {
  const state = createAnchorState(model);
  const seed = getSeed("dead");
  expect(encodeState(model, crossTime(model, state, seed, dayMs, dayMs + 299_000))).toEqual(
    encodeState(model, state),
  );
  const movedState = crossTime(model, state, seed, dayMs, dayMs + 86_400_000);
  expect(movedState.level[0]).not.toBe(state.level[0]);
  expect(Math.abs((movedState.level[0] as number) - (state.level[0] as number))).toBeLessThan(0.3);
});

test("a book has twenty ascending levels a side, each with a positive size", () => {
  const location = { secondMs: dayMs, venue: 2, symbol: 0 };
  const book = buildBook(model, getSeed("book"), location, { bid: 6_400_000n, ask: 6_400_400n });
  expect(buildBook(model, getSeed("book"), location, { bid: 6_400_000n, ask: 6_400_400n })).toEqual(
    book,
  );
  expect(book.bids[0]?.price).toBe(6_400_000n);
  expect(book.asks[0]?.price).toBe(6_400_400n);
  for (const [side, sign] of [
    [book.bids, -1n],
    [book.asks, 1n],
  ] as const) {
    expect(side).toHaveLength(20);
    expect(side.every(({ size }) => size > 0n)).toBe(true);
    const steps = side.slice(1).map((level, i) => (level.price - (side[i]?.price ?? 0n)) * sign);
    expect(steps.every((step) => step > 0n)).toBe(true);
  }
});
