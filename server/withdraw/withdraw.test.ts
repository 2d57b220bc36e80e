import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeAddress } from "#core/addresses/address.ts";
import { deriveJournalId } from "#core/ledger/ids.ts";
import { dayMs, minuteMs } from "#core/money/time.ts";
import { createAudit } from "#server/ledger/audit/audit.ts";
import { createBody, createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import { catchErrorName } from "#server/testing/contracts.ts";
import { outsideTransaction } from "#server/testing/outsideTransaction.ts";
import { untilBlocked } from "#server/testing/untilBlocked.ts";
import { createAddress, createTestWithdraw, type TestWithdraw } from "#server/withdraw/testing.ts";
import { completionKind } from "#server/withdraw/types.ts";
import { createWithdraw } from "#server/withdraw/withdraw.ts";

let t: TestWithdraw;
const unit = 1_000_000n;
beforeAll(async () => {
  t = await createTestWithdraw();
});
afterAll(async () => {
  const { findings } = await createAudit(t.ctx).run();
  expect(findings).toEqual([]);
  await t.destroy();
});
beforeEach(() => t.setIndex({}));
const passWorld = (ms: number) => t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + ms);

describe("a withdrawal", () => {
  test("a withdrawal is held and leaves after two minutes, less its fee", async () => {
    const person = await t.person({ pUSDT: 100n * unit });
    const [outside, fees] = [await t.house("outside"), await t.house("fees")];
    const placement = await t.place(person, { amount: "40" });
    expect(placement).toMatchObject({
      coin: "pUSDT",
      amount: "40",
      fee: "1",
      leaves: "39",
      network: "peth",
      state: "waiting",
      outcome: null,
    });
    expect(placement.cancel_until_ms - placement.placed_at_ms).toBe(2 * minuteMs);
    expect(placement.latest_at_ms).toBe(t.ctx.realClock.nowMs() + dayMs);
    expect(await t.balance(person)).toEqual({ available: 60n * unit, held: 40n * unit });
    passWorld(2 * minuteMs - 1);
    await t.withdraw.leaveDue();
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).state).toBe("waiting");
    passWorld(1);
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).state).toBe("closing");
    expect(await t.withdraw.leaveDue()).toBe(1);
    expect(await t.withdraw.find(person.userId, placement.withdrawal_id)).toMatchObject({
      state: "over",
      outcome: "left",
      ended_by: "time",
      ended_at_ms: placement.cancel_until_ms,
    });
    expect(await t.balance(person)).toEqual({ available: 60n * unit, held: 0n });
    expect([(await t.house("outside")) - outside, (await t.house("fees")) - fees]).toEqual([
      39n * unit,
      unit,
    ]);
    expect(new Set(await t.trial())).toEqual(new Set([0n]));
    expect(await t.withdraw.leaveDue()).toBe(0);
  });

  test("a whole balance not above the fee leaves without a fee", async () => {
    const person = await t.person({ pUSDT: unit });
    const fees = await t.house("fees");
    const placement = await t.place(person);
    expect([placement.amount, placement.fee, placement.leaves]).toEqual(["1", "0", "1"]);
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    expect(await t.balance(person)).toEqual({ available: 0n, held: 0n });
    expect(await t.house("fees")).toBe(fees);
  });

  test("withdrawing all takes the available balance, not held amounts", async () => {
    const person = await t.person({ pBTC: 100_000_000n });
    const first = await t.place(person, { coin: "pBTC", amount: "0.4" });
    const rest = await t.place(person, { coin: "pBTC" });
    expect([first.amount, rest.amount, rest.fee]).toEqual(["0.4", "0.6", "0.0001"]);
  });

  test("a repeated id returns the same withdrawal, and another body is refused", async () => {
    const person = await t.person({ pUSDT: 100n * unit });
    const id = randomUUID();
    const first = await t.place(person, {}, id);
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    expect(await t.place(person, {}, id)).toEqual(first);
    const params = { coin: "pUSDT", amount: "all", address: createAddress("pUSDT") } as const;
    expect(await catchErrorName(t.withdraw.place(person, params, id, createBody("other")))).toBe(
      "idempotency.body_changed",
    );
    expect(await t.balance(person)).toEqual({ available: 0n, held: 0n });
  });

  test.each<[string, string, string]>([
    ["a part below 20 pUSDT", "19.999999", "withdraw.below_minimum"],
    ["more than is available", "100.000001", "ledger.overdraft"],
    ["zero", "0", "withdraw.nothing"],
    ["seven decimal places", "20.0000001", "money.excess_digits"],
    ["a negative amount", "-20", "money.amount_malformed"],
    ["an exponent", "2e1", "money.amount_malformed"],
    ["NaN", "NaN", "money.amount_malformed"],
    ["digits of another script", "٢٠", "money.amount_malformed"],
    ["an empty amount", "", "money.amount_malformed"],
    ["a huge amount", "9".repeat(13), "money.amount_too_large"],
    ["ALL in capitals", "ALL", "money.amount_malformed"],
  ])("a withdrawal of %s is refused and changes nothing", async (_title, amount, error) => {
    const person = await t.person({ pUSDT: 100n * unit });
    expect(await catchErrorName(t.place(person, { amount }))).toBe(error);
    expect(await t.balance(person)).toEqual({ available: 100n * unit, held: 0n });
  });

  test.each<[string, string, string]>([
    ["nothing", " ", "address.malformed"],
    ["a word", "my wallet", "address.malformed"],
    ["a real Ethereum address", `0x${"ab".repeat(20)}`, "address.real_chain"],
    [
      "a network that does not carry the coin",
      encodeAddress("pbtc", new Uint8Array(20)),
      "address.wrong_network",
    ],
    [
      "a changed character",
      `${encodeAddress("peth", new Uint8Array(20)).slice(0, -1)}x`,
      "address.checksum",
    ],
  ])("a withdrawal to %s is refused and changes nothing", async (_title, address, error) => {
    const person = await t.person({ pUSDT: 100n * unit });
    expect(await catchErrorName(t.place(person, { address }))).toBe(error);
    expect(await t.balance(person)).toEqual({ available: 100n * unit, held: 0n });
  });

  test("the minimum follows the index, and without an index it does not apply", async () => {
    t.setIndex({ "BTC/USDT": 28_123_45n });
    const person = await t.person({ pBTC: 100_000_000n });
    const failure = await t
      .place(person, { coin: "pBTC", amount: "0.00071115" })
      .catch((error) => error);
    expect([failure.error, failure.data]).toEqual([
      "withdraw.below_minimum",
      { minimum: "0.00071116", coin: "pBTC" },
    ]);
    expect(t.withdraw.minimum("pBTC")).toEqual({ minimum: 71_116n, pricedAtMs: 1_000 });
    t.setIndex({ "BTC/USDT": null });
    expect(t.withdraw.minimum("pBTC")).toEqual({ minimum: null, pricedAtMs: null });
    expect((await t.place(person, { coin: "pBTC", amount: "0.00000001" })).leaves).toBe(
      "0.00000001",
    );
  });
});

