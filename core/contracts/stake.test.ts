import { describe, expect, test } from "vitest";
import { decideStake, quoteStake, type StakeError } from "#core/contracts/stake.ts";

const tier = {
  seconds: 300,
  rangeBp: 0,
  rateBp: 9_000,
  feeBp: 100,
  stakeMin: 10_000_000n,
  stakeMax: 1_000_000_000n,
  ordersPerDay: null,
};

test("a stake of 100 at rate 9 000 and fee 100 charges 101 and returns 190", () => {
  expect(quoteStake(100_000_000n, tier)).toEqual({
    stake: 100_000_000n,
    fee: 1_000_000n,
    charged: 101_000_000n,
    profit: 90_000_000n,
    back: 190_000_000n,
  });
});

test("a fee is rounded up and a profit down", () => {
  expect(quoteStake(10_000_001n, tier)).toMatchObject({ fee: 100_001n, profit: 9_000_000n });
});

describe("refused stakes", () => {
  test.each<[string, bigint | null, StakeError]>([
    ["", null, "malformed"],
    ["1e3", null, "malformed"],
    ["-10", null, "malformed"],
    ["12.1234567", null, "excess_digits"],
    ["9999999999999", null, "too_large"],
    ["9.999999", null, "below_minimum"],
    ["1000.000001", null, "above_maximum"],
    ["100", 100_999_999n, "overdraft"],
  ])("%j with %s available: %s", (text, available, refusal) => {
    expect(decideStake(text, tier, available)).toEqual({ ok: false, error: refusal });
  });
});

test("the minimum and the maximum of a tier are accepted", () => {
  expect(decideStake("10", tier, null)).toMatchObject({ ok: true });
  expect(decideStake("1000", tier, null)).toMatchObject({ ok: true });
});

test("stake and fee may use the whole balance", () => {
  expect(decideStake("100", tier, 101_000_000n)).toMatchObject({ ok: true });
});
