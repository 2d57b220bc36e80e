import { expect, test } from "vitest";
import { decideExposure, exposureCap } from "#core/contracts/exposure.ts";
import { computeProfit } from "#core/contracts/settle.ts";
import { defaultTiers } from "#core/contracts/terms.ts";

const pusdt = (units: number) => BigInt(units) * 1_000_000n;

test.each([
  ["the first order fits even when the contract is full", 0, 900, 2n ** 63n - 1n],
  ["a person's own exposure up to 1 000 always fits", 900, 100, 2n ** 63n - 1n],
  ["above 1 000 the contract's cap applies", 900, 101, exposureCap],
  ["the contract's cap applies up to 50 000 of a person's own", 49_900, 100, exposureCap],
  ["above 50 000 no order fits", 49_900, 101, null],
])("%s", (_title, ownExposure, profit, cap) => {
  const result = decideExposure(pusdt(ownExposure), pusdt(profit));
  expect(result.ok ? result.cap : null).toBe(cap);
});

test("the largest order of each default tier always fits", () => {
  for (const { stakeMax, rateBp } of defaultTiers) {
    expect(decideExposure(0n, computeProfit(stakeMax, rateBp))).toEqual({
      ok: true,
      cap: 2n ** 63n - 1n,
    });
  }
});
