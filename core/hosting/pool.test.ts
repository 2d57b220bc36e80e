import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  computeEarned,
  computeFoundingUnits,
  computePayout,
  computeUnits,
  executeAt,
  type Mark,
  markPool,
  type PendingOrder,
} from "#core/hosting/pool.ts";
import { createGenerator } from "#core/hosting/testing.ts";

const usdt = 1_000_000n;
const unit = 100_000_000n;

function mark(worth: bigint, units: bigint, owed = 0n): Mark {
  const outcome = markPool("USDT", { worth, owed, units });
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.mark;
}

describe("the NAV of a mark", () => {
  test("a founder's 10 000 pUSDT become 10 000 units at NAV 1", () => {
    const units = computeFoundingUnits("USDT", 10_000n * usdt);
    expect(units).toBe(10_000n * unit);
    expect(mark(10_000n * usdt, units)).toMatchObject({ nav: unit, entryNav: unit, remainder: 0n });
  });

  test.each([
    [
      "10 050 over 10 000 units",
      10_050_000_000n,
      10_000n * unit,
      0n,
      100_500_000n,
      100_500_000n,
      0n,
    ],
    [
      "the owed amount does not count towards the NAV",
      10_050_000_000n,
      10_000n * unit,
      50_000_000n,
      unit,
      unit,
      0n,
    ],
    // 10 000.000001 over 30 000 units: 0.33333333336… per unit.
    [
      "the remainder belongs to no unit",
      10_000_000_001n,
      30_000n * unit,
      0n,
      33_333_333n,
      33_333_334n,
      101n,
    ],
  ] as const)("%s", (_, worth, units, owed, nav, entryNav, remainder) => {
    expect(mark(worth, units, owed)).toMatchObject({ nav, entryNav, remainder });
  });

  test.each([
    ["a mark needs an index", null, unit, "no_index"],
    ["a mark needs units", usdt, 0n, "no_units"],
    ["a pool without assets is worthless", 0n, unit, "worthless"],
    ["a NAV below a hundred-millionth is worthless", 1n, 101n * unit * 10_000n, "worthless"],
  ] as const)("%s", (_, worth, units, why) => {
    expect(markPool("USDT", { worth, owed: 0n, units })).toEqual({ ok: false, error: why });
  });
});

describe("worked example: a pool of 10 000 units worth 10 123.456789", () => {
  const now = mark(10_123_456_789n, 10_000n * unit);
  test("the NAV is 1.01234567, the entry NAV 1.01234568, and the remainder 0.000089", () => {
    expect([now.nav, now.entryNav, now.remainder]).toEqual([101_234_567n, 101_234_568n, 89n]);
  });
  test("100 pUSDT buy 98.78048770 units", () => {
    expect(computeUnits("USDT", 100n * usdt, now)).toBe(9_878_048_770n);
  });
  test("98.78048770 units redeem for 99.999999 less 0.1, and the fee stays in the pool", () => {
    const payoutResult = computePayout("USDT", 9_878_048_770n, now);
    expect(payoutResult).toEqual({ worth: 99_999_999n, fee: 100_000n, payout: 99_899_999n });
  });
  test("a NAV falling from 1.01 to 1 costs 98.78048770 units 0.987805, rounded down", () => {
    expect(computeEarned("USDT", 9_878_048_770n, 101_000_000n, unit)).toBe(-987_805n);
    expect(computeEarned("USDT", 9_878_048_770n, unit, 101_000_000n)).toBe(987_804n);
  });
});

const amounts = fc.bigInt(1n, 10n ** 14n);
const units = fc.bigInt(unit, 10n ** 16n);

