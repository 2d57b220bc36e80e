import { describe, expect, test } from "vitest";
import { computeBreakEvenPrice, estimateEpoch, projectLease } from "#core/mining/calculator.ts";
import {
  computeRefund,
  countStartedDays,
  countUnworkedDays,
  getDayEnd,
  getLeaseStart,
  getLeaseStatus,
} from "#core/mining/lease.ts";
import { checkOffer, computeExpectedDay, type MachineOffer } from "#core/mining/terms.ts";

const hour = 3_600_000;
const day = 24 * hour;
const lease = { acceptedAtMs: 1_000_123, daysToWork: 3 };
const start = getLeaseStart(lease);

test.each<[string, number, string, number]>([
  ["at acceptance", 1_000_123, "running", 0],
  ["before its start", start - 1, "running", 0],
  ["at its start", start, "at_work", 1],
  ["at the end of a day, which begins the next", start + day, "at_work", 2],
  ["a millisecond before its end", start + 3 * day - 1, "at_work", 3],
  ["at its end", start + 3 * day, "maturity", 3],
])("%s", (_title, nowMs, status, startedDays) => {
  expect(getLeaseStatus(lease, nowMs)).toBe(status);
  expect(countStartedDays(lease, nowMs)).toBe(startedDays);
});

test("work starts an hour after acceptance, and a day lasts 86 400 s across clock changes", () => {
  // The nights in which clocks in Berlin go forward and back.
  for (const acceptedAtMs of [Date.UTC(2026, 2, 28, 20), Date.UTC(2026, 9, 24, 20)]) {
    expect(getDayEnd({ acceptedAtMs }, 1) - getLeaseStart({ acceptedAtMs })).toBe(day);
    expect(getLeaseStart({ acceptedAtMs }) - acceptedAtMs).toBe(hour);
  }
});

test("a lease of zero days is over", () => {
  expect(getLeaseStatus({ acceptedAtMs: 0, daysToWork: 0 }, 0)).toBe("maturity");
});

test("unused days refund 80 % of their price, rounded down, and all of their power", () => {
  expect(computeRefund({ pricePerDay: 3_333_333n, powerCostPerDay: 4_680_000n }, 7)).toEqual({
    price: 18_666_664n,
    power: 32_760_000n,
  });
});

const offer: MachineOffer = {
  productId: "test-100",
  maker: "Maker",
  model: "Model",
  source: "as published by the maker",
  hashrateGhs: 100_000n,
  powerW: 3_250,
  pricePerDay: 300_000n,
  pricePerKwh: 60_000n,
  stock: 10,
  quantityMax: 5,
  daysMin: 1,
  daysMax: 30,
};
const network = { height: 854_784, difficulty: 86_388_558_925_171n, feeSum: 25_000_000n * 144n };

describe("checkOffer", () => {
  test("an offer that earns exactly its cost is allowed, and one that earns more is not", () => {
    const { worth, power } = computeExpectedDay(offer, network, 6_500_000n);
    expect([worth, power]).toEqual([5_005_650n, 4_680_000n]);
    const fairOffer = { ...offer, pricePerDay: worth - power };
    expect(checkOffer(fairOffer, network, 6_500_000n)).toBeNull();
    const cheapOffer = { ...fairOffer, pricePerDay: fairOffer.pricePerDay - 1n };
    expect(checkOffer(cheapOffer, network, 6_500_000n)).toEqual({
      error: "flatters",
      worth: 5_005_650n,
      cost: 5_005_649n,
    });
  });
  test.each<[Partial<MachineOffer>, string]>([
    [{ productId: "No Spaces" }, "product_id"],
    [{ maker: " " }, "maker"],
    [{ hashrateGhs: 0n }, "hashrate_ghs"],
    [{ powerW: 0 }, "power_w"],
    [{ pricePerDay: 0n }, "price_per_day"],
    [{ pricePerKwh: -1n }, "electricity_per_kwh"],
    [{ stock: 0 }, "stock"],
    [{ daysMax: 0 }, "days_max"],
  ])("an offer with %o is malformed", (change, field) => {
    expect(checkOffer({ ...offer, ...change }, network, 1n)).toEqual({
      error: "offer_malformed",
      field,
    });
  });
  test("a machine that earns no satoshi is refused", () => {
    const weakOffer = { ...offer, hashrateGhs: 1n };
    expect(checkOffer(weakOffer, network, 1n)).toEqual({ error: "pays_nothing" });
  });
});

