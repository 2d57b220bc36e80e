import { describe, expect, it } from "vitest";
import { BacktestRun } from "#core/backtest/backtest.ts";
import { checkHistoryTest } from "#core/backtest/checkHistoryTest.ts";
import { type HistoryTest, runHistoryTest } from "#core/backtest/historyTest.ts";
import { replayHistoryMoments } from "#core/backtest/simulatedMoments.ts";
import type { Moment, PoolConfig } from "#core/hosting/types.ts";
import { dayNumber, daySeed } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { historyTestMs, replayHistorySeconds } from "#core/market/simulate/historySeconds.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { encodeState } from "#core/market/simulate/state.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";
import { encodeSeed } from "#core/transparency-log/seedLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";

const names: MarketSymbol[] = ["BTC/USDT", "USDC/USDT"];
const model = createModel(names);
const createdAtMs = 1_793_365_630_000;
const firstMs = createdAtMs + 1_000;
const chain = new SeedChain(new Uint8Array(32).fill(9));
const link = chain.seedOf(dayNumber({ createdAtMs }, firstMs));
const seed = daySeed(link, { kind: "none" });
const span = { fromMs: firstMs - historyTestMs, toMs: firstMs - 1_000 };
const cross: PoolConfig = {
  strategy: "cross",
  venues: [...venues],
  symbols: ["BTC/USDT"],
  home: "USDT",
};
const seconds = [...replayHistorySeconds(model, seed, firstMs)];
const start = 100_000n;
const test = runHistoryTest(cross, start, replayHistoryMoments(model, seed, firstMs), span)!;

describe("the market before a world's first second", () => {
  it("has every second of six hours before the world, and no second of the world", () => {
    expect(seconds.length).toBe(historyTestMs / 1_000);
    expect(seconds[0]!.secondMs).toBe(span.fromMs);
    expect(seconds.at(-1)!.secondMs).toBe(span.toMs);
  });

  it("keeps its venues around the prices of the history's klines", () => {
    const { klines } = simulateHistory(model, seed, firstMs);
    const minutes = new Map(klines[0]!["1m"].map((kline) => [kline.openMs, kline.open]));
    let comparedCount = 0;
    for (const { secondMs, quotes } of seconds) {
      const price = minutes.get(secondMs);
      if (price === undefined) continue;
      comparedCount += 1;
      for (const row of quotes) {
        const mid = Number(row[0]!.bid + row[0]!.ask) / 2;
        // A silent venue repeats its last quote.
        const boundBp = row[0]!.atMs === secondMs ? 60 : 200;
        expect(Math.abs(mid / Number(price) - 1) * 10_000).toBeLessThan(boundBp);
      }
    }
    expect(comparedCount).toBe(360);
  });
});

describe("a pool's test on the market before it began", () => {
  it("is the engine's own run under each friction", () => {
    for (const { friction, ...outcome } of test.outcomes) {
      const run = new BacktestRun(cross, friction, { start });
      for (const moment of replayHistoryMoments(model, seed, firstMs)) run.take(moment);
      const { worth, start: startWorth, counters } = run.result();
      const digits = String(worth).padStart(7, "0");
      expect(outcome.worth).toBe(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
      expect(Math.sign(Number(outcome.result))).toBe(Math.sign(Number(worth - startWorth)));
      expect(outcome.trades).toBe(counters.trades);
    }
    expect(test.outcomes.map(({ friction }) => friction)).toEqual([
      "frictionless",
      "realistic",
      "harsh",
    ]);
  });

  it("reports the widest gap of each stretch beside the gap needed", () => {
    expect(test.gaps.length).toBe(96);
    expect(test.seen).toBeGreaterThan(21_000);
    const isWide = test.gaps.some(([, gap, neededGap]) => Number(gap) >= Number(neededGap));
    expect(test.wide > 0).toBe(isWide);
    for (const [, , neededGap] of test.gaps) expect(neededGap).toBe("22.02");
  });

  it("gives no result for less than an hour", () => {
    const tooShort = { fromMs: firstMs - 59 * minuteMs, toMs: span.toMs };
    const lateMoments = function* (): Generator<Moment> {
      for (const moment of replayHistoryMoments(model, seed, firstMs))
        if (moment.atMs >= tooShort.fromMs) yield moment;
    };
    expect(runHistoryTest(cross, start, lateMoments(), tooShort)).toBeNull();
  });

  it("never shows a loss smaller than it was", () => {
    const price = (atMs: number) => (atMs >= minuteMs * 30 ? 19_999_99n : 20_000_00n);
    const holdReturn: PoolConfig = { ...cross, strategy: "hold", venues: ["north"] };
    const lossText = Array.from({ length: 61 }, (_, index): Moment => {
      const atMs = index * minuteMs;
      return { atMs, book: () => null, index: () => price(atMs) };
    });
    const shortTest = runHistoryTest(holdReturn, start, lossText, {
      fromMs: 0,
      toMs: 60 * minuteMs,
    })!;
    expect(shortTest.hold_return_bp).toBe("-0.01");
  });
});

describe("checking a pool's test", () => {
  const world = "tested";
  const leaves = {
    world: encodeWorld({
      world,
      market: { kind: "simulated", speed: 1 },
      simulator: 1,
      seedAnchor: chain.anchor,
      beacon: null,
      recording: null,
      createdAtMs,
      venues: [...venues],
      symbols: names.map((name) => ({ name, scale: symbols[name].scale, venues: [...venues] })),
    }),
    begin: encodeSeed({ action: "begin", world, dayMs: firstMs, source: { kind: "none" } }),
    reveal: encodeSeed({
      action: "reveal",
      world,
      dayMs: firstMs,
      link,
      simulator: model.name,
      state: encodeState(model, simulateHistory(model, seed, firstMs).state),
    }),
  };
  const pool = { config: cross, start };

  it("recomputes every figure from the revealed seed", () => {
    expect(checkHistoryTest(leaves, pool, test)).toBe("same");
  });

  it("finds a figure that was changed", () => {
    const [first, ...rest] = test.outcomes;
    const betterTest: HistoryTest = {
      ...test,
      outcomes: [{ ...first!, result: "1000.000000" }, ...rest],
    };
    expect(checkHistoryTest(leaves, pool, betterTest)).toBe("differs");
    expect(checkHistoryTest(leaves, { config: cross, start: start + 1n }, test)).toBe("differs");
  });

  it("refuses a seed or a state that is not the world's", () => {
    const withChange = (change: { link?: Uint8Array; state?: Uint8Array }) => ({
      ...leaves,
      reveal: encodeSeed({
        action: "reveal",
        world,
        dayMs: firstMs,
        link,
        simulator: model.name,
        state: encodeState(model, simulateHistory(model, seed, firstMs).state),
        ...change,
      }),
    });
    expect(checkHistoryTest(withChange({ link: chain.seedOf(5) }), pool, test)).toBe("log_differs");
    const { state } = simulateHistory(model, new Uint8Array(32), firstMs);
    expect(checkHistoryTest(withChange({ state: encodeState(model, state) }), pool, test)).toBe(
      "log_differs",
    );
    expect(checkHistoryTest({ ...leaves, begin: leaves.reveal }, pool, test)).toBe("log_differs");
  });
});
