import { describe, expect, it } from "vitest";
import { listStakePresets, parseStake, stepStake, type Tier } from "./stake.ts";

const tier = { fee_bp: 100, rate_bp: 9_000, stake_min: "10", stake_max: "1000" } as Tier;

describe("parseStake", () => {
  it.each([
    ["", "1000", "empty"],
    ["abc", "1000", "malformed"],
    ["1e3", "1000", "malformed"],
    ["12.1234567", "1000", "digits"],
    ["9.999999", "1000", "tooSmall"],
    ["1000.000001", "5000", "tooLarge"],
    ["9999999999999", "5000", "tooLarge"],
    ["100", "100.999999", "overdraft"],
  ])("%s with %s available is %s", (input, available, problem) => {
    expect(parseStake(input, tier, available)).toEqual({ ok: false, error: problem });
  });

  it("stake and fee may use the whole balance", () => {
    expect(parseStake("100", tier, "101")).toMatchObject({ ok: true });
  });

  it("without a session the balance is not checked", () => {
    expect(parseStake("1000", tier, null)).toMatchObject({ ok: true });
  });

  it("a trailing point is accepted while typing", () => {
    expect(parseStake("12.", tier, null)).toMatchObject({
      ok: true,
      quote: { stake: 12_000_000n },
    });
  });
});

it.each([
  ["", 1, "10"],
  ["10", 1, "20"],
  ["14.5", 1, "20"],
  ["14.5", -1, "10"],
  ["20", -1, "10"],
  ["10", -1, "10"],
  ["1000", 1, "1000"],
  ["995", 1, "1000"],
] as const)("a step from %s by %s leads to %s", (input, direction, next) => {
  expect(stepStake(input, direction, tier)).toBe(next);
});

it("quick stakes are limited to what the tier allows", () => {
  expect(listStakePresets(tier)).toEqual(["10", "50", "100", "500"]);
  expect(listStakePresets({ ...tier, stake_max: "60" })).toEqual(["10", "50"]);
});
