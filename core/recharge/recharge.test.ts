import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coinCodes } from "#core/money/coins.ts";
import {
  decideRecharge,
  getRechargeStatus,
  type RechargeCase,
  rechargeDayCap,
  rejectionReasons,
} from "#core/recharge/recharge.ts";
import { networkNames } from "#core/wallet/networks.ts";

const base: RechargeCase = {
  form: { coin: "pUSDT", network: "peth", amount: 100_000_000n },
  voucher: {
    claims: {
      world: "harbour",
      id: "0123456789abcdef01234567",
      coin: "pUSDT",
      network: "peth",
      amount: 100_000_000n,
      expiresAtMs: 2_000,
    },
    macValid: true,
  },
  usedAtMs: null,
  sentAtMs: 1_000,
  worth: 100_000_000n,
  dayUsed: 0n,
};
const { claims } = base.voucher;
const caseWith = (change: Partial<typeof claims>, macValid = true): Partial<RechargeCase> => ({
  voucher: { claims: { ...claims, ...change }, macValid },
});

describe("decideRecharge", () => {
  test.each<[string, Partial<RechargeCase>, string]>([
    ["a recharge is credited when the form repeats a valid voucher", {}, "credited"],
    [
      "a recharge is refused when the signature does not cover the voucher",
      caseWith({}, false),
      "altered",
    ],
    ["a recharge is refused when the voucher was used", { usedAtMs: 1 }, "already_used"],
    [
      "a recharge is refused in the millisecond in which the voucher expires",
      { sentAtMs: 2_000 },
      "expired",
    ],
    ["a recharge is credited a millisecond earlier", { sentAtMs: 1_999 }, "credited"],
    [
      "a recharge is refused when the voucher is in another coin",
      caseWith({ coin: "pUSDC" }),
      "coin_differs",
    ],
    [
      "a recharge is refused when the voucher names another network",
      caseWith({ network: "ptron" }),
      "wrong_network",
    ],
    [
      "a recharge is refused when the voucher is over one minor unit more",
      caseWith({ amount: 100_000_001n }),
      "amount_differs",
    ],
    [
      "a recharge is refused past the day's limit",
      { dayUsed: rechargeDayCap - 99_999_999n },
      "over_daily_limit",
    ],
    [
      "a recharge is credited up to the day's limit",
      { dayUsed: rechargeDayCap - 100_000_000n },
      "credited",
    ],
    [
      "an altered voucher is reported before any other fault",
      { ...caseWith({ amount: 1n }, false), usedAtMs: 1 },
      "altered",
    ],
    [
      "a fault of the voucher is reported before the limit",
      { ...caseWith({ network: "ptron" }), dayUsed: rechargeDayCap },
      "wrong_network",
    ],
  ])("%s", (_title, change, outcome) => {
    const decision = decideRecharge({ ...base, ...change });
    expect(decision.ok ? "credited" : decision.reason).toBe(outcome);
  });

  test("only a matching, signed, unused and valid voucher within the limit is credited", () => {
    const amount = fc.constantFrom(1n, 100_000_000n, rechargeDayCap);
    const side = {
      coin: fc.constantFrom(...coinCodes.slice(0, 2)),
      network: fc.constantFrom(...networkNames.slice(0, 2)),
      amount,
    };
    const anyCase = fc.record({
      form: fc.record(side),
      claims: fc.record({ ...side, expiresAtMs: fc.constantFrom(999, 1_000, 1_001) }),
      macValid: fc.boolean(),
      usedAtMs: fc.constantFrom(null, 5),
      worth: amount,
      dayUsed: fc.constantFrom(0n, 1n, rechargeDayCap),
    });
    fc.assert(
      fc.property(anyCase, ({ form, macValid, usedAtMs, worth, dayUsed, ...rest }) => {
        const voucher = { claims: { ...claims, ...rest.claims }, macValid };
        const { ok } = decideRecharge({ form, voucher, usedAtMs, sentAtMs: 1_000, worth, dayUsed });
        const agrees =
          form.coin === rest.claims.coin &&
          form.network === rest.claims.network &&
          form.amount === rest.claims.amount;
        const isGood = macValid && usedAtMs === null && rest.claims.expiresAtMs > 1_000;
        expect(ok).toBe(agrees && isGood && dayUsed + worth <= 10_000_000_000n);
      }),
    );
  });

  test.each([
    [0, false, "waiting"],
    [2_999, false, "waiting"],
    [3_000, false, "closing"],
    [99_000, false, "closing"],
    [0, true, "over"],
  ] as const)("at %i ms with decided %s the status is %s", (nowMs, isDecided, status) => {
    expect(getRechargeStatus({ closingAtMs: 3_000, isDecided }, nowMs)).toBe(status);
  });

  test("the refusal reasons are a closed list", () => {
    expect(rejectionReasons).toEqual([
      "altered",
      "already_used",
      "expired",
      "coin_differs",
      "wrong_network",
      "amount_differs",
      "over_daily_limit",
    ]);
  });
});
