import { describe, expect, test } from "vitest";
import { stepEngine } from "#core/hosting/engine.ts";
import type { Friction } from "#core/hosting/friction.ts";
import {
  computeFoundingUnits,
  executeAt,
  markPool,
  type PendingOrder,
} from "#core/hosting/pool.ts";
import {
  addOwed,
  createState,
  decodePoolState,
  encodePoolState,
  payIn,
  payOwed,
} from "#core/hosting/state.ts";
import {
  createGenerator,
  createMoment,
  crossPool,
  type FlatBook,
  trianglePool,
} from "#core/hosting/testing.ts";
import type { PoolConfig, PoolState } from "#core/hosting/types.ts";
import { computeAssetsWorth, computeTotal, listAssets } from "#core/hosting/value.ts";

const usdt = 1_000_000n;
const t0 = 1_700_000_001_000;

describe("over random markets", () => {
  const run = (
    config: PoolConfig,
    friction: Friction,
    seed: number,
    through: (s: PoolState) => PoolState,
  ) => {
    const pick = createGenerator(seed);
    let state = payIn(createState(), 20_000n * usdt);
    const bookAround = (centre: number): FlatBook => {
      const mid = Math.round(centre * (1 + (pick(121) - 60) / 10_000));
      return [BigInt(mid - 1 - pick(10)), BigInt(mid + pick(10)), pick(100) / 50];
    };
    const trades = new Set<string>();
    for (let i = 0; i < 1_500; i += 1) {
      const atMs = t0 - 1_000 + i * 20_000;
      const books: Record<string, FlatBook> = {};
      for (const venue of config.venues)
        for (const symbol of config.symbols)
          if (pick(6) > 0) {
            const [bid, ask, size] = bookAround(symbol === "USDC/USDT" ? 100_000 : 2_000_000);
            books[`${venue}/${symbol}`] = [bid, ask, symbol === "USDC/USDT" ? size * 9_000 : size];
          }
      if (pick(50) === 0 && state.owed === 0n) state = addOwed(state, BigInt(1 + pick(500)) * usdt);
      const before = state;
      const moment = createMoment(atMs, books);
      const result = stepEngine(config, friction, before, moment);
      const flow = new Map<string, bigint>();
      for (const { order, quantity, quote, fee } of result.fills) {
        const sign = order.side === "buy" ? 1n : -1n;
        const [base, money] = order.symbol.split("/") as [string, string];
        flow.set(base, (flow.get(base) ?? 0n) + sign * quantity);
        flow.set(money, (flow.get(money) ?? 0n) - sign * quote - fee);
        trades.add(order.purpose);
      }
      for (const asset of listAssets(config)) {
        const movedAmount =
          computeTotal(config, result.state, asset) - computeTotal(config, before, asset);
        if (movedAmount !== (flow.get(asset) ?? 0n))
          expect({ i, asset, moved: movedAmount }).toEqual(flow.get(asset));
      }
      state = through(result.state);
      const payable = state.free < state.owed ? state.free : state.owed;
      if (payable > 0n) state = payOwed(state, payable);
    }
    return { state, trades };
  };

  test.each([
    ["cross", crossPool, "realistic"],
    ["cross", crossPool, "harsh"],
    ["triangle", trianglePool, "realistic"],
    ["triangle", trianglePool, "frictionless"],
  ] as const)("a %s pool changes only by fills and resumes exactly", (_, config, friction) => {
    for (const seed of [1, 2, 3]) {
      const plainRun = run(config, friction, seed, (state) => state);
      const storedRun = run(config, friction, seed, (state) =>
        decodePoolState(encodePoolState(state)),
      );
      expect(encodePoolState(storedRun.state)).toBe(encodePoolState(plainRun.state));
      expect([...plainRun.trades].sort()).toContain("arbitrage");
    }
  });
});

describe("engine and units together, over 10 000 random moments", () => {
  test.each([
    ["cross", crossPool, 5],
    ["triangle", trianglePool, 6],
  ] as const)("%s: assets equal owed plus units × NAV plus remainder", (_, config, seed) => {
    const pick = createGenerator(seed);
    const founder = computeFoundingUnits("USDT", 20_000n * usdt);
    const pool = { state: createState(20_000n * usdt), units: founder };
    let heldUnits = 0n;
    const counts = { marks: 0, gaps: 0, subscribed: 0, redeemed: 0, fills: 0, raised: 0, paid: 0 };
    const takeStep = (i: number, mayOrder: boolean) => {
      const atMs = 1_700_000_040_000 + i * 20_000;
      const books: Record<string, FlatBook> = {};
      for (const venue of config.venues)
        for (const symbol of config.symbols) {
          if (pick(8) === 0) continue;
          const isDollar = symbol === "USDC/USDT";
          const mid = (isDollar ? 100_000 : 2_000_000) * (1 + (pick(81) - 40) / 10_000);
          books[`${venue}/${symbol}`] = [
            BigInt(Math.floor(mid) - 2),
            BigInt(Math.floor(mid) + 2),
            (1 + pick(100)) * (isDollar ? 180 : 0.02),
          ];
        }
      const moment = createMoment(atMs, books);
      const result = stepEngine(config, "realistic", pool.state, moment);
      pool.state = result.state;
      counts.fills += result.fills.length;
      if (result.decision?.purpose === "raise") counts.raised += 1;
      if (atMs % 60_000 === 0) markNow(moment, mayOrder);
      const payable = pool.state.free < pool.state.owed ? pool.state.free : pool.state.owed;
      if (payable === 0n) return;
      pool.state = payOwed(pool.state, payable);
      counts.paid += 1;
    };
    const markNow = (moment: ReturnType<typeof createMoment>, mayOrder: boolean) => {
      const worth = computeAssetsWorth(config, pool.state, moment);
      const outcome = markPool("USDT", { worth, owed: pool.state.owed, units: pool.units });
      if (!outcome.ok) {
        counts.gaps += 1;
        return;
      }
      const { mark } = outcome;
      counts.marks += 1;
      expect(mark.assets).toBe(mark.owed + (mark.units * mark.nav) / 10n ** 10n + mark.remainder);
      const pendingOrders: PendingOrder[] = [];
      if (mayOrder && pick(3) === 0) {
        pendingOrders.push({ kind: "subscribe", amount: BigInt(1 + pick(2_000)) * usdt });
        counts.subscribed += 1;
      }
      if (mayOrder && heldUnits > 0n && pick(3) === 0) {
        pendingOrders.push({
          kind: "redeem",
          units: (heldUnits * BigInt(1 + pick(100))) / 100n || heldUnits,
        });
        counts.redeemed += 1;
      }
      const result = executeAt("USDT", mark, pendingOrders);
      pool.units = result.units;
      heldUnits = pool.units - founder;
      pool.state = addOwed(payIn(pool.state, result.paidIn), result.payable);
      const after = computeAssetsWorth(config, pool.state, moment)! - pool.state.owed;
      expect(after * mark.units >= mark.net * pool.units).toBe(true);
      expect(heldUnits >= 0n).toBe(true);
    };
    for (let i = 0; i < 10_000; i += 1) takeStep(i, true);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
    // Everything owed is paid eventually once no more is redeemed.
    for (let i = 10_000; i < 10_200; i += 1) takeStep(i, false);
    expect(pool.state.owed).toBe(0n);
  });
});
