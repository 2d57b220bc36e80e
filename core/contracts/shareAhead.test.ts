import { expect, test } from "vitest";
import { computeAverageCost } from "#core/contracts/breakEven.ts";
import { settle } from "#core/contracts/settle.ts";
import { computeExpectedResultHalves, computeShareAheadBp } from "#core/contracts/shareAhead.ts";
import { quoteStake } from "#core/contracts/stake.ts";

const odds = { rateBp: 9_000, feeBp: 100 };

/** The same share by playing every sequence of wins and losses with real settlements. */
function aheadByPlaying(orders: number, { rateBp, feeBp }: typeof odds): number {
  const { stake, fee } = quoteStake(100_000_000n, { rateBp, feeBp });
  const order = { direction: "up" as const, stake, fee, rateBp, rangeBp: 0 };
  const [win, loss] = [settle(order, 100n, 101n).net, settle(order, 100n, 99n).net];
  let ahead = 0;
  for (let flips = 0; flips < 2 ** orders; flips += 1) {
    let net = 0n;
    for (let index = 0; index < orders; index += 1) net += (flips >> index) & 1 ? win : loss;
    if (net > 0n) ahead += 1;
  }
  return (ahead / 2 ** orders) * 10_000;
}

/** The same share by stepping a distribution of net results forward one order at a time. */
function aheadByStepping(orders: number, { rateBp, feeBp }: typeof odds): number {
  let chances = [1];
  for (let index = 0; index < orders; index += 1) {
    const next = new Array<number>(chances.length + 1).fill(0);
    for (const [wins, chance] of chances.entries()) {
      next[wins]! += chance / 2;
      next[wins + 1]! += chance / 2;
    }
    chances = next;
  }
  const net = (wins: number) => wins * (rateBp - feeBp) - (orders - wins) * (10_000 + feeBp);
  return chances.reduce((sum, chance, wins) => (net(wins) > 0 ? sum + chance : sum), 0) * 10_000;
}

test.each([
  1, 2, 3, 4, 5, 7, 10, 13,
])("after %i orders the share matches an enumeration of every sequence", (orders) => {
  for (const item of [odds, { rateBp: 8_000, feeBp: 0 }, { rateBp: 9_500, feeBp: 50 }]) {
    expect(
      Math.abs(computeShareAheadBp(orders, item) - aheadByPlaying(orders, item)),
    ).toBeLessThanOrEqual(0.5);
  }
});

test.each([
  20, 100, 333, 1_000,
])("after %i orders the share matches the stepped distribution", (orders) => {
  for (const item of [odds, { rateBp: 8_000, feeBp: 0 }, { rateBp: 9_500, feeBp: 50 }]) {
    expect(
      Math.abs(computeShareAheadBp(orders, item) - aheadByStepping(orders, item)),
    ).toBeLessThan(0.51);
  }
});

test("half of all people are ahead after five orders, and 2.31 % after a thousand", () => {
  expect([5, 100, 1_000].map((orders) => computeShareAheadBp(orders, odds))).toEqual([
    5_000, 2_421, 231,
  ]);
});

test("breaking even does not count as ahead", () => {
  // At rate 100 % without a fee, one win of two returns exactly the stakes.
  expect(computeShareAheadBp(2, { rateBp: 10_000, feeBp: 0 })).toBe(2_500);
  expect(computeShareAheadBp(0, odds)).toBe(0);
});

test("five stakes of 100 have an expected loss of 30, the average cost of staking 500", () => {
  const stake = 500_000_000n;
  const { fee, profit } = quoteStake(stake, odds);
  expect(computeExpectedResultHalves({ stake, fee, profit })).toBe(-60_000_000n);
  expect(computeAverageCost(stake, odds)).toBe(30_000_000n);
});
