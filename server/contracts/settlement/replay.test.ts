import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { listNeededLeaves } from "#core/contracts/receiptSchema.ts";
import { createRecording, recordedMs, silence, toMs } from "#server/market/replay/testing.ts";
import {
  catchErrorName,
  createTestContracts,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

// The recording of testing.ts: BTC/USDT is 20 004 + minute while both venues quote, and 20 009 +
// minute / 2 while east's last bar is fresh (minutes 10 to 15:00); it has no index from 15:01 to
// 19:59, and ends at 30:00. An order is bound a second after it was accepted, and entered a second
// later.
let t: TestContracts;
let person: Person;
const placedOrders = new Map<string, string>();
const stragglers: (string | null)[] = [];

async function placeAt(name: string, atMs: number, tierSeconds: number): Promise<void> {
  await t.tickTo(atMs);
  placedOrders.set(name, (await place(t, person, { tierSeconds })).orderId);
}

beforeAll(async () => {
  t = await createTestContracts({ recording: await createRecording(silence), startMs: recordedMs });
  person = await t.openPerson();
  await placeAt("47 of 60 samples after the gap", toMs(5, 44), 900);
  await placeAt("48 of 60 samples after the gap", toMs(5, 45), 900);
  await placeAt("before the gap", toMs(9, 30), 300);
  await placeAt("48 of 60 samples before the gap", toMs(10, 10), 300);
  await placeAt("47 of 60 samples before the gap", toMs(10, 11), 300);
  await placeAt("delivered inside the gap", toMs(11, 58), 300);
  await placeAt("accepted in the last second with a price", toMs(15), 60);
  await t.tickTo(toMs(15, 30));
  stragglers.push(await catchErrorName(place(t, person)));
  await placeAt("8 of 10 samples at the end", toMs(29), 60);
  await placeAt("7 of 10 samples at the end", toMs(29, 1), 60);
  await placeAt("delivered long after the end", toMs(29, 30), 86_400);
  await placeAt("accepted just before the end", toMs(29, 59) + 500, 60);
  stragglers.push(await catchErrorName(placeWhileItEnds()));
  stragglers.push(await catchErrorName(place(t, person)));
  await t.contracts.settleDue();
});
afterAll(() => t.destroy());

test("an order whose binding second was never closed is void", async () => {
  const otherContracts = await createTestContracts({
    recording: await createRecording(silence),
    startMs: toMs(29),
  });
  const owner = await otherContracts.openPerson();
  await otherContracts.tickTo(toMs(29, 58));
  const { orderId } = await place(otherContracts, owner);
  otherContracts.ctx.clock.advanceTo(toMs(90));
  await otherContracts.feed.tick();
  await otherContracts.contracts.settleDue();
  expect(await otherContracts.contracts.order(owner.userId, orderId)).toMatchObject({
    outcome: "void",
    void_reason: "no_entry",
    payout: "101",
  });
  await otherContracts.destroy();
});

/** Admitted before the recording ends, but takes the accept lock only after its end. */
async function placeWhileItEnds() {
  const account = t.ledger.account.bind(t.ledger);
  t.ledger.account = async (...who) => {
    t.ledger.account = account;
    await t.tickTo(toMs(40));
    return account(...who);
  };
  return place(t, person, { tierSeconds: 300 });
}

/** Recomputes a receipt from raw leaves, as a browser does. */
async function check(orderId: string) {
  const receipt = await t.contracts.receipt(person.userId, orderId);
  const leaves = new Map<number, Uint8Array>();
  for (const [from, to] of listNeededLeaves(receipt)) {
    for (const { leaf, bytes } of await t.transparencyLog.leaves(from, to + 1))
      leaves.set(leaf, bytes);
  }
  return checkReceipt(receipt, await t.world(), leaves);
}

describe("orders around a silent venue or the end of a recording settle by the rules", () => {
  test.each([
    ["before the gap", "won", null, "20013.00", "20015.79", "190"],
    ["48 of 60 samples before the gap", "won", null, "20014.00", "20016.00", "190"],
    ["47 of 60 samples before the gap", "void", "few_samples", "20014.00", null, "101"],
    ["delivered inside the gap", "void", "few_samples", "20015.00", null, "101"],
    ["47 of 60 samples after the gap", "void", "few_samples", "20009.00", null, "101"],
    ["48 of 60 samples after the gap", "won", null, "20009.00", "20024.00", "190"],
    ["accepted in the last second with a price", "void", "no_entry", null, null, "101"],
    ["8 of 10 samples at the end", "tie", null, "20033.00", "20033.00", "100"],
    ["7 of 10 samples at the end", "void", "few_samples", "20033.00", null, "101"],
    ["delivered long after the end", "void", "few_samples", "20033.00", null, "101"],
    ["accepted just before the end", "void", "no_entry", null, null, "101"],
  ])("%s: %s %s", async (name, outcome, reason, purchase, selling, payout) => {
    const order = await t.contracts.order(person.userId, placedOrders.get(name)!);
    expect(order).toMatchObject({
      status: "over",
      outcome,
      void_reason: reason,
      purchase_price: purchase,
      selling_price: selling,
      payout,
    });
    expect((await check(order.order_id)).steps.filter(({ ok }) => !ok)).toEqual([]);
  });

  test("the balance is the sum of three wins, one tie and refunds", async () => {
    expect(await t.balance(person)).toBe((10_000n + 3n * 89n - 1n) * 1_000_000n);
  });
});

test("orders are refused during the gap and at the end of the recording", () => {
  expect(stragglers).toEqual([
    "contracts.no_price",
    "contracts.recording_ended",
    "contracts.recording_ended",
  ]);
});
