import { expect, test } from "vitest";
import {
  computeFee,
  computeMoveHundredthsBp,
  computeProfit,
  decideOutcome,
  settle,
} from "#core/contracts/settle.ts";
import { computeSettlementPrice } from "./settlementWindow.ts";

/** Mulberry32, so that a failure can be reproduced from its seed. */
function createGenerator(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

interface Case {
  up: boolean;
  stake: number;
  rateBp: number;
  feeBp: number;
  rangeBp: number;
  purchase: number | null;
  samples: number[];
  windowSeconds: number;
}

function randomCase(pick: (end: number) => number): Case {
  const windowSeconds = pick(2) === 0 ? 10 : 60;
  const base = 1 + pick(pick(2) === 0 ? 50 : 5_000_000);
  const presentCount = windowSeconds - (pick(3) === 0 ? pick(Math.ceil(windowSeconds / 3)) : 0);
  const spread = 1 + pick(1 + Math.floor(base / 20));
  return {
    up: pick(2) === 0,
    stake: 1 + pick(1_000_000_000),
    rateBp: pick(10_001),
    feeBp: pick(1_001),
    rangeBp: pick(2) === 0 ? 0 : pick(300),
    purchase: pick(20) === 0 ? null : base,
    samples: Array.from({ length: presentCount }, () =>
      Math.max(1, base - spread + pick(2 * spread + 1)),
    ),
    windowSeconds,
  };
}

/**
 * A second implementation of the rules in plain numbers: compares fractions by cross-multiplication
 * and removes samples one by one.
 */
function settleIndependently({
  up,
  stake,
  rateBp,
  feeBp,
  rangeBp,
  purchase,
  samples,
  windowSeconds,
}: Case) {
  const fee = Math.ceil((stake * feeBp) / 10_000);
  const remaining = [...samples];
  const fifth = Math.floor(remaining.length / 5);
  for (let i = 0; i < fifth; i += 1) {
    remaining.splice(remaining.indexOf(Math.min(...remaining)), 1);
    remaining.splice(remaining.indexOf(Math.max(...remaining)), 1);
  }
  const totalCharge = stake + fee;
  const createSettlement = (outcome: string, payout: number) => ({
    outcome,
    payout,
    net: payout - totalCharge,
    fee,
  });
  if (purchase === null || samples.length < 0.8 * windowSeconds)
    return createSettlement("void", totalCharge);
  const sum = remaining.reduce((total, value) => total + value, 0);
  const lower = Math.floor(sum / remaining.length);
  const twiceRest = 2 * (sum - lower * remaining.length);
  const isOdd = lower % 2 === 1;
  const up1 = twiceRest > remaining.length || (twiceRest === remaining.length && isOdd);
  const selling = up1 ? lower + 1 : lower;
  const change = Math.abs(selling - purchase);
  if (change === 0 || change * 10_000 < rangeBp * purchase) return createSettlement("tie", stake);
  if (selling > purchase === up)
    return createSettlement("won", stake + Math.floor((stake * rateBp) / 10_000));
  return createSettlement("lost", 0);
}

test("core agrees with an independent computation on 100 000 random contracts", () => {
  const pick = createGenerator(20_260_105);
  const counts = new Map<string, number>();
  for (let i = 0; i < 100_000; i += 1) {
    const item = randomCase(pick);
    const stake = BigInt(item.stake);
    const fee = computeFee(stake, item.feeBp);
    const price = computeSettlementPrice(item.samples.map(BigInt), item.windowSeconds);
    const order = {
      direction: item.up ? "up" : "down",
      stake,
      fee,
      rateBp: item.rateBp,
      rangeBp: item.rangeBp,
    } as const;
    const purchase = item.purchase === null ? null : BigInt(item.purchase);
    const settlement = settle(order, purchase, price.ok ? price.price : null);
    const core = {
      outcome: settlement.outcome as string,
      payout: Number(settlement.payout),
      net: Number(settlement.net),
      fee: Number(fee),
    };
    const expected = settleIndependently(item);
    counts.set(core.outcome, (counts.get(core.outcome) ?? 0) + 1);
    // Compare directly first: 100 000 matcher calls would dominate the run time.
    if (JSON.stringify(core) !== JSON.stringify(expected))
      expect({ i, one: item, ...core }).toEqual({ i, one: item, ...expected });
  }
  // The generator must reach every rule, or the test proves nothing about it.
  for (const outcome of ["won", "lost", "tie", "void"])
    expect(counts.get(outcome)).toBeGreaterThan(2_000);
});

test("reversing the direction reverses the outcome, and both sides never win", () => {
  const pick = createGenerator(7);
  for (let i = 0; i < 5_000; i += 1) {
    const purchase = BigInt(1 + pick(1_000_000));
    const selling = BigInt(1 + pick(1_000_000));
    const rangeBp = pick(500);
    const outcomes = [
      decideOutcome({ direction: "up", rangeBp }, purchase, selling),
      decideOutcome({ direction: "down", rangeBp }, purchase, selling),
    ];
    expect(["lost,won", "tie,tie"]).toContain(outcomes.sort().join());
  }
});

test("a win never earns more than its rate, and an order never pays less than its fee", () => {
  const pick = createGenerator(8);
  for (let i = 0; i < 5_000; i += 1) {
    const stake = BigInt(1 + pick(2_000_000_000));
    const bp = pick(10_001);
    expect(computeProfit(stake, bp) * 10_000n <= stake * BigInt(bp)).toBe(true);
    expect(computeFee(stake, bp) * 10_000n >= stake * BigInt(bp)).toBe(true);
    expect(computeFee(stake, bp) - computeProfit(stake, bp) <= 1n).toBe(true);
  }
});

test("the displayed change has the sign of the move", () => {
  const pick = createGenerator(9);
  for (let i = 0; i < 5_000; i += 1) {
    const [purchase, selling] = [BigInt(1 + pick(10_000)), BigInt(1 + pick(10_000))];
    expect(computeMoveHundredthsBp(purchase, selling) < 0n).toBe(
      selling < purchase && computeMoveHundredthsBp(purchase, selling) !== 0n,
    );
  }
});