describe("cancelling a withdrawal", () => {
  test("cancelling returns the whole amount without a fee, once", async () => {
    const person = await t.person({ pUSDT: 100n * unit });
    const placement = await t.place(person, { amount: "40" });
    const cancellation = await t.cancel(person, placement.withdrawal_id);
    expect(cancellation).toMatchObject({ state: "over", outcome: "cancelled", ended_by: "person" });
    expect(await t.cancel(person, placement.withdrawal_id)).toEqual(cancellation);
    expect(await t.balance(person)).toEqual({ available: 100n * unit, held: 0n });
    passWorld(3 * minuteMs);
    await t.withdraw.leaveDue();
    expect(await t.balance(person)).toEqual({ available: 100n * unit, held: 0n });
  });

  test("cancelling after two minutes is refused", async () => {
    const person = await t.person({ pUSDT: 100n * unit });
    const placement = await t.place(person);
    passWorld(2 * minuteMs);
    expect(await catchErrorName(t.cancel(person, placement.withdrawal_id))).toBe(
      "withdraw.too_late",
    );
    await t.withdraw.leaveDue();
    expect(await catchErrorName(t.cancel(person, placement.withdrawal_id))).toBe(
      "withdraw.too_late",
    );
  });

  test("cancelling another person's withdrawal is refused", async () => {
    const [person, otherPerson] = [await t.person({ pUSDT: unit }), await t.person({})];
    const placement = await t.place(person);
    expect(await catchErrorName(t.cancel(otherPerson, placement.withdrawal_id))).toBe(
      "withdraw.unknown",
    );
    expect(await catchErrorName(t.cancel(person, "nonsense"))).toBe("withdraw.unknown");
    expect(await catchErrorName(t.withdraw.find(otherPerson.userId, placement.withdrawal_id))).toBe(
      "withdraw.unknown",
    );
  });

  test("either the cancellation or the departure wins when they coincide", async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, () => t.person({ pUSDT: 50n * unit })),
    );
    const placement = await Promise.all(people.map((person) => t.place(person)));
    const before = await t.house("outside");
    const act = { operatorId: "o", role: "support", reason: "asked" };
    const outcomes = await Promise.all(
      people.map(async (person, index) => {
        const id = placement[index]!.withdrawal_id;
        const [cancel, pay] = await Promise.all([
          catchErrorName(t.cancel(person, id)),
          t.payNow(id, act),
        ]);
        return { cancelled: cancel === null, left: pay };
      }),
    );
    for (const { cancelled, left } of outcomes) expect(cancelled).not.toBe(left);
    const leftCount = outcomes.filter((outcome) => outcome.left).length;
    expect((await t.house("outside")) - before).toBe(BigInt(leftCount) * 49n * unit);
    for (const [index, person] of people.entries()) {
      const available = outcomes[index]!.cancelled ? 50n * unit : 0n;
      expect(await t.balance(person)).toEqual({ available, held: 0n });
    }
  });
});

