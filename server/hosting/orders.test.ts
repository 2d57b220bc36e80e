import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catchErrorName } from "#server/testing/contracts.ts";
import {
  createTestHosting,
  crossPlan,
  holdPlan,
  type TestHosting,
} from "#server/testing/hosting.ts";
import { checkJournals } from "#server/testing/journalReceipts.ts";

let t: TestHosting;
/** Whole minutes after the world's start at which the next test begins. */
let minute = 2;

beforeAll(async () => {
  t = await createTestHosting({ plans: [crossPlan, holdPlan] });
  await t.tickTo(t.at(120));
});
afterAll(() => t.destroy());

const go = (seconds: number) => t.tickTo(t.at(minute * 60 + seconds));
const nextMinute = async () => {
  minute += 1;
  await go(0);
};

describe("subscriptions", () => {
  it("a subscription is charged immediately and executes at the next mark's NAV", async () => {
    const person = await t.openPerson();
    await go(10);
    const subscription = await t.subscribe(person, "1000");
    expect(await t.balance(person)).toBe(9_000_000_000n);
    await go(59);
    expect((await t.hosting.order(person.userId, subscription.id)).status).toBe("processing");
    await nextMinute();
    const order = await t.hosting.order(person.userId, subscription.id);
    expect(order).toMatchObject({
      status: "over",
      outcome: "executed",
      mark_at_ms: t.at(minute * 60),
    });
    expect(order.bound_leaf).toBeLessThan(order.mark_leaf!);
    const [holding] = (await t.hosting.info(person.attemptId)).holdings;
    expect(holding).toMatchObject({ units: order.units, waiting: "0", paid_in: "1000" });
    // Units are rounded down, and so is their value.
    expect(Number(holding!.value)).toBeGreaterThan(999.99);
    expect(Number(holding!.value)).toBeLessThanOrEqual(1_000);
  });

  it("subscriptions and redemptions are tied to their money in the ledger", async () => {
    const person = await t.openPerson();
    await go(10);
    await t.subscribe(person, "1000");
    await nextMinute();
    await t.redeem(person, "all");
    await nextMinute();
    await nextMinute();
    const records = [{ prefix: "hosting", orders: t.hosting.ordersOf }];
    const mismatches = await checkJournals(t, records, person.userId);
    expect(mismatches.filter(([kind]) => kind.startsWith("hosting."))).toEqual([
      ["hosting.subscribe", null],
      ["hosting.redeem", null],
    ]);
  });

  it("a subscription in the last second before a mark executes at the following one", async () => {
    const person = await t.openPerson();
    await go(59);
    t.ctx.clock.advanceTo(t.at(minute * 60 + 59) + 500);
    const subscription = await t.subscribe(person, "20");
    await nextMinute();
    expect((await t.hosting.order(person.userId, subscription.id)).status).toBe("processing");
    await nextMinute();
    expect((await t.hosting.order(person.userId, subscription.id)).mark_at_ms).toBe(
      t.at(minute * 60),
    );
  });

  it("refused subscriptions and redemptions change nothing", async () => {
    const person = await t.openPerson();
    const otherPerson = await t.openPerson();
    t.refuse(otherPerson, "terms.required");
    const cases: [() => Promise<unknown>, string][] = [
      [() => t.subscribe(person, "9.999999"), "hosting.amount_too_small"],
      [() => t.subscribe(person, "1000000.000001"), "hosting.amount_too_large"],
      [() => t.subscribe(person, "20.0000001"), "money.excess_digits"],
      [() => t.subscribe(person, "-20"), "money.amount_malformed"],
      [() => t.subscribe(person, "10000.000001"), "ledger.overdraft"],
      [() => t.subscribe(person, "20", "no-such-pool"), "hosting.unknown"],
      [() => t.subscribe(otherPerson, "20"), "terms.required"],
      [() => t.redeem(person, "1"), "hosting.units_not_there"],
      [() => t.redeem(person, "0"), "hosting.units_too_small"],
      [() => t.redeem(person, "all"), "hosting.units_not_there"],
    ];
    for (const [attempt, name] of cases) expect(await catchErrorName(attempt()), name).toBe(name);
    const params = { poolId: "cross-btc", amount: "20", termsHash: "0".repeat(64) };
    const staleSubscription = t.hosting.subscribe(
      person,
      params,
      crypto.randomUUID(),
      new Uint8Array(32),
    );
    expect(await catchErrorName(staleSubscription)).toBe("hosting.terms_changed");
    t.setLogLag(10_001);
    expect(await catchErrorName(t.subscribe(person, "20"))).toBe("hosting.log_behind");
    t.setLogLag(null);
    expect(await t.balance(person)).toBe(10_000_000_000n);
  });
});

