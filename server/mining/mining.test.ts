import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNextSeed } from "#core/market/simulate/seedChain.ts";
import { computeAccrualPerTh, computeSatoshi } from "#core/mining/formula.ts";
import { checkLease } from "#core/mining/receipt.ts";
import { listNeededLeaseLeaves, parseLeaseReceipt } from "#core/mining/receiptSchema.ts";
import { decodeNetwork } from "#core/transparency-log/networkLeaf.ts";
import { decodePayout } from "#core/transparency-log/payoutLeaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createMining } from "#server/mining/mining.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import { readHashrateAtWork } from "#server/mining/store.ts";
import { catchErrorName } from "#server/testing/contracts.ts";
import { checkJournals } from "#server/testing/journalReceipts.ts";
import {
  createTestMining,
  hashParams,
  type TestMining,
  testDay,
  testHour,
  testOffer,
} from "#server/testing/mining.ts";
import { newId, type Person } from "#server/testing/people.ts";

let t: TestMining;
let person: Person;
beforeAll(async () => {
  t = await createTestMining();
  person = await t.openPerson(100_000);
});
afterAll(() => t.destroy());

const now = () => t.ctx.clock.nowMs();
const audit = async () => {
  const audit = createAudit(t.ctx, { contributions: { auditChecks: [{ mining: checkStock }] } });
  return (await audit.run({ complete: true })).findings;
};

describe("readings", () => {
  test("readings are hourly, complete and logged with their accrual", async () => {
    const first = (await t.mining.network.latest())!;
    await t.goTo(now() + 30 * testHour);
    const last = (await t.mining.network.latest())!;
    expect(Number(last.hour_ms - first.hour_ms)).toBe(30 * testHour);
    const [network, payout] = await t.transparencyLog.leaves(
      Number(last.leaf),
      Number(last.leaf) + 2,
    );
    const decodedNetwork = decodeNetwork(network!.bytes, null);
    const decodedPayout = decodePayout(payout!.bytes, null);
    if (!decodedNetwork.ok || !decodedPayout.ok) throw new Error("malformed");
    expect(decodedNetwork.value).toMatchObject({ height: last.height, feeSum: last.fee_sum });
    const figures = { height: last.height, difficulty: last.difficulty, feeSum: last.fee_sum };
    expect(decodedPayout.value.accrual).toBe(computeAccrualPerTh(figures, 3_600));
    expect(decodedPayout.value.cumulative).toBe(last.cumulative);
  });
  test("the first reading commits to all daily seeds, each revealed after its day", async () => {
    const rows = await sql<{ bytes: Buffer }>`
      select bytes from log_leaf where kind = 6 order by leaf`.execute(t.ctx.database.db);
    const leaves = rows.rows.map(({ bytes }) => {
      const network = decodeNetwork(new Uint8Array(bytes), null);
      if (!network.ok) throw new Error(network.error);
      return network.value;
    });
    const revealedSeeds = leaves.flatMap((leaf) => (leaf.revealed ? [leaf.revealed] : []));
    expect(leaves[0]!.blocks).toHaveLength(144);
    expect(revealedSeeds).toHaveLength(1);
    expect(isNextSeed(leaves[0]!.anchor!, revealedSeeds[0]!)).toBe(true);
  });
  test("a second process makes no duplicate readings", async () => {
    const otherMining = createMining(t.ctx, {
      ...t.services,
      ledger: { ...t.ledger, onPosted: () => {} },
    });
    expect(await otherMining.network.advance()).toBe(0);
    t.ctx.clock.advanceTo(now() + 2 * testHour);
    const advanced = await Promise.all([t.mining.network.advance(), otherMining.network.advance()]);
    expect(advanced[0] + advanced[1]).toBe(2);
  });
  test("the database refuses a reading that does not follow its predecessor", async () => {
    const insert = sql`insert into mining_reading select hour_ms + 7200000, height, block_ms, bits, difficulty, epoch_first_ms, fee_sum,
      cumulative, accrual, leaf + 1000 from mining_reading order by hour_ms desc limit 1`;
    await expect(insert.execute(t.ctx.database.db)).rejects.toThrow("does not follow");
  });
});

describe("publishing offers", () => {
  test("an offer that earns more than it costs is refused with both figures", async () => {
    const cheapOffer = { ...testOffer, productId: "gift", pricePerDay: 1n };
    expect(await t.mining.publish(cheapOffer)).toMatchObject({
      ok: false,
      refusal: { error: "flatters", cost: 4_680_001n },
    });
    expect(await t.mining.catalogue.find("gift")).toBeNull();
  });
  test("republishing an offer is a no-op, and another price is a new version", async () => {
    expect(await t.mining.publish(testOffer)).toMatchObject({ ok: true, published: false });
    const offer = { ...testOffer, productId: "other", stock: 2 };
    await t.mining.publish(offer);
    await t.mining.publish({ ...offer, pricePerDay: 500_000n });
    expect(await t.mining.catalogue.find("other")).toMatchObject({ version: 2 });
  });
  test("an offer cannot be checked without a price", async () => {
    t.setPrice(null);
    const result = await t.mining.publish({ ...testOffer, productId: "blind" });
    t.setPrice(6_400_000n);
    expect(result).toEqual({ ok: false, refusal: { error: "no_price" } });
  });
});