describe("departure of a withdrawal", () => {
  test("a withdrawal leaves once under concurrent loops and after a restart", async () => {
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    const people = await Promise.all(
      Array.from({ length: 12 }, () => t.person({ pUSDT: 30n * unit })),
    );
    await Promise.all(people.map((person) => t.place(person)));
    const before = await t.house("outside");
    passWorld(2 * minuteMs);
    // Other processes on the same world.
    const createAgain = () => createWithdraw(t.ctx, { ledger: t.ledger, market: t.prices });
    const counts = await Promise.all(
      [t.withdraw, createAgain(), createAgain()].map((service) => service.leaveDue()),
    );
    expect(counts.reduce((sum, count) => sum + count, 0) + (await createAgain().leaveDue())).toBe(
      12,
    );
    expect((await t.house("outside")) - before).toBe(12n * 29n * unit);
  });

  test("a withdrawal leaves after 24 hours of real time without market or world time", async () => {
    const person = await t.person({ pUSDT: 30n * unit });
    const placement = await t.place(person);
    t.ctx.realClock.advanceMs(dayMs - 1);
    await t.ctx.jobs.runNow("withdraw.day");
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).outcome).toBeNull();
    t.ctx.realClock.advanceMs(1);
    await t.ctx.jobs.runNow("withdraw.day");
    expect(await t.withdraw.find(person.userId, placement.withdrawal_id)).toMatchObject({
      outcome: "left",
      ended_by: "day",
    });
  });

  test("a withdrawal whose journal cannot post stays open and is retried", async () => {
    const person = await t.person({ pUSDT: 30n * unit });
    const { withdrawal_id: id } = await t.place(person);
    const journal = deriveJournalId(completionKind, id);
    const { pool } = t.ctx.owner;
    await pool.query("insert into used_key (id, body_hash) values ($1, $2)", [
      journal,
      Buffer.alloc(32),
    ]);
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    expect((await t.withdraw.find(person.userId, id)).outcome).toBeNull();
    expect(await t.balance(person)).toEqual({ available: 0n, held: 30n * unit });
    await pool.query("delete from used_key where id = $1", [journal]);
    await t.withdraw.leaveDue();
    expect((await t.withdraw.find(person.userId, id)).outcome).toBe("left");
    expect(await t.balance(person)).toEqual({ available: 0n, held: 0n });
  });

  test("a clock set back does not delay a withdrawal", async () => {
    const person = await t.person({ pUSDT: 30n * unit });
    const placement = await t.place(person);
    const nowMs = t.ctx.realClock.nowMs();
    t.ctx.realClock.setMs(nowMs - dayMs);
    await t.ctx.jobs.runNow("withdraw.day");
    expect((await t.withdraw.find(person.userId, placement.withdrawal_id)).outcome).toBe("left");
    t.ctx.realClock.setMs(nowMs);
  });

  test("an operator can pay early, and the person sees role and reason", async () => {
    const person = await t.person({ pUSDT: 30n * unit });
    const placement = await t.place(person);
    const act = { operatorId: "op-1", role: "support", reason: "Class ends" };
    expect(await t.payNow(placement.withdrawal_id, act)).toBe(true);
    expect(await t.payNow(placement.withdrawal_id, act)).toBe(false);
    const finished = await t.withdraw.find(person.userId, placement.withdrawal_id);
    expect(finished).toMatchObject({
      outcome: "left",
      ended_by: "operator",
      act: { role: "support", reason: "Class ends" },
    });
    const notified = await t.withdraw.explain([
      placement.withdrawal_id,
      finished.ended_journal_id!,
    ]);
    expect(notified.get(placement.withdrawal_id)?.facts).toMatchObject({
      leaves: { amount: "29000000", coin: "pUSDT" },
    });
    expect(notified.get(placement.withdrawal_id)?.facts).not.toHaveProperty("ended_by");
    expect(notified.get(finished.ended_journal_id!)?.facts).toMatchObject({
      ended_by: "operator",
      reason: "Class ends",
    });
  });
});