describe("redemptions", () => {
  it("a redemption blocks units immediately and pays at the next mark, less the fee", async () => {
    const person = await t.openPerson();
    await t.subscribe(person, "1000", "hold-btc");
    await nextMinute();
    const orderRow = await t.redeem(person, "all", "hold-btc");
    const [blocked] = (await t.hosting.info(person.attemptId)).holdings;
    expect(blocked!.units_blocked).toBe(blocked!.units);
    expect(await catchErrorName(t.redeem(person, "0.00000001", "hold-btc"))).toBe(
      "hosting.units_not_there",
    );
    await nextMinute();
    const order = await t.hosting.order(person.userId, orderRow.id);
    const worth = (orderRow.units! * BigInt(order.nav!.replace(".", ""))) / 10n ** 10n;
    const fee = (worth * 10n + 9_999n) / 10_000n;
    expect(order).toMatchObject({ outcome: "executed", status: "over" });
    expect(BigInt(Math.round(Number(order.fee) * 1e6))).toBe(fee);
    expect(await t.balance(person)).toBe(9_000_000_000n + worth - fee);
    const [holding] = (await t.hosting.info(person.attemptId)).holdings;
    expect(holding).toMatchObject({ units: "0", units_blocked: "0", value: "0" });
  });

  it("two concurrent redemptions of all units pay once", async () => {
    const person = await t.openPerson();
    await t.subscribe(person, "500");
    await nextMinute();
    const errors = await Promise.all([1, 2].map(() => catchErrorName(t.redeem(person, "all"))));
    expect(new Set(errors)).toEqual(new Set([null, "hosting.units_not_there"]));
    await nextMinute();
    await nextMinute();
    expect(await t.balance(person)).toBeLessThan(10_000_000_000n);
    expect(await t.balance(person)).toBeGreaterThan(9_999_000_000n);
  });

  it("a suspended pool pays redemptions but takes no subscriptions", async () => {
    const person = await t.openPerson();
    await t.subscribe(person, "500");
    await nextMinute();
    await t.hosting.pools.suspend("cross-btc", true);
    expect(await catchErrorName(t.subscribe(person, "500"))).toBe("hosting.suspended");
    expect((await t.hosting.products(null, "cross-btc"))[0]!.state).toBe("suspended");
    await t.redeem(person, "all");
    await nextMinute();
    await t.hosting.pools.suspend("cross-btc", false);
    expect(await t.balance(person)).toBeGreaterThan(9_999_000_000n);
  });
});

describe("marks", () => {
  it("a mark requires an index, and orders wait with a reason until then", async () => {
    const person = await t.openPerson();
    await t.subscribe(person, "100");
    const from = t.at(minute * 60 + 20);
    t.source.silent = (secondMs) => secondMs > from && secondMs < from + 100_000;
    await nextMinute();
    const { items } = await t.hosting.orders(person.userId, {
      poolId: null,
      status: "processing",
      upToSeq: null,
      limit: 5,
      offset: 0,
    });
    expect(items[0]).toMatchObject({ status: "processing", waiting_for: "index" });
    expect((await t.hosting.products(null, "cross-btc"))[0]!.waiting_for).toBe("index");
    await nextMinute();
    await nextMinute();
    t.source.silent = () => false;
    expect((await t.hosting.order(person.userId, items[0]!.order_id)).status).toBe("over");
    expect((await t.hosting.products(null, "cross-btc"))[0]!.waiting_for).toBeNull();
  });

  it("a mark is one row per pool and minute for any number of holders", async () => {
    const before = await t.hosting.navHistory("cross-btc", "all");
    await Promise.all(
      Array.from({ length: 20 }, async () => t.subscribe(await t.openPerson(), "50")),
    );
    await nextMinute();
    const after = await t.hosting.navHistory("cross-btc", "all");
    expect(after.marks - before.marks).toBe(1);
  });
});

describe("orders around the closing of a mark", () => {
  it("each order executes once, at the first mark after its binding leaf", async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => t.openPerson()));
    for (let round = 0; round < 4; round += 1) {
      await go(59);
      t.ctx.clock.advanceTo(t.at(minute * 60 + 59) + 900);
      const promises = people.flatMap((person) => [
        t.subscribe(person, "15"),
        catchErrorName(t.redeem(person, "all")),
      ]);
      // The mark passes while they are in flight.
      await Promise.all([...promises, nextMinute()]);
    }
    await nextMinute();
    await nextMinute();
    const { rows } = await sql<{ late: bigint; early: bigint; open: bigint; paid: bigint }>`select
      count(*) filter (where exists (select from hosting_mark m
        where m.pool_id = o.pool_id and m.second_leaf > o.bound_leaf and m.at_ms < o.mark_at_ms)) as late,
      count(*) filter (where (select m.second_leaf from hosting_mark m
        where m.pool_id = o.pool_id and m.at_ms = o.mark_at_ms) <= o.bound_leaf) as early,
      count(*) filter (where o.outcome is null) as open,
      (select count(*) from (select e.about from entry e join journal j on j.id = e.journal_id
        where j.kind = 'hosting.redeem' and e.amount > 0 group by e.about having count(*) > 1) twice) as paid
      from hosting_order o`.execute(t.ctx.database.db);
    expect(rows[0]).toEqual({ late: 0n, early: 0n, open: 0n, paid: 0n });
    expect(await t.ledgerOf("cross-btc")).toEqual(await t.engineOf("cross-btc"));
  });
});