describe("leasing", () => {
  test("a lease charges price and power of all days and starts an hour later", async () => {
    const before = await t.balance(person);
    const startedLease = await t.lease(person, { quantity: 2, days: 3 });
    expect([startedLease.price, startedLease.power]).toEqual([2_400_000n, 28_080_000n]);
    expect(before - (await t.balance(person))).toBe(30_480_000n);
    const view = await t.mining.leaseOf(person.userId, startedLease.leaseId);
    expect(view).toMatchObject({
      status: "running",
      starts_at_ms: now() + testHour,
      ends_at_ms: now() + testHour + 3 * testDay,
      hashrate_ths: "200",
      mined: "0",
      end_now: { unused_days: 3, price: "1.92", power: "28.08" },
    });
  });
  test("a repeated id returns the same lease, and another body is refused", async () => {
    const id = newId();
    const terms = (await t.mining.catalogue.find("test-100"))!;
    const params = { productId: "test-100", quantity: 1, days: 1, termsHash: terms.termsHash };
    await t.mining.lease(person, params, id, hashParams(params));
    expect(await t.mining.lease(person, params, id, hashParams(params))).toBe("duplicate");
    const otherParams = { ...params, days: 2 };
    expect(
      await catchErrorName(t.mining.lease(person, otherParams, id, hashParams(otherParams))),
    ).toBe("idempotency.body_changed");
  });
  test.each<[string, Parameters<TestMining["lease"]>[1], string]>([
    ["an unknown machine", { productId: "none" }, "mining.unknown"],
    ["zero machines", { quantity: 0 }, "mining.quantity_out_of_range"],
    ["more machines than a lease allows", { quantity: 21 }, "mining.quantity_out_of_range"],
    ["zero days", { days: 0 }, "mining.days_out_of_range"],
    ["too many days", { days: 401 }, "mining.days_out_of_range"],
    ["more machines than are free", { productId: "other", quantity: 3 }, "mining.sold_out"],
    ["more than the available balance", { quantity: 20, days: 400 }, "ledger.overdraft"],
  ])("%s is refused and changes nothing", async (_title, params, error) => {
    const poorPerson = await t.openPerson(1_000);
    expect(await catchErrorName(t.lease(poorPerson, params))).toBe(error);
    expect(await t.balance(poorPerson)).toBe(1_000_000_000n);
  });
  test("outdated terms are refused", async () => {
    const params = { productId: "test-100", quantity: 1, days: 1, termsHash: "0".repeat(64) };
    expect(await catchErrorName(t.mining.lease(person, params, newId(), hashParams(params)))).toBe(
      "mining.terms_changed",
    );
  });
  test("leasing is refused while a reading is late", async () => {
    t.ctx.clock.advanceTo(now() + 2 * testHour);
    t.ctx.realClock.advanceMs(2_000);
    expect(await catchErrorName(t.lease(person))).toBe("mining.not_ready");
    await t.goTo(now());
    expect(await catchErrorName(t.lease(person, { days: 1 }))).toBeNull();
  });
});