describe("a withdrawal from a closed attempt", () => {
  const startedOver = async () => {
    const oldPerson = await t.person({ pUSDT: 100n * unit });
    await t.register(oldPerson, 1);
    const now = { userId: oldPerson.userId, attemptId: randomUUID() };
    await t.register(now, 2);
    return { old: oldPerson, now };
  };

  test("the old balance leaves by the same rule, and the new attempt is unchanged", async () => {
    const { old, now } = await startedOver();
    const wallet = await t.ledger.account(now, "wallet", "pUSDT");
    const issuance = await t.ledger.account("house", "issuance", "pUSDT");
    await t.ledger.post(createJournal(createMoveLegs(issuance, wallet, 10n * unit)));
    const from = { attempt_id: old.attemptId };
    expect(await catchErrorName(t.place(now, { ...from, amount: "19" }))).toBe(
      "withdraw.below_minimum",
    );
    const part = await t.place(now, { ...from, amount: "20" });
    expect(part.attempt_id).toBe(old.attemptId);
    await t.place(now, from);
    expect(await t.balance(old)).toEqual({ available: 0n, held: 100n * unit });
    await t.cancel(now, part.withdrawal_id);
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    expect(await t.balance(old)).toEqual({ available: 20n * unit, held: 0n });
    expect(await t.balance(now)).toEqual({ available: 10n * unit, held: 0n });
    expect(await t.withdraw.balances(now, old.attemptId)).toEqual(
      await t.withdraw.balances(old, old.attemptId),
    );
  });

  test("another person's attempt is unknown for withdrawing and reading", async () => {
    const { old } = await startedOver();
    const otherPerson = await t.person({ pUSDT: 100n * unit });
    for (const attemptId of [old.attemptId, randomUUID(), "", "house"]) {
      expect(await catchErrorName(t.place(otherPerson, { attempt_id: attemptId }))).toBe(
        "attempts.unknown",
      );
      expect(await catchErrorName(t.withdraw.balances(otherPerson, attemptId))).toBe(
        "attempts.unknown",
      );
    }
    expect(await t.balance(old)).toEqual({ available: 100n * unit, held: 0n });
    expect(await t.balance(otherPerson)).toEqual({ available: 100n * unit, held: 0n });
  });

  test("withdrawals placed before and after the closing all leave", async () => {
    const { old, now } = await startedOver();
    const before = await t.place(old, { amount: "30" });
    await t.close(old, now);
    t.ctx.realClock.advanceMs(1);
    const after = await t.place(now, { attempt_id: old.attemptId, amount: "40" });
    passWorld(2 * minuteMs);
    await t.withdraw.leaveDue();
    for (const { withdrawal_id: id } of [before, after]) {
      expect(await t.withdraw.find(old.userId, id)).toMatchObject({
        outcome: "left",
        ended_by: "time",
      });
    }
    expect(await t.balance(old)).toEqual({ available: 30n * unit, held: 0n });
  });

  test("the person can still cancel one that was placed before the closing", async () => {
    const { old, now } = await startedOver();
    const before = await t.place(old, { amount: "30" });
    await t.close(old, now);
    await t.cancel(now, before.withdrawal_id);
    expect(await t.balance(old)).toEqual({ available: 100n * unit, held: 0n });
  });

  test("the list has withdrawals of all attempts, or of one", async () => {
    const { old, now } = await startedOver();
    const before = await t.place(old, { amount: "30" });
    const wallet = await t.ledger.account(now, "wallet", "pUSDT");
    const issuance = await t.ledger.account("house", "issuance", "pUSDT");
    await t.ledger.post(createJournal(createMoveLegs(issuance, wallet, 10n * unit)));
    const after = await t.place(now);
    const page = { page: 1, page_size: 10 };
    const getIds = async (attemptId?: string) =>
      (await t.withdraw.list(old.userId, { ...page, attemptId })).items.map(
        (withdrawal) => withdrawal.withdrawal_id,
      );
    expect(await getIds()).toEqual([after.withdrawal_id, before.withdrawal_id]);
    expect(await getIds(old.attemptId)).toEqual([before.withdrawal_id]);
  });
});