describe("projectLease", () => {
  const plan = { ...offer, poolFeeBp: 200, quantity: 1, days: 30 };
  const flatScenario = { difficultyBpPerEpoch: 0, btcPrice: 6_500_000n, btcPriceAtEnd: 6_500_000n };
  test("with constant inputs thirty days earn thirty times one day and never break even", () => {
    const { cost, days, breakEvenDay } = projectLease(
      { ...plan, pricePerDay: 400_000n },
      network,
      flatScenario,
    );
    expect(cost).toBe(152_400_000n);
    expect(days.at(-1)).toEqual({
      day: 30,
      satoshi: 231_056n,
      worth: 150_186_400n,
      result: -2_213_600n,
    });
    expect(breakEvenDay).toBeNull();
  });
  test("a doubling BTC price breaks even before the end", () => {
    const { breakEvenDay } = projectLease(plan, network, {
      ...flatScenario,
      btcPriceAtEnd: 13_000_000n,
    });
    expect(breakEvenDay).toBe(22);
  });
  test("growing difficulty lowers earnings from the next epoch", () => {
    const withGrowth = projectLease(plan, network, {
      ...flatScenario,
      difficultyBpPerEpoch: 500,
    }).days;
    const withoutGrowth = projectLease(plan, network, flatScenario).days;
    expect(withGrowth[13]!.satoshi).toBe(withoutGrowth[13]!.satoshi);
    expect(withGrowth[14]!.satoshi < withoutGrowth[14]!.satoshi).toBe(true);
  });
  test("a halving during the lease halves the subsidy part", () => {
    const nearHalving = { ...network, height: 1_050_000 - 144 * 10, feeSum: 0n };
    const { days } = projectLease(plan, nearHalving, flatScenario);
    const earnedOn = (n: number) => days[n]!.satoshi - days[n - 1]!.satoshi;
    expect(earnedOn(10) * 2n - earnedOn(9) <= 1n).toBe(true);
  });
  test("computeBreakEvenPrice is the price at which a day pays for itself", () => {
    // 4.98 pUSDT for 7 701 satoshi.
    expect(computeBreakEvenPrice(plan, network)).toBe(6_466_693n);
    expect(computeBreakEvenPrice({ ...plan, hashrateGhs: 1n }, network)).toBeNull();
  });
});

test.each<[string, number, number, number | null]>([
  ["on time", 600, 1_009, 0],
  ["ten percent fast", 540, 1_009, 1_111],
  ["ten times slower, limited to a quarter", 6_000, 1_009, -7_500],
  ["one block long", 600, 1, null],
])("estimateEpoch of an epoch that is %s", (_title, interval, blocks, change) => {
  const height = 854_784 + blocks - 1;
  const estimate = estimateEpoch(height, 1_000_000 + interval * (blocks - 1), 1_000_000);
  expect(estimate).toMatchObject({ firstHeight: 854_784, blocksDone: blocks, changeBp: change });
});

test.each<[string, number, number]>([
  ["all before the start", start - 1, 3],
  ["all on the first day", start + day - 1, 3],
  ["one fewer after a full day", start + day, 2],
  ["none at the end", start + 3 * day, 0],
  ["none long after the end", start + 30 * day, 0],
])("unworked days: %s", (_title, atMs, days) => {
  expect(countUnworkedDays(lease, atMs)).toBe(days);
});
