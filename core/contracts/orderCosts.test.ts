import fc from "fast-check";
import { expect, test } from "vitest";
import { computeOrderCosts } from "#core/contracts/orderCosts.ts";
import { computeFee, type OrderTerms, settle } from "#core/contracts/settle.ts";
import { sumFillCosts } from "#core/market/fillCosts.ts";

const order: OrderTerms = {
  direction: "up",
  stake: 100_000_000n,
  fee: 1_000_000n,
  rateBp: 9_000,
  rangeBp: 0,
};
const stake = order.stake;

test.each([
  [
    "a win pays 90 instead of 100, and the fee",
    { accepted: 100n, entry: 100n, last: 102n, settlement: 102n },
    { fair: stake, costs: { delay: 0n, slippage: 0n, spread: 10_000_000n, fee: 1_000_000n } },
  ],
  [
    "a loss costs what a fair bet costs, and the fee",
    { accepted: 100n, entry: 100n, last: 98n, settlement: 98n },
    { fair: -stake, costs: { delay: 0n, slippage: 0n, spread: 0n, fee: 1_000_000n } },
  ],
  [
    "the wait for the entry price turned a win into a loss",
    { accepted: 100n, entry: 103n, last: 102n, settlement: 102n },
    { fair: stake, costs: { delay: 2n * stake, slippage: 0n, spread: 0n, fee: 1_000_000n } },
  ],
  [
    "the average over the window turned a loss into a win",
    { accepted: 100n, entry: 100n, last: 99n, settlement: 101n },
    {
      fair: -stake,
      costs: { delay: 0n, slippage: -2n * stake, spread: 10_000_000n, fee: 1_000_000n },
    },
  ],
  [
    "a tie by the average costs the stake that the last price would have won",
    { accepted: null, entry: 100n, last: 101n, settlement: 100n },
    { fair: stake, costs: { delay: 0n, slippage: stake, spread: 0n, fee: 1_000_000n } },
  ],
])("%s", (_title, prices, expected) => {
  expect(computeOrderCosts(order, prices)).toMatchObject(expected);
});

test("for any terms and prices the fair result less all costs is the order's result", () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const nearPrice = fc.bigInt({ min: 999n, max: 1_001n });
  fc.assert(
    fc.property(
      fc.record({
        direction: fc.constantFrom("up" as const, "down" as const),
        stake: fc.bigInt({ min: 1n, max: 10n ** 12n }),
        feeBp: fc.nat(2_000),
        rateBp: fc.nat(20_000),
        rangeBp: fc.constantFrom(0, 1, 50),
      }),
      fc.oneof(
        fc.tuple(price, price, price, price),
        fc.tuple(nearPrice, nearPrice, nearPrice, nearPrice),
      ),
      fc.boolean(),
      (
        { direction, stake: stakeAmount, feeBp, rateBp, rangeBp },
        [accepted, entry, last, end],
        known,
      ) => {
        const baseOrder = {
          direction,
          stake: stakeAmount,
          fee: computeFee(stakeAmount, feeBp),
          rateBp,
          rangeBp,
        };
        const prices = { accepted: known ? accepted : null, entry, last, settlement: end };
        const { fair, costs, net } = computeOrderCosts(baseOrder, prices);
        expect(fair - sumFillCosts(costs)).toBe(net);
        expect(net).toBe(settle(baseOrder, entry, end).net);
        expect(costs.fee).toBe(baseOrder.fee);
      },
    ),
    { numRuns: 2_000 },
  );
});