test("amount all withdraws everything while the balance changes concurrently", async () => {
  const person = await t.person({ pUSDT: 100n * unit });
  const wallet = await t.ledger.account(person, "wallet", "pUSDT");
  const house = await t.ledger.account("house", "contracts", "pUSDT");
  const spending = Array.from({ length: 30 }, () =>
    t.ledger.post(createJournal(createMoveLegs(wallet, house, unit))),
  );
  const [placement, ...postings] = await Promise.all([t.place(person), ...spending]);
  const before = postings.filter(({ outcome }) => outcome === "posted").length;
  expect(BigInt(before) * unit + BigInt(placement.amount) * unit).toBe(100n * unit);
  expect(await t.balance(person)).toMatchObject({ available: 0n });
});

test("amount all includes a posting that committed first", async () => {
  const person = await t.person({ pUSDT: 100n * unit });
  const wallet = await t.ledger.account(person, "wallet", "pUSDT");
  const house = await t.ledger.account("house", "contracts", "pUSDT");
  let pendingPlacement: ReturnType<typeof t.place> | null = null;
  await t.ctx.database.db.transaction().execute(async (tx) => {
    await t.ledger.postIn(
      tx,
      [createJournal(createMoveLegs(house, wallet, 7n * unit))],
      t.ctx.clock.nowMs(),
    );
    pendingPlacement = outsideTransaction(() => t.place(person));
    await untilBlocked(tx);
  });
  expect(await pendingPlacement!).toMatchObject({ amount: "107" });
  expect(await t.balance(person)).toEqual({ available: 0n, held: 107n * unit });
});

test("lists are newest first in stable pages, by attempt and coin", async () => {
  const person = await t.person({ pUSDT: 1_000n * unit, pETH: 10n ** 10n });
  const amounts = ["20", "21", "22", "23", "24"];
  for (const amount of amounts) await t.place(person, { amount });
  await t.place(person, { coin: "pETH" });
  const listPage = (filter: object) =>
    t.withdraw.list(person.userId, {
      attemptId: person.attemptId,
      page: 1,
      page_size: 2,
      ...filter,
    });
  const first = await listPage({ coin: "pUSDT" });
  await t.place(person, { amount: "99" });
  const second = await listPage({ coin: "pUSDT", page: 2, before: first.before! });
  const third = await listPage({ coin: "pUSDT", page: 3, before: first.before! });
  const listedAmounts = [...first.items, ...second.items, ...third.items].map(
    ({ amount }) => amount,
  );
  expect(listedAmounts).toEqual(amounts.toReversed());
  expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false]);
  expect((await listPage({})).items[1]!.coin).toBe("pETH");
  expect((await listPage({ attemptId: randomUUID() })).items).toEqual([]);
  expect(await catchErrorName(listPage({ before: "x" }))).toBe("request.malformed");
});