describe("payouts", () => {
  test("each day is paid once for any jump of the clock", async () => {
    const person = await t.openPerson(1_000);
    const { leaseId, acceptedAtMs } = await t.lease(person, { days: 12 });
    const startMs = acceptedAtMs + testHour;
    const cumulative = async (atMs: number) => {
      const { rows } = await sql<{
        c: bigint;
      }>`select mined_per_th(${atMs}) as c from (select 1) x`.execute(t.ctx.owner.db);
      return rows[0]!.c;
    };
    const expected = async (days: number) =>
      computeSatoshi(
        (await cumulative(startMs + days * testDay)) - (await cumulative(startMs)),
        100_000n,
        200,
      );
    await t.goTo(startMs + testDay - 1);
    expect(await t.mined(person)).toBe(0n);
    await t.goTo(startMs + testDay + 60_000);
    expect(await t.mined(person)).toBe(await expected(1));
    for (const jump of [testHour, 0, testDay, testDay + 7 * testHour, 7 * testDay, 0]) {
      await t.goTo(now() + jump);
      await t.mining.advance();
      const days = Math.min(12, Math.floor((now() - startMs) / testDay));
      expect(await t.mined(person)).toBe(await expected(days));
    }
    await t.goTo(startMs + 30 * testDay);
    expect(await t.mined(person)).toBe(await expected(12));
    const { items } = await t.mining.payouts(person.userId, {
      leaseId,
      upToMs: null,
      limit: 100,
      offset: 0,
    });
    expect(items.map(({ day }) => day)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await t.mining.leaseOf(person.userId, leaseId)).toMatchObject({
      status: "maturity",
      days_paid: 12,
      next_payout_at_ms: null,
      end_now: null,
    });
  });

  test("a clock set back pays nothing and removes no reading", async () => {
    const earlierClock = { ...t.ctx.clock, nowMs: () => now() - 5 * testDay };
    const otherMining = createMining(
      { ...t.ctx, clock: earlierClock },
      { ...t.services, ledger: { ...t.ledger, onPosted: () => {} } },
    );
    expect(await otherMining.advance()).toBe(0);
  });

  test("two concurrent processes pay each day once", async () => {
    const people = await Promise.all([1, 2, 3].map(() => t.openPerson(1_000)));
    for (const person of people) await t.lease(person, { days: 2 });
    const otherMining = createMining(t.ctx, {
      ...t.services,
      ledger: { ...t.ledger, onPosted: () => {} },
    });
    t.ctx.clock.advanceTo(now() + 3 * testDay);
    t.ctx.realClock.advanceMs(5_000);
    await t.mining.network.advance();
    await Promise.all([t.mining.credit(), otherMining.credit(), t.mining.credit()]);
    const mined = await Promise.all(people.map((person) => t.mined(person)));
    const { rows } = await sql<{ n: number; sum: bigint }>`
      select count(*)::integer as n, sum(amount)::bigint as sum from mining_payout p join mining_lease l on l.seq = p.lease
      where l.user_id = any(${people.map((person) => person.userId)}::text[])`.execute(
      t.ctx.database.db,
    );
    expect(rows[0]).toEqual({ n: 6, sum: mined.reduce((a, b) => a + b) });
  });

  test("one person leases at most a twentieth of the stock, even concurrently", async () => {
    await t.mining.publish({ ...testOffer, productId: "shared", stock: 60, quantityMax: 2 });
    const [first, second] = [await t.openPerson(1_000), await t.openPerson(1_000)];
    const sharedParams = { productId: "shared", days: 1 };
    const errors = await Promise.all(
      [2, 2, 2].map((quantity) => catchErrorName(t.lease(first, { ...sharedParams, quantity }))),
    );
    expect(errors.map(String).toSorted()).toEqual([
      ...Array(2).fill("mining.own_share_full"),
      "null",
    ]);
    expect(await catchErrorName(t.lease(first, sharedParams))).toBeNull();
    expect(await catchErrorName(t.lease(first, sharedParams))).toBe("mining.own_share_full");
    expect(await catchErrorName(t.lease(second, { ...sharedParams, quantity: 2 }))).toBeNull();
    await t.goTo(now() + 2 * testDay);
    expect(await catchErrorName(t.lease(first, sharedParams))).toBeNull();
  });

  test("an ended lease returns its machines to the stock", async () => {
    const person = await t.openPerson(1_000);
    await t.lease(person, { productId: "other", quantity: 2, days: 1 });
    expect(await catchErrorName(t.lease(person, { productId: "other" }))).toBe("mining.sold_out");
    await t.goTo(now() + 2 * testDay);
    expect(await catchErrorName(t.lease(person, { productId: "other", days: 1 }))).toBeNull();
  });
});

describe("ending a lease early", () => {
  test("ending before the start refunds 80 % of the price and all of the power", async () => {
    const person = await t.openPerson(1_000);
    const { leaseId } = await t.lease(person, { days: 10 });
    const params = { leaseId, unusedDays: 10 };
    await t.mining.end(person, params, newId(), hashParams(params));
    expect(1_000_000_000n - (await t.balance(person))).toBe(800_000n);
    expect(await t.mining.leaseOf(person.userId, leaseId)).toMatchObject({
      status: "maturity",
      days_to_work: 0,
      refund: { price: "3.2", power: "46.8" },
    });
    await t.goTo(now() + 3 * testDay);
    expect(await t.mined(person)).toBe(0n);
  });
  test("the day in progress is completed and paid", async () => {
    const person = await t.openPerson(1_000);
    const { leaseId, acceptedAtMs } = await t.lease(person, { days: 10 });
    await t.goTo(acceptedAtMs + testHour + 2 * testDay + 5);
    const staleEnding = { leaseId, unusedDays: 8 };
    expect(
      await catchErrorName(t.mining.end(person, staleEnding, newId(), hashParams(staleEnding))),
    ).toBe("mining.lease_changed");
    const params = { leaseId, unusedDays: 7 };
    const id = newId();
    await t.mining.end(person, params, id, hashParams(params));
    expect(await catchErrorName(t.mining.end(person, params, newId(), hashParams(params)))).toBe(
      "mining.nothing_to_return",
    );
    await t.goTo(now() + 9 * testDay);
    const view = await t.mining.leaseOf(person.userId, leaseId);
    expect(view).toMatchObject({ days_to_work: 3, days_paid: 3, status: "maturity" });
    expect(1_000_000_000n - (await t.balance(person))).toBe(50_800_000n - 2_240_000n - 32_760_000n);
  });
  test("ending on the last day is refused, and another person's lease is unknown", async () => {
    const item = await t.openPerson(1_000);
    const { leaseId } = await t.lease(item, { days: 1 });
    await t.goTo(now() + 2 * testHour);
    const params = { leaseId, unusedDays: 1 };
    expect(await catchErrorName(t.mining.end(item, params, newId(), hashParams(params)))).toBe(
      "mining.nothing_to_return",
    );
    expect(await catchErrorName(t.mining.end(person, params, newId(), hashParams(params)))).toBe(
      "mining.lease_unknown",
    );
  });
});