describe("subscribing and redeeming gain nothing from order or rounding", () => {
  test("subscribing and redeeming at one mark never returns more than was paid", () => {
    fc.assert(
      fc.property(amounts, units, amounts, (worth, existing, amount) => {
        const outcome = markPool("USDT", { worth, owed: 0n, units: existing });
        if (!outcome.ok) return;
        const bought = computeUnits("USDT", amount, outcome.mark);
        expect(computePayout("USDT", bought, outcome.mark).worth <= amount).toBe(true);
      }),
    );
  });

  test("many small redemptions never pay more than one large one", () => {
    fc.assert(
      fc.property(
        amounts,
        units,
        fc.array(fc.bigInt(1n, 10n ** 10n), { maxLength: 20 }),
        (worth, existing, parts) => {
          const outcome = markPool("USDT", { worth, owed: 0n, units: existing });
          if (!outcome.ok) return;
          const total = parts.reduce((a, b) => a + b, 0n);
          const separateUnits = parts.reduce(
            (sum, part) => sum + computeUnits("USDT", part, outcome.mark),
            0n,
          );
          expect(separateUnits <= computeUnits("USDT", total, outcome.mark)).toBe(true);
          const payoutSum = parts.reduce(
            (sum, part) => sum + computePayout("USDT", part, outcome.mark).payout,
            0n,
          );
          expect(payoutSum <= computePayout("USDT", total, outcome.mark).payout).toBe(true);
        },
      ),
    );
  });

  test("an order at a mark does not affect another, in any sequence", () => {
    const pendingOrder: fc.Arbitrary<PendingOrder> = fc.oneof(
      fc.record({ kind: fc.constant("subscribe" as const), amount: amounts }),
      fc.record({ kind: fc.constant("redeem" as const), units: fc.bigInt(1n, unit) }),
    );
    fc.assert(
      fc.property(
        fc.array(pendingOrder, { minLength: 1, maxLength: 10 }),
        amounts,
        (list, worth) => {
          const outcome = markPool("USDT", {
            worth: worth + 10n ** 12n,
            owed: 0n,
            units: 10n ** 16n,
          });
          if (!outcome.ok) return;
          const inOrder = executeAt("USDT", outcome.mark, list);
          const reversed = executeAt("USDT", outcome.mark, [...list].reverse());
          expect(reversed).toEqual({ ...inOrder, executed: [...inOrder.executed].reverse() });
          expect(inOrder.executed[0]).toEqual(
            executeAt("USDT", outcome.mark, list.slice(0, 1)).executed[0],
          );
        },
      ),
    );
  });
});

test("over 10 000 random steps the books balance and execution never lowers the NAV", () => {
  const pick = createGenerator(11);
  const founder = computeFoundingUnits("USDT", 10_000n * usdt);
  const pool = { worth: 10_000n * usdt, owed: 0n, units: founder };
  let heldUnits = 0n;
  const counts = { subscribe: 0, redeem: 0, trade: 0, pay: 0 };
  for (let i = 0; i < 10_000; i += 1) {
    const trade = BigInt(pick(200_001) - 100_000) * 1_000n;
    if (pool.worth + trade > pool.owed + usdt) {
      pool.worth += trade;
      counts.trade += 1;
    }
    const before = mark(pool.worth, pool.units, pool.owed);
    expect(before.assets).toBe(
      before.owed + (before.units * before.nav) / 10n ** 10n + before.remainder,
    );
    expect(
      before.remainder >= 0n && before.remainder * 10n ** 10n < before.units + 10n ** 10n,
    ).toBe(true);
    const pendingOrders: PendingOrder[] = [];
    if (pick(2) === 0)
      pendingOrders.push({ kind: "subscribe", amount: BigInt(1 + pick(1_000_000_000)) });
    if (heldUnits > 0n && pick(2) === 0) {
      pendingOrders.push({
        kind: "redeem",
        units: (heldUnits * BigInt(1 + pick(100))) / 100n || 1n,
      });
    }
    const result = executeAt("USDT", before, pendingOrders);
    for (const [index, pendingOrder] of pendingOrders.entries()) {
      counts[pendingOrder.kind] += 1;
      const { units: movedUnits } = result.executed[index]!;
      heldUnits += pendingOrder.kind === "subscribe" ? movedUnits : -movedUnits;
    }
    pool.worth += result.paidIn;
    pool.owed += result.payable;
    pool.units = result.units;
    expect(pool.units).toBe(founder + heldUnits);
    const nextMark = mark(pool.worth, pool.units, pool.owed);
    // Exact: net / units may only rise.
    expect(nextMark.net * before.units >= before.net * nextMark.units).toBe(true);
    if (pick(3) === 0) {
      const payment = pool.owed;
      pool.owed -= payment;
      pool.worth -= payment;
      counts.pay += 1;
    }
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(1_000);
});
