import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import { worthOf } from "#core/wallet/valuation.ts";
import {
  decideWithdraw,
  type WithdrawDecision,
  type WithdrawInputs,
  withdrawFees,
  withdrawMinimum,
  withdrawWorthMin,
} from "#core/withdraw/withdraw.ts";

const btc = 28_123_45n;

test.each<[string, WithdrawInputs, WithdrawDecision]>([
  [
    "at 20 pUSDT a part leaves, the fee out of it",
    { coin: "pUSDT", requested: 20_000_000n, available: 100_000_000n, index: null },
    { ok: true, amount: 20_000_000n, fee: 1_000_000n, leaves: 19_000_000n },
  ],
  [
    "a part below 20 pUSDT worth does not",
    { coin: "pUSDT", requested: 19_999_999n, available: 100_000_000n, index: null },
    { ok: false, reason: "below_minimum", minimum: 20_000_000n },
  ],
  [
    "the whole balance does, however small",
    { coin: "pUSDT", requested: 5_000_000n, available: 5_000_000n, index: null },
    { ok: true, amount: 5_000_000n, fee: 1_000_000n, leaves: 4_000_000n },
  ],
  [
    "all is the whole balance",
    { coin: "pUSDC", requested: "all", available: 3_000_000n, index: 99_950n },
    { ok: true, amount: 3_000_000n, fee: 1_000_000n, leaves: 2_000_000n },
  ],
  [
    "a whole balance not above its fee leaves whole, without a fee",
    { coin: "pUSDT", requested: "all", available: 1_000_000n, index: null },
    { ok: true, amount: 1_000_000n, fee: 0n, leaves: 1_000_000n },
  ],
  [
    "one minor unit above the fee pays it",
    { coin: "pUSDT", requested: "all", available: 1_000_001n, index: null },
    { ok: true, amount: 1_000_001n, fee: 1_000_000n, leaves: 1n },
  ],
  [
    "the last minor unit leaves",
    { coin: "pETH", requested: 1n, available: 1n, index: 1_800_00n },
    { ok: true, amount: 1n, fee: 0n, leaves: 1n },
  ],
  [
    "pBTC is valued at its index",
    { coin: "pBTC", requested: 71_115n, available: 100_000_000n, index: btc },
    { ok: false, reason: "below_minimum", minimum: 71_116n },
  ],
  [
    "and leaves from there on",
    { coin: "pBTC", requested: 71_116n, available: 100_000_000n, index: btc },
    { ok: true, amount: 71_116n, fee: 10_000n, leaves: 61_116n },
  ],
  [
    "without an index any amount leaves",
    { coin: "pBTC", requested: 10_001n, available: 100_000_000n, index: null },
    { ok: true, amount: 10_001n, fee: 10_000n, leaves: 1n },
  ],
  [
    "even one not above its fee, whole",
    { coin: "pBTC", requested: 9n, available: 100_000_000n, index: null },
    { ok: true, amount: 9n, fee: 0n, leaves: 9n },
  ],
  [
    "more than is available does not",
    { coin: "pUSDT", requested: 100_000_001n, available: 100_000_000n, index: null },
    { ok: false, reason: "overdraft" },
  ],
  [
    "nothing is nothing",
    { coin: "pUSDT", requested: 0n, available: 5n, index: null },
    { ok: false, reason: "nothing" },
  ],
  [
    "all of nothing is nothing",
    { coin: "pUSDT", requested: "all", available: 0n, index: null },
    { ok: false, reason: "nothing" },
  ],
])("%s", (_title, inputs, decision) => {
  expect(decideWithdraw(inputs)).toEqual(decision);
});

const anyCoin = fc.constantFrom(...coinCodes);
const anyIndex = fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }), { nil: null });

describe("for every coin, balance and index", () => {
  test("the whole of a balance above zero is accepted", () => {
    fc.assert(
      fc.property(
        anyCoin,
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        anyIndex,
        (coin, available, index) => {
          for (const requested of ["all", available] as const) {
            const decision = decideWithdraw({ coin, requested, available, index });
            if (!decision.ok) throw new Error(decision.reason);
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
        const minimum = withdrawMinimum(coin, index) as bigint;
        expect(worthOf(coin, minimum, index)! >= withdrawWorthMin).toBe(true);
        expect(worthOf(coin, minimum - 1n, index)! < withdrawWorthMin).toBe(true);
        const available = minimum * 2n + 1n;
        expect(decideWithdraw({ coin, requested: minimum, available, index }).ok).toBe(true);
        const less = decideWithdraw({ coin, requested: minimum - 1n, available, index });
        expect(less.ok).toBe(minimum === 1n ? less.ok : false);
      }),
    );
  });
});

describe("the inputs of the decision", () => {
  const listed = ["available", "coin", "index", "requested"];

  test("are these four: another one breaks the third promise", () => {
    const source = readFileSync(join(import.meta.dirname, "withdraw.ts"), "utf8");
    const body = /interface WithdrawInputs \{([^}]*)\}/.exec(source)?.[1] ?? "";
    expect([...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name).sort()).toEqual(listed);
    expect(decideWithdraw.length).toBe(1);
  });

  test("are all that it reads, and it reads no module that holds a state", () => {
    const read = new Set<string>();
    const inputs: WithdrawInputs = { coin: "pBTC", requested: 5n, available: 9n, index: btc };
    decideWithdraw(
      new Proxy(inputs, {
        get: (target, name) => {
          read.add(String(name));
          return Reflect.get(target, name);
        },
      }),
    );
    expect([...read].sort()).toEqual(listed);
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