test("a lease's receipt recomputes, and one with a changed satoshi does not", async () => {
  const person = await t.openPerson(1_000);
  const { leaseId } = await t.lease(person, { days: 3, quantity: 2 });
  await t.goTo(now() + 4 * testDay);
  await t.transparencyLog.integrate();
  expect(await catchErrorName(t.mining.receipt(person.userId, leaseId, null))).toBe(
    "mining.receipt_not_ready",
  );
  await t.closeSecond();
  const world = decodeWorld((await t.transparencyLog.leaves(0, 1))[0]!.bytes);
  if (!world.ok) throw new Error(world.error);
  for (const day of [null, 2]) {
    const receipt = await t.mining.receipt(person.userId, leaseId, day);
    const leaves = new Map<number, Uint8Array>();
    for (const [from, to] of listNeededLeaseLeaves(parseLeaseReceipt(receipt)!)) {
      for (const [index, { bytes }] of (await t.transparencyLog.leaves(from, to + 1)).entries())
        leaves.set(from + index, bytes);
    }
    const check = checkLease(receipt, world.value, leaves);
    expect(check.steps.filter(({ ok }) => !ok)).toEqual([]);
    const [first, ...rest] = receipt.payouts;
    const changedEntry = { ...first!, amount: String(BigInt(first!.amount) + 1n) };
    const alteredReceipt = { ...receipt, payouts: [changedEntry, ...rest] };
    expect(checkLease(alteredReceipt, world.value, leaves).steps.at(-1)).toMatchObject({
      difference: "payout_differs",
    });
  }
});

test("every journal of a lease is tied to it: price, power, payouts and refund", async () => {
  const person = await t.openPerson(1_000);
  const { leaseId } = await t.lease(person, { days: 5, quantity: 2 });
  await t.closeSecond();
  await t.goTo(now() + 2 * testDay);
  const unusedDays = (await t.mining.leaseOf(person.userId, leaseId)).end_now!.unused_days;
  const params = { leaseId, unusedDays };
  await t.mining.end(person, params, newId(), hashParams(params));
  await t.closeSecond();
  await t.goTo(now() + 2 * testDay);
  const records = [{ prefix: "mining", orders: t.mining.ordersOf }];
  const mismatches = await checkJournals(t, records, person.userId);
  const kinds = ["mining.lease", "mining.payout", "mining.refund"];
  for (const kind of kinds) expect(mismatches.map(([name]) => name)).toContain(kind);
  const ownMismatches = mismatches.filter(([kind]) => kinds.includes(kind));
  expect(ownMismatches.filter(([, difference]) => difference !== null)).toEqual([]);
});

test("a journal's details name the machine and the amount paid out", async () => {
  const person = await t.openPerson(1_000);
  const { leaseId } = await t.lease(person, { days: 2 });
  const facts = (await t.mining.explain([leaseId])).get(leaseId)!.facts;
  expect(facts).toMatchObject({
    machine: "Maker Hundred",
    quantity: 1,
    days: 2,
    lease_price: { amount: "800000", coin: "pUSDT" },
    lease_power: { amount: "9360000", coin: "pUSDT" },
  });
});

test("machines count as at work from their start to their last day", async () => {
  const hashrate = () => readHashrateAtWork(t.ctx.database.db, now());
  const before = await hashrate();
  const person = await t.openPerson(1_000);
  await t.lease(person, { days: 1 });
  expect(await hashrate()).toBe(before);
  await t.goTo(now() + testHour);
  const working = await hashrate();
  expect(working).toBeGreaterThan(before);
  await t.goTo(now() + testDay + testHour);
  expect(await hashrate()).toBeLessThan(working);
});

test("the ledger audit has no findings at the end", async () => {
  expect(await audit()).toEqual([]);
});
