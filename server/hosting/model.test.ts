import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { catchErrorName } from "#server/testing/contracts.ts";
import {
  createTestHosting,
  crossPlan,
  holdPlan,
  type TestHosting,
} from "#server/testing/hosting.ts";
import type { Person } from "#server/testing/people.ts";

/** A small seeded random number generator, so that a failed run can be repeated. */
function getRandom(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const steps = 4_000;
const people = 12;

let t: TestHosting;
afterAll(() => t?.destroy());

interface MarkRow {
  pool_id: string;
  nav: bigint;
  units: bigint;
  assets: bigint;
  owed: bigint;
  subscribed: bigint;
  given: bigint;
  redeemed: bigint;
  paid: bigint;
}

/** Invariants that must hold at every mark, in integers only. */
function getFault(mark: MarkRow, before: MarkRow | undefined): string | null {
  const unit = 10n ** 10n;
  const net = mark.assets - mark.owed;
  const worth = (mark.units * mark.nav) / unit;
  // The remainder belongs to no unit: it is less than one last digit of NAV over all units.
  if (net < worth || net - worth > mark.units / unit + 1n) return "assets − owed ≠ units × NAV";
  const [netAfter, unitsAfter] = [
    net + mark.subscribed - mark.paid,
    mark.units + mark.given - mark.redeemed,
  ];
  if (netAfter * unit < unitsAfter * mark.nav) return "orders took from those who stayed";
  if (before && mark.units !== before.units + before.given - before.redeemed)
    return "units came from nowhere";
  return null;
}

describe("thousands of random steps", () => {
  it("ledger, engine and NAV agree to the minor unit after random steps", {
    timeout: 180_000,
  }, async () => {
    const random = getRandom(20_261_121);
    t = await createTestHosting({ plans: [crossPlan, holdPlan] });
    let level = 2_000_000;
    const mids = new Map<string, bigint>();
    t.source.script = (venue, secondMs) => {
      const key = `${venue} ${secondMs}`;
      const cached = mids.get(key);
      if (cached) return cached;
      level += random(401) - 200;
      // Occasionally a gap that pays, and a venue that is silent.
      const gap = venue === 1 && random(40) === 0 ? (random(2) * 2 - 1) * 12_000 : 0;
      const mid = BigInt(level + gap);
      mids.set(key, mid);
      return mid;
    };
    t.source.silent = (secondMs) => secondMs % 1_260_000 < 70_000 && secondMs > t.at(600);
    const persons: Person[] = [];
    for (let i = 0; i < people; i += 1) persons.push(await t.openPerson(10_000));
    let second = 0;
    const agree = async () => {
      for (const pool of ["cross-btc", "hold-btc"])
        expect(await t.ledgerOf(pool), pool).toEqual(await t.engineOf(pool));
    };
    let refusalCount = 0;
    for (let count = 0; count < steps; ) {
      // A handful concurrently, so that they meet in batches and wait for one another.
      const some = Array.from({ length: 1 + random(8) }, async () => {
        const person = persons[random(people)]!;
        const pool = random(2) === 0 ? "cross-btc" : "hold-btc";
        const digits = BigInt(random(2 ** 31)) * BigInt(1 + random(100));
        const error = await catchErrorName(
          random(5) < 3
            ? t.subscribe(
                person,
                `${10 + random(90)}.${String(digits % 1_000_000n).padStart(6, "0")}`,
                pool,
              )
            : random(3) === 0
              ? t.redeem(person, "all", pool)
              : t.redeem(
                  person,
                  `${random(30)}.${String(digits % 100_000_000n).padStart(8, "0")}`,
                  pool,
                ),
        );
        if (error !== null) refusalCount += 1;
        expect([
          null,
          "hosting.units_not_there",
          "hosting.units_too_small",
          "ledger.overdraft",
        ]).toContain(error);
      });
      await Promise.all(some);
      count += some.length;
      const seconds = 1 + random(15);
      second += seconds;
      count += seconds;
      await t.tickTo(t.at(second), 1 + random(20));
      if (random(60) === 0) await agree();
    }
    await t.tickTo(t.at(second + 240));
    await agree();
    const { db } = t.ctx.database;
    const { rows } =
      await sql<MarkRow>`select pool_id, nav, units, assets, owed, subscribed, given, redeemed, paid
      from hosting_mark order by pool_id, at_ms`.execute(db);
    const faults = rows.flatMap((mark, index) => {
      const before = rows[index - 1]?.pool_id === mark.pool_id ? rows[index - 1] : undefined;
      return getFault(mark, before) ?? [];
    });
    expect(faults).toEqual([]);
    const { rows: sums } = await sql<{
      trades: bigint;
      held: bigint;
      units: bigint;
      marks: bigint;
      orders: bigint;
    }>`select
      (select count(*) from hosting_trade where purpose = 'arbitrage') as trades, (select count(*) from hosting_mark) as marks,
      (select count(*) from hosting_order where outcome = 'executed') as orders,
      (select sum(bought - redeemed)::bigint from hosting_holding) as held,
      (select sum(units - house_units)::bigint from hosting_pool) as units`.execute(db);
    const { trades, held, units, marks, orders } = sums[0]!;
    expect(held).toBe(units);
    // Without activity the two would agree trivially.
    expect([trades > 20n, marks > 40n, orders > 500n, refusalCount > 50]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
