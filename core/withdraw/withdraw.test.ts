import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import { computeWorth } from "#core/wallet/valuation.ts";
import {
  computeWithdrawMinimum,
  decideWithdraw,
  type WithdrawDecision,
  type WithdrawInputs,
  withdrawFees,
  withdrawWorthMin,
} from "#core/withdraw/withdraw.ts";

const btc = 28_123_45n;

test.each<[string, WithdrawInputs, WithdrawDecision]>([
  [
    "a partial withdrawal worth 20 pUSDT is accepted, less its fee",
    { coin: "pUSDT", requested: 20_000_000n, available: 100_000_000n, index: null },
    { ok: true, amount: 20_000_000n, fee: 1_000_000n, leaves: 19_000_000n },
  ],
  [
    "a partial withdrawal worth less than 20 pUSDT is refused",
    { coin: "pUSDT", requested: 19_999_999n, available: 100_000_000n, index: null },
    { ok: false, error: "below_minimum", minimum: 20_000_000n },
  ],
  [
    "the whole balance is accepted at any size",
    { coin: "pUSDT", requested: 5_000_000n, available: 5_000_000n, index: null },
    { ok: true, amount: 5_000_000n, fee: 1_000_000n, leaves: 4_000_000n },
  ],
  [
    "all means the whole balance",
    { coin: "pUSDC", requested: "all", available: 3_000_000n, index: 99_950n },
    { ok: true, amount: 3_000_000n, fee: 1_000_000n, leaves: 2_000_000n },
  ],
  [
    "a whole balance not above its fee is withdrawn without a fee",
    { coin: "pUSDT", requested: "all", available: 1_000_000n, index: null },
    { ok: true, amount: 1_000_000n, fee: 0n, leaves: 1_000_000n },
  ],
  [
    "a balance one minor unit above the fee pays it",
    { coin: "pUSDT", requested: "all", available: 1_000_001n, index: null },
    { ok: true, amount: 1_000_001n, fee: 1_000_000n, leaves: 1n },
  ],
  [
    "the last minor unit is accepted",
    { coin: "pETH", requested: 1n, available: 1n, index: 1_800_00n },
    { ok: true, amount: 1n, fee: 0n, leaves: 1n },
  ],
  [
    "pBTC worth just less than 20 pUSDT at its index is refused",
    { coin: "pBTC", requested: 71_115n, available: 100_000_000n, index: btc },
    { ok: false, error: "below_minimum", minimum: 71_116n },
  ],
  [
    "pBTC worth 20 pUSDT at its index is accepted",
    { coin: "pBTC", requested: 71_116n, available: 100_000_000n, index: btc },
    { ok: true, amount: 71_116n, fee: 10_000n, leaves: 61_116n },
  ],
  [
    "any amount is accepted without an index",
    { coin: "pBTC", requested: 10_001n, available: 100_000_000n, index: null },
    { ok: true, amount: 10_001n, fee: 10_000n, leaves: 1n },
  ],
  [
    "an amount not above its fee is withdrawn whole without an index",
    { coin: "pBTC", requested: 9n, available: 100_000_000n, index: null },
    { ok: true, amount: 9n, fee: 0n, leaves: 9n },
  ],
  [
    "more than is available is refused",
    { coin: "pUSDT", requested: 100_000_001n, available: 100_000_000n, index: null },
    { ok: false, error: "overdraft" },
  ],
  [
    "a zero amount is refused",
    { coin: "pUSDT", requested: 0n, available: 5n, index: null },
    { ok: false, error: "nothing" },
  ],
  [
    "all of a zero balance is refused",
    { coin: "pUSDT", requested: "all", available: 0n, index: null },
    { ok: false, error: "nothing" },
  ],
])("%s", (_title, inputs, decision) => {
  expect(decideWithdraw(inputs)).toEqual(decision);
});

const anyCoin = fc.constantFrom(...coinCodes);
const anyIndex = fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }), { nil: null });

describe("for every coin, balance and index", () => {
  test("withdrawing a whole positive balance is accepted", () => {
    fc.assert(
      fc.property(
        anyCoin,
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        anyIndex,
        (coin, available, index) => {
          for (const requestedAmount of ["all", available] as const) {
            const decision = decideWithdraw({ coin, requested: requestedAmount, available, index });
            if (!decision.ok) throw new Error(decision.error);
            expect(decision.amount).toBe(available);
            expect(decision.leaves + decision.fee).toBe(available);
            expect(decision.leaves > 0n).toBe(true);
            expect(decision.fee === 0n || decision.fee === withdrawFees[coin]).toBe(true);
          }
        },
      ),
    );
  });

  test("the minimum is the least amount worth 20 pUSDT, and is accepted", () => {
    fc.assert(
      fc.property(anyCoin, fc.bigInt({ min: 1n, max: 10n ** 12n }), (coin: Coin, index) => {
        const minimum = computeWithdrawMinimum(coin, index) as bigint;
        expect(computeWorth(coin, minimum, index)! >= withdrawWorthMin).toBe(true);
        expect(computeWorth(coin, minimum - 1n, index)! < withdrawWorthMin).toBe(true);
        const available = minimum * 2n + 1n;
        expect(decideWithdraw({ coin, requested: minimum, available, index }).ok).toBe(true);
        const belowMinimum = decideWithdraw({ coin, requested: minimum - 1n, available, index });
        expect(belowMinimum.ok).toBe(minimum === 1n ? belowMinimum.ok : false);
      }),
    );
  });
});

describe("the inputs of the decision", () => {
  const fieldNames = ["available", "coin", "index", "requested"];

  test("the decision has exactly these four inputs, as the third promise requires", () => {
    const source = readFileSync(join(import.meta.dirname, "withdraw.ts"), "utf8");
    const body = /interface WithdrawInputs \{([^}]*)\}/.exec(source)?.[1] ?? "";
    expect([...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name).sort()).toEqual(
      fieldNames,
    );
    expect(decideWithdraw.length).toBe(1);
  });

  test("the decision reads only its inputs and imports no stateful module", () => {
    const coinsRead = new Set<string>();
    const inputs: WithdrawInputs = { coin: "pBTC", requested: 5n, available: 9n, index: btc };
    decideWithdraw(
      new Proxy(inputs, {
        get: (target, name) => {
          coinsRead.add(String(name));
          return Reflect.get(target, name);
        },
      }),
    );
    expect([...coinsRead].sort()).toEqual(fieldNames);
    const source = readFileSync(join(import.meta.dirname, "withdraw.ts"), "utf8");
    expect([...source.matchAll(/from "([^"]+)"/g)].map(([, from]) => from)).toEqual([
      "#core/market/symbols.ts",
      "#core/money/coins.ts",
      "#core/money/rounding.ts",
      "#core/money/time.ts",
      "#core/wallet/valuation.ts",
    ]);
  });
});
