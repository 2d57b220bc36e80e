import { afterAll, beforeAll, expect, test } from "vitest";
import { getOrderResults } from "#api/contracts.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let person: Person;
const minor = (text: string) => toMinorUnits(text, 6);

async function results(span: { from_ms?: number; to_ms?: number } = {}, offset = 0) {
  const answer = await t.contracts.results(person, { ...span, offset_minutes: offset });
  return getOrderResults.answer.parse(answer);
}

/** Ten orders that win, then two that lose, and one on another tier. */
beforeAll(async () => {
  t = await createTestContracts();
  person = await t.openPerson();
  t.script((ms) => 2_000_000n + BigInt((ms - t.at(0)) / 1_000));
  await t.tickTo(t.at(5));
  for (let count = 0; count < 10; count += 1) {
    await t.tickTo(t.ctx.clock.nowMs() + 1_000);
    await place(t, person, { tierSeconds: 300 });
  }
  await place(t, person, { direction: "down", tierSeconds: 900, stake: "200" });
  await t.tickTo(t.at(100));
  await place(t, person, { direction: "down", tierSeconds: 900 });
  await place(t, await t.openPerson());
  await t.tickTo(t.at(400));
  await t.contracts.settleDue();
  await t.tickTo(t.at(1_100));
  await t.contracts.settleDue();
});
afterAll(() => t.destroy());

test("orders are summed by market and tier, and the total is their sum", async () => {
  const { total, groups } = await results();
  expect(groups.map((group) => [group.symbol, group.tier_seconds, group.won, group.lost])).toEqual([
    ["BTC/USDT", 300, 10, 0],
    ["BTC/USDT", 900, 0, 2],
  ]);
  expect(total).toMatchObject({ orders: 12, won: 10, lost: 2, fees: "13", break_even_bp: 5_316 });
  // Ten times 89, less 202 and 101.
  expect(total.net).toBe("587");
  // Half the difference between 1 300 and profits of 90 %.
  expect(total.spread).toBe("65");
  // C(12, 10) + C(12, 11) + 1 of 4 096.
  expect(total.luck_bp).toBe(193);
});

test("the chart line ends at the total, with ascending times", async () => {
  const { line, total } = await results();
  expect(line.at(-1)![1]).toBe(total.net);
  expect(line.map(([ms]) => ms)).toEqual(line.map(([ms]) => ms).toSorted((a, b) => a - b));
});

test("each order counts in one hour, in the reader's time zone", async () => {
  const { hours, total } = await results();
  expect(hours.reduce((sum, { orders }) => sum + orders, 0)).toBe(total.orders);
  expect(hours.reduce((sum, { net }) => sum + minor(net), 0n)).toBe(minor(total.net));
  const dateAt = (offset: number) => new Date(t.at(5) + offset * 60_000);
  for (const offset of [0, -840, 330, 840]) {
    const [hour] = (await results({}, offset)).hours;
    const day = (dateAt(offset).getUTCDay() + 6) % 7;
    expect([hour!.weekday, hour!.hour]).toEqual([day, dateAt(offset).getUTCHours()]);
  }
});

test("a span includes orders settled at either end", async () => {
  const { line } = await results();
  const [first, last] = [line[0]![0], line.at(-1)![0]];
  expect((await results({ from_ms: first, to_ms: last })).total.orders).toBe(12);
  expect((await results({ from_ms: first + 1 })).total.orders).toBe(2);
  expect((await results({ to_ms: last - 1 })).total.orders).toBe(10);
  const before = await results({ to_ms: first - 1 });
  expect(before).toMatchObject({ groups: [], line: [], hours: [] });
  expect(before.total).toMatchObject({ orders: 0, break_even_bp: null, luck_bp: null });
});
