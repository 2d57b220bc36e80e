import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeBinomialTailBp } from "#core/contracts/binomialTail.ts";
import {
  extendExclusion,
  getLossLimitAt,
  getRetainedExclusion,
  isExcluded,
  type LossLimit,
  setLossLimit,
} from "#core/contracts/limits.ts";
import {
  type OrderBody,
  orderHash,
  orderStructure,
  parseOrderStructure,
} from "#core/contracts/order.ts";
import {
  checkTerms,
  defaultTiers,
  type Terms,
  type Tier,
  termsBody,
  termsHash,
} from "#core/contracts/terms.ts";
import { dayMs } from "#core/money/time.ts";

const terms: Terms = {
  world: "harbour",
  contractId: "btc-usdt",
  symbol: "BTC/USDT",
  version: 1,
  tiers: defaultTiers,
};
const withTier = (change: Partial<Tier>): Terms => ({
  ...terms,
  tiers: [{ ...defaultTiers[0]!, ...change }],
});

describe("checkTerms", () => {
  test("the default terms pass", () => expect(checkTerms(terms)).toBeNull());
  test.each([
    ["a return of exactly 98 per 100 is allowed", { rateBp: 9_800, feeBp: 100 }, null],
    ["a return just above 98 flatters", { rateBp: 9_801, feeBp: 100 }, "flatters"],
    ["a return of exactly 90 is allowed", { rateBp: 8_200, feeBp: 100 }, null],
    ["a return just below 90 robs", { rateBp: 8_199, feeBp: 100 }, "robs"],
    [
      "a basis point of fee weighs twice a basis point of rate",
      { rateBp: 9_000, feeBp: 501 },
      "robs",
    ],
    ["full payback without a fee flatters", { rateBp: 10_000, feeBp: 0 }, "flatters"],
    ["a tier shorter than its window and entry is malformed", { seconds: 29 }, "tier_malformed"],
    ["a fraction is malformed", { rateBp: 9_000.5 }, "tier_malformed"],
    ["a zero stake is malformed", { stakeMin: 0n }, "tier_malformed"],
    [
      "stakes past 64-bit arithmetic are malformed",
      { stakeMax: 100_000_000_000_001n },
      "tier_malformed",
    ],
    ["zero orders a day is malformed", { ordersPerDay: 0 }, "tier_malformed"],
  ] as const)("%s", (_title, change, error) => {
    expect(checkTerms(withTier(change))?.error ?? null).toBe(error);
  });
  test.each([
    ["no tiers", { ...terms, tiers: [] }, "no_tiers"],
    ["a repeated tier", { ...terms, tiers: [defaultTiers[0]!, defaultTiers[0]!] }, "tier_repeated"],
    ["another contract's symbol", { ...terms, contractId: "eth-usdt" }, "symbol_mismatch"],
    ["version zero", { ...terms, version: 0 }, "version_malformed"],
  ] as const)("terms with %s are refused", (_title, wrong, error) => {
    expect(checkTerms(wrong)).toMatchObject({ error });
  });
  test("changing any field changes the hash", () => {
    const hashes = [
      terms,
      { ...terms, world: "other" },
      { ...terms, version: 2 },
      withTier({}),
      withTier({ rateBp: 9_001 }),
      withTier({ ordersPerDay: null }),
    ].map(termsHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
  test("the body carries the practice labels", () => {
    expect(termsBody(terms)).toMatchObject({ practice: true, backing: "none", world: "harbour" });
  });
  test("the hash of the default terms is pinned, as every verifier depends on it", () => {
    expect(termsHash(terms)).toMatchInlineSnapshot(
      `"afb80adf5142ad71c7c658079baaa2df7216c6db2c32ccdddaa1cecfab6fe866"`,
    );
  });
});

const order: OrderBody = {
  world: "harbour",
  market: { kind: "simulated", speed: 1 },
  orderId: "0199aaaa-0000-8000-8000-000000000001",
  attemptId: "a1",
  contractId: "btc-usdt",
  symbol: "BTC/USDT",
  direction: "up",
  tierSeconds: 60,
  windowSeconds: 10,
  rangeBp: 0,
  rateBp: 9_000,
  feeBp: 100,
  stake: 100_000_000n,
  fee: 1_000_000n,
  termsHash: "ab".repeat(32),
  acceptedAtMs: 1_767_571_200_400,
  salt: "cd".repeat(32),
};

describe("order structure", () => {
  test("an order structure survives a round trip through JSON", () => {
    expect(parseOrderStructure(JSON.parse(JSON.stringify(orderStructure(order))))).toEqual({
      ok: true,
      order,
    });
  });
  test("the hash of an order structure is pinned", () =>
    expect(orderHash(order)).toMatchInlineSnapshot(
      `"32f176bd1750999a1908f76cd2c589436cc3593a9f6f79e8a862b68f439cdace"`,
    ));
  test.each(
    Object.keys(orderStructure(order)),
  )("a structure without %s is refused with that field", (field) => {
    const { [field as "salt"]: _gone, ...rest } = orderStructure(order);
    expect(parseOrderStructure(rest)).toEqual({ ok: false, field });
  });
  test.each([
    ["a fraction of a minor unit", { stake: "1.5" }, "stake"],
    ["a leading zero", { stake: "01" }, "stake"],
    ["a real coin", { coin: "USDT" }, "coin"],
    ["a short salt", { salt: "00" }, "salt"],
    ["an unknown symbol", { symbol: "BTC/EUR" }, "symbol"],
  ])("a structure with %s is refused", (_title, change, field) => {
    expect(parseOrderStructure({ ...orderStructure(order), ...change })).toEqual({
      ok: false,
      field,
    });
  });
});

describe("self limits", () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  const midnight = Date.UTC(2026, 0, 6);
  const noLimit: LossLimit = { limit: null, next: null };
  const set = (...settings: (bigint | null)[]) =>
    settings.reduce((limit, setting) => setLossLimit(limit, setting, noon), noLimit);
  test.each([
    ["the first limit applies immediately", [100n], 100n, 100n],
    ["a lower limit applies immediately", [100n, 50n], 50n, 50n],
    ["a higher limit waits for the next real day", [50n, 100n], 50n, 100n],
    ["removing a limit waits for the next real day", [50n, null], 50n, null],
    ["a lower limit cancels a pending higher one", [50n, 100n, 40n], 40n, 40n],
    ["setting the current limit again cancels a pending one", [50n, 100n, 50n], 50n, 50n],
  ] as const)("%s", (_title, settings, today, tomorrow) => {
    const limit = set(...settings);
    expect(getLossLimitAt(limit, midnight - 1).limit).toBe(today);
    expect(getLossLimitAt(limit, midnight).limit).toBe(tomorrow);
  });
  test("an exclusion can only be extended", () => {
    const month = extendExclusion(null, "month", noon);
    expect(month).toEqual({ ok: true, exclusion: noon + 30 * dayMs });
    if (!month.ok) return;
    expect(extendExclusion(month.exclusion, "day", noon)).toEqual({
      ok: false,
      error: "exclusion_not_longer",
    });
    expect(extendExclusion(month.exclusion, "forever", noon)).toEqual({
      ok: true,
      exclusion: "forever",
    });
    expect(extendExclusion("forever", "forever", noon).ok).toBe(false);
    expect(isExcluded(month.exclusion, noon + 30 * dayMs - 1)).toBe(true);
    expect(isExcluded(month.exclusion, noon + 30 * dayMs)).toBe(false);
  });
  const exclusion = (untilMs: number | "forever") => ({ until: untilMs, ofLossLimit: false });
  const ofLimit = { until: midnight, ofLossLimit: true };
  test.each([
    ["nothing if nothing was set", noLimit, null, null],
    ["a permanent exclusion", noLimit, "forever", exclusion("forever")],
    ["an active exclusion", noLimit, noon + 1, exclusion(noon + 1)],
    ["nothing after the exclusion has ended", noLimit, noon, null],
    ["a loss limit until the end of its day", set(100n), null, ofLimit],
    ["a loss limit that is removed from tomorrow", set(100n, null), null, ofLimit],
    [
      "nothing if the loss limit was already removed",
      { limit: 100n, next: { limit: null, fromMs: noon } },
      null,
      null,
    ],
    ["a loss limit after an exclusion has ended", set(100n), noon, ofLimit],
    ["an exclusion and a limit until both have ended", set(1n), noon + 1, exclusion(midnight)],
    ["an exclusion that outlasts the limit's day", set(1n), midnight + 1, exclusion(midnight + 1)],
  ] as const)("a deleted account stays barred by: %s", (_title, loss, excluded, barred) => {
    expect(getRetainedExclusion({ loss, exclusion: excluded }, noon)).toEqual(barred);
  });
});

describe("computeBinomialTailBp", () => {
  test.each([
    [0, 10, 10_000],
    [10, 10, 10],
    [5, 10, 6_230],
    [5, 9, 5_000],
    [0, 0, 10_000],
  ])("the tail at %i of %i is %i bp", (won, decided, bp) =>
    expect(computeBinomialTailBp(won, decided)).toBe(bp));
  test("the tail equals the direct sum of binomials, from whichever end it is computed", () => {
    const choose = (n: number, k: number): number =>
      k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), (decidedCount, index) => {
        const won = index % (decidedCount + 1);
        let sum = 0;
        for (let k = won; k <= decidedCount; k += 1) sum += choose(decidedCount, k);
        expect(
          Math.abs(computeBinomialTailBp(won, decidedCount) - (sum / 2 ** decidedCount) * 10_000),
        ).toBeLessThanOrEqual(0.5001);
      }),
    );
  });
});
