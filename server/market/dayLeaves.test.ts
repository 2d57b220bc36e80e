import { afterAll, beforeAll, expect, test } from "vitest";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { listNeededLeaves } from "#core/contracts/receiptSchema.ts";
import { dayMs, toRealDay } from "#core/money/time.ts";
import { decodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { countVoids } from "#server/contracts/settlement/voids.ts";
import { createDayLeaves } from "#server/market/dayLeaves.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";

const midnightMs = Date.UTC(2026, 0, 6);
/** Five minutes before the first day ends. */
const startMs = midnightMs - 300_000;
const firstDay = toRealDay(startMs);
let t: TestContracts;
let days: ReturnType<typeof createDayLeaves>;

beforeAll(async () => {
  t = await createTestContracts({ startMs });
  const { ctx, transparencyLog } = t;
  days = createDayLeaves(ctx, { transparencyLog, contributions: { voidsOfDay: [countVoids] } });
});
afterAll(() => t.destroy());

const atSecond = (ms: number) => Math.floor(t.ctx.clock.nowMs() / 1_000) * 1_000 + ms;

async function daysOfLog() {
  const entries = await t.transparencyLog.leaves(0, await t.transparencyLog.count());
  return entries.flatMap(({ bytes }) => {
    const day = decodeDay(bytes, worldTag(t.ctx.world.name));
    return day.ok ? [day.value] : [];
  });
}

/** Lets time pass without a running feed. */
function pause(ms: number): void {
  t.ctx.realClock.advanceMs(ms);
  t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + ms);
}

test("a finished day's leaf lists its gaps and void orders, and receipts refer to it", async () => {
  t.script(() => 2_312_345n);
  await t.tickTo(atSecond(3_400));
  const firstMs = (await t.market.firstSecondMs())!;
  const person = await t.openPerson();
  // Void for lack of samples: seven of its ten seconds.
  const { orderId } = await place(t, person, { direction: "up" });
  const deliveryMs = atSecond(2_000) + 60_000;
  t.script((ms) =>
    ms > deliveryMs - 3_000 && ms <= deliveryMs
      ? null
      : ms < deliveryMs - 20_000
        ? 2_312_345n
        : 2_312_400n,
  );
  await t.tickTo(deliveryMs + 5_000);
  const gapFromMs = t.ctx.clock.nowMs() + 1_000;
  pause(40_000);
  await t.tickTo(t.ctx.clock.nowMs() + 5_000);
  expect(await days.appendDays()).toBe(0);
  await t.tickTo(midnightMs - 1_000);
  expect(await days.appendDays()).toBe(0);
  await t.tickTo(midnightMs + 1_000);
  expect(await days.appendDays()).toBe(0); // an order of the day is not settled
  await t.contracts.settleDue();
  const before = await t.contracts.receipt(person.userId, orderId);
  expect([before.result.void_reason, before.day_leaf]).toEqual(["few_samples", null]);
  expect(await days.appendDays()).toBe(1);
  expect(await days.appendDays()).toBe(0);
  const [day] = await daysOfLog();
  expect(day).toEqual({
    day: firstDay,
    due: {
      from: (firstMs % dayMs) / 1_000,
      count: (midnightMs - firstMs) / 1_000,
    },
    voids: { noEntry: 0, fewSamples: 1 },
    before: null,
    // The feed came back after 45 seconds and could still close the last eleven of them.
    missing: [{ from: (gapFromMs % dayMs) / 1_000, count: 34 }],
  });

  await t.transparencyLog.integrate();
  const receipt = await t.contracts.receipt(person.userId, orderId);
  const leaves = new Map<number, Uint8Array>();
  for (const [from, to] of listNeededLeaves(receipt)) {
    const storedLeaves = await t.transparencyLog.leaves(from, to + 1);
    for (const [index, { bytes }] of storedLeaves.entries()) leaves.set(from + index, bytes);
  }
  const check = checkReceipt(receipt, await t.world(), leaves);
  expect(check.steps.filter(({ ok }) => !ok)).toEqual([]);
  expect([check.day?.day, check.bySamples]).toEqual([firstDay, "won"]);
  expect((await t.market.seconds())?.dayLeaf).toBe(receipt.day_leaf);
});

test("a day without a running feed has a leaf that refers to the previous one", async () => {
  await t.tickTo(midnightMs + 10_000);
  pause(2 * dayMs);
  await t.tickTo(t.ctx.clock.nowMs() + 5_000);
  expect(await days.appendDays()).toBe(2);
  const [first, second, third] = await daysOfLog();
  expect([second!.day, third!.day]).toEqual([firstDay + 1, firstDay + 2]);
  expect(third!.before! - second!.before!).toBeGreaterThan(0);
  expect(first!.before).toBeNull();
  expect(second!.missing).toEqual([{ from: 11, count: 86_389 }]);
  expect(third!.missing).toEqual([{ from: 0, count: 86_400 }]);
});
