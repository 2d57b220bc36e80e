import fc from "fast-check";
import { expect, test } from "vitest";
import { findBreakEvenDay, type LeaseProgress } from "#core/mining/breakEvenDay.ts";
import { projectLease } from "#core/mining/calculator.ts";

const network = { height: 900_000, difficulty: 120_000_000_000_000n, feeSum: 432_000_000n };
const plan = {
  hashrateGhs: 200_000n,
  powerW: 3_500,
  pricePerDay: 2_000_000n,
  pricePerKwh: 60_000n,
  poolFeeBp: 200,
  quantity: 1,
  days: 60,
};
const price = 6_500_000n;

test("at a constant price the break-even day matches the calculator's projection", () => {
  let count = 0;
  fc.assert(
    fc.property(
      fc.bigInt({ min: 100_000n, max: 10_000_000n }),
      fc.integer({ min: 1, max: 120 }),
      (pricePerDay, days) => {
        const ownPlan = { ...plan, pricePerDay, days };
        const flatScenario = { difficultyBpPerEpoch: 0, btcPrice: price, btcPriceAtEnd: price };
        const {
          cost,
          breakEvenDay: expected,
          days: projected,
        } = projectLease(ownPlan, network, flatScenario);
        const lease = { ...ownPlan, cost, daysPaid: 0, mined: 0n };
        const day = findBreakEvenDay(lease, network, price);
        // The calculator rounds each day's worth down, this one the sum.
        const nearlyEven = projected.find(({ result }) => result >= -BigInt(days));
        expect([expected, nearlyEven?.day ?? null]).toContain(day);
        if (day !== null) count += 1;
      },
    ),
  );
  expect(count).toBeGreaterThan(5);
});

const progress: LeaseProgress = { ...plan, cost: 130_000_000n, daysPaid: 30, mined: 100_000n };

test.each([
  ["what was mined covers it already", { mined: 200_000n }, price, 30],
  ["the rest of its days cover it", {}, price, 40],
  ["a fallen price leaves it short", {}, 2_000_000n, null],
  ["its days are over", { daysPaid: 60 }, price, null],
])("%s", (_title, change, btcPrice, expected) => {
  expect(findBreakEvenDay({ ...progress, ...change }, network, btcPrice)).toBe(expected);
});
