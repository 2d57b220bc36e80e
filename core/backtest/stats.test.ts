import { expect, test } from "vitest";
import {
  computeChangeBp,
  computeReturnBp,
  noDrawdown,
  updateDrawdown,
} from "#core/backtest/stats.ts";

test.each([
  ["a rise only", [100n, 110n, 120n], 0n],
  ["a fall of a tenth", [100n, 90n, 95n], 1_000n],
  [
    "the deeper of two falls, each measured from its own peak",
    [100n, 95n, 200n, 150n, 210n, 190n],
    2_500n,
  ],
  ["a fall of less than one basis point counts as one", [1_000_000n, 999_999n], 1n],
  ["everything", [100n, 0n], 10_000n],
])("drawdown: %s", (_, values, worst) => {
  expect(values.reduce(updateDrawdown, noDrawdown).worstBp).toBe(worst);
});

test("changes are truncated towards zero", () => {
  expect([computeChangeBp(30_000n, 29_999n), computeChangeBp(200n, 199n)]).toEqual([0n, -50n]);
  expect([computeReturnBp(101_239_999n), computeReturnBp(99_500_000n)]).toEqual([123n, -50n]);
});
