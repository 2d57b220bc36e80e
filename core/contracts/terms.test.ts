import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialTailBp } from "#core/contracts/binomialTail.ts";
import {
  barredAfterDeletion,
  exclude,
  isExcluded,
  type LossLimit,
  lossLimitAt,
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

describe("publishing terms", () => {
  test("the default terms may be published", () => expect(checkTerms(terms)).toBeNull());
  test.each([
    ["a return of exactly 98 per 100 is allowed", { rateBp: 9_800, feeBp: 100 }, null],
    ["a hair above 98 flatters", { rateBp: 9_801, feeBp: 100 }, "flatters"],
    ["a return of exactly 90 is allowed", { rateBp: 8_200, feeBp: 100 }, null],
    ["a hair below 90 robs", { rateBp: 8_199, feeBp: 100 }, "robs"],
    ["a fee counts twice as much as half the rate", { rateBp: 9_000, feeBp: 501 }, "robs"],
    ["full payback without a fee flatters", { rateBp: 10_000, feeBp: 0 }, "flatters"],
    ["a tier shorter than its window and entry is malformed", { seconds: 29 }, "tier_malformed"],
    ["a fraction is malformed", { rateBp: 9_000.5 }, "tier_malformed"],
    ["a stake of nothing is malformed", { stakeMin: 0n }, "tier_malformed"],
    [
      "stakes past 64-bit arithmetic are malformed",
      { stakeMax: 100_000_000_000_001n },
      "tier_malformed",
    ],
    ["no orders a day is malformed", { ordersPerDay: 0 }, "tier_malformed"],
  ] as const)("%s", (_title, change, error) => {
    expect(checkTerms(withTier(change))?.error ?? null).toBe(error);
  });
  test.each([
    ["no tiers", { ...terms, tiers: [] }, "no_tiers"],
    [
      "the same tier twice",
      { ...terms, tiers: [defaultTiers[0]!, defaultTiers[0]!] },
      "tier_repeated",
    ],
    ["another contract's symbol", { ...terms, contractId: "eth-usdt" }, "symbol_mismatch"],
    ["version nought", { ...terms, version: 0 }, "version_malformed"],
  ] as const)("is refused with %s", (_title, wrong, error) => {
    expect(checkTerms(wrong)).toMatchObject({ error });
  });
  test("every change of a figure changes the hash", () => {
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
  test("the marks are inside", () => {
    expect(termsBody(terms)).toMatchObject({ practice: true, backing: "none", world: "harbour" });
  });
  test("the hash of the default terms is pinned: whoever changes it changes every verifier", () => {
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

describe("an order's structure", () => {
  test("reads back as it was written", () => {
    expect(parseOrderStructure(JSON.parse(JSON.stringify(orderStructure(order))))).toEqual({
      ok: true,
      order,
    });
  });
  test("its hash is pinned", () =>
    expect(orderHash(order)).toMatchInlineSnapshot(
      `"32f176bd1750999a1908f76cd2c589436cc3593a9f6f79e8a862b68f439cdace"`,
    ));
  test.each(
    Object.keys(orderStructure(order)),
  )("lacks nothing: without %s it is refused by that name", (field) => {
    const { [field as "salt"]: _gone, ...rest } = orderStructure(order);
    expect(parseOrderStructure(rest)).toEqual({ ok: false, field });
  });
  test.each([
    ["a fraction of a minor unit", { stake: "1.5" }, "stake"],
    ["a leading zero", { stake: "01" }, "stake"],
    ["a real coin", { coin: "USDT" }, "coin"],
    ["a short salt", { salt: "00" }, "salt"],
    ["an unknown symbol", { symbol: "BTC/EUR" }, "symbol"],
  ])("refuses %s", (_title, change, field) => {
    expect(parseOrderStructure({ ...orderStructure(order), ...change })).toEqual({
      ok: false,
      field,
    });
  });
});

describe("self limits", () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  const midnight = Date.UTC(2026, 0, 6);
  const none: LossLimit = { limit: null, next: null };
  const set = (...settings: (bigint | null)[]) =>
    settings.reduce((limit, setting) => setLossLimit(limit, setting, noon), none);
  test.each([
    ["the first limit holds at once", [100n], 100n, 100n],
    ["a lower one holds at once", [100n, 50n], 50n, 50n],
    ["a higher one waits for the next real day", [50n, 100n], 50n, 100n],
    ["taking it away waits too", [50n, null], 50n, null],
    ["a lower wish cancels a higher one that waits", [50n, 100n, 40n], 40n, 40n],
    ["wishing what stands cancels what waits", [50n, 100n, 50n], 50n, 50n],
  ] as const)("%s", (_title, settings, today, tomorrow) => {
    const limit = set(...settings);
    expect(lossLimitAt(limit, midnight - 1).limit).toBe(today);
    expect(lossLimitAt(limit, midnight).limit).toBe(tomorrow);
  });
  test("an exclusion only grows", () => {
    const month = exclude(null, "month", noon);
    expect(month).toEqual({ ok: true, exclusion: noon + 30 * dayMs });
    if (!month.ok) return;
    expect(exclude(month.exclusion, "day", noon)).toEqual({
      ok: false,
      error: "exclusion_not_longer",
    });
    expect(exclude(month.exclusion, "forever", noon)).toEqual({ ok: true, exclusion: "forever" });
    expect(exclude("forever", "forever", noon).ok).toBe(false);
    expect(isExcluded(month.exclusion, noon + 30 * dayMs - 1)).toBe(true);
    expect(isExcluded(month.exclusion, noon + 30 * dayMs)).toBe(false);
  });
  const exclusion = (until: number | "forever") => ({ until, ofLossLimit: false });
  const ofLimit = { until: midnight, ofLossLimit: true };
  test.each([
    ["nothing where nothing was set", none, null, null],
    ["an exclusion for good", none, "forever", exclusion("forever")],
    ["an exclusion that runs", none, noon + 1, exclusion(noon + 1)],
    ["none whose time is over", none, noon, null],
    ["a loss limit until its day is over", set(100n), null, ofLimit],
    ["one that is taken away from tomorrow on", set(100n, null), null, ofLimit],
    ["none that was taken away", { limit: 100n, next: { limit: null, fromMs: noon } }, null, null],
    ["a loss limit after an exclusion", set(100n), noon, ofLimit],
    ["an exclusion and a limit until both are over", set(1n), noon + 1, exclusion(midnight)],
    ["an exclusion past the limit's day", set(1n), midnight + 1, exclusion(midnight + 1)],
  ] as const)("deleting an account does not end them: %s", (_title, loss, excluded, barred) => {
    expect(barredAfterDeletion({ loss, exclusion: excluded }, noon)).toEqual(barred);
  });
});

describe("luck", () => {
  test.each([
    [0, 10, 10_000],
    [10, 10, 10],
    [5, 10, 6_230],
    [5, 9, 5_000],
    [0, 0, 10_000],
  ])("%i of %i", (won, decided, bp) => expect(binomialTailBp(won, decided)).toBe(bp));
  test("is the plain sum of binomials, whichever tail is summed", () => {
    const choose = (n: number, k: number): number =>
      k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), (decided, at) => {
        const won = at % (decided + 1);
        let sum = 0;
        for (let k = won; k <= decided; k += 1) sum += choose(decided, k);
        expect(
          Math.abs(binomialTailBp(won, decided) - (sum / 2 ** decided) * 10_000),
        ).toBeLessThanOrEqual(0.5001);
      }),
    );
  });
});
