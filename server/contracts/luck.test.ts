import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getLuck } from "#api/contracts.ts";
import { minuteMs } from "#core/money/time.ts";
import { readOrderCosts } from "#server/contracts/costs.ts";
import { readSettledOrders } from "#server/contracts/settledEvents.ts";
import { createRecording, recordedMs, silence, toMs } from "#server/market/replay/testing.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let person: Person;
beforeAll(async () => {
  // BTC/USDT rises by 1 a minute.
  t = await createTestContracts({ recording: await createRecording(silence), startMs: recordedMs });
  await t.tickTo(toMs(2));
  person = await t.openPerson();
  const { db } = t.ctx.database;
  await sql`insert into user_account (user_id, created_at_ms) values (${person.userId}, 0)`.execute(
    db,
  );
  await sql`insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
    values (${person.attemptId}, ${person.userId}, 1, 0, 0)`.execute(db);
});
afterAll(() => t.destroy());

test("luck figures are zero for a person without orders", async () => {
  const luck = await t.contracts.luck(person);
  expect(luck).toEqual({ decided: 0, won: 0, tied: 0, net: "0", expected: "0", ahead: [] });
});

test("luck, costs and inbox agree on the same settled orders", async () => {
  const ids: string[] = [];
  for (const direction of ["up", "up", "down"] as const) {
    ids.push((await place(t, person, { tierSeconds: 60, direction })).orderId);
    await t.tickTo(t.ctx.clock.nowMs() + 2_000);
  }
  await t.tickTo(t.ctx.clock.nowMs() + 2 * minuteMs);
  await t.contracts.settleDue();
  const orders = await Promise.all(ids.map((id) => t.contracts.order(person.userId, id)));
  const net = orders.reduce((sum, { net }) => sum + Number(net), 0);
  expect(orders.map(({ outcome }) => outcome)).toEqual(["won", "won", "lost"]);
  const decidedOrders = orders.filter(({ outcome }) => outcome === "won" || outcome === "lost");
  const luck = await t.contracts.luck(person);
  getLuck.answer.parse(luck);
  expect(luck).toMatchObject({ decided: decidedOrders.length, tied: 3 - decidedOrders.length });
  expect(Number(luck.net)).toBeCloseTo(net, 6);
  // Each decided order of 100 at 90 % and 1 % costs 6 on average, a tie its fee of 1.
  expect(Number(luck.expected)).toBeCloseTo(-6 * decidedOrders.length - luck.tied, 6);
  expect(luck.ahead.map(({ orders: count }) => count)).toEqual([decidedOrders.length, 100, 1_000]);
  const costs = await readOrderCosts(t.ctx.database.db, person.attemptId);
  expect(costs).toEqual({ fees: 3_000_000n, spread: 5_000_000n * BigInt(decidedOrders.length) });
  const page = { before: null, after: null, limit: 10 };
  const events = await readSettledOrders(t.ctx.database.db)(person, page);
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const [newest, ...older] = events;
  expect(newest).toMatchObject({ type: "contract.settled", facts: { symbol: "BTC/USDT" } });
  const rest = await readSettledOrders(t.ctx.database.db)(person, { ...page, before: newest! });
  expect(rest).toEqual(older);
});
