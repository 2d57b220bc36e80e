import { afterAll, beforeAll, expect, test } from "vitest";
import { getWindowBounds } from "#core/contracts/settlementWindow.ts";
import { defaultTiers } from "#core/contracts/terms.ts";
import { readWindowLeaves } from "#server/contracts/settlement/windowLeaves.ts";
import { createTestContracts, type TestContracts } from "#server/testing/contracts.ts";

let t: TestContracts;
/** The market's own rows, complete in this test: the log must agree with them. */
let rows: { second_ms: number; leaf: number }[];

/** Ten minutes of seconds with gaps of one, 30 and 200 s, and other leaves among them. */
beforeAll(async () => {
  t = await createTestContracts();
  let publishedCount = 0;
  for (const [untilSecond, gap] of [
    [100, 1],
    [160, 30],
    [300, 200],
    [900, 0],
  ] as const) {
    await t.tickTo(t.at(untilSecond));
    for (const symbol of t.ctx.world.symbols) {
      publishedCount += 1;
      const tiers = defaultTiers.map((tier) => ({ ...tier, rateBp: tier.rateBp + publishedCount }));
      await t.contracts.publish(symbol, tiers);
    }
    const lateMs = gap === 0 ? 0 : (gap + 10) * 1_000;
    t.ctx.realClock.advanceMs(lateMs);
    t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + lateMs);
  }
  const result = await t.ctx.database.pool.query<{ second_ms: bigint; leaf: bigint }>(
    "select second_ms, leaf from market_second order by 1",
  );
  rows = result.rows.map((row) => ({ second_ms: Number(row.second_ms), leaf: Number(row.leaf) }));
});
afterAll(() => t.destroy());

test("the log has gaps and leaves of other kinds", async () => {
  const span = rows.at(-1)!.second_ms - rows[0]!.second_ms;
  expect(rows.length).toBeLessThan(span / 1_000 - 200);
  expect(rows.at(-1)!.leaf - rows[0]!.leaf).toBeGreaterThanOrEqual(rows.length + 30);
});

test.each([
  [60, 10],
  [300, 60],
  [600, 60],
])("windows of the %i s tier lie between the right leaves", async (tier, window) => {
  for (const { second_ms: entryMs, leaf } of rows) {
    const deliveryMs = entryMs + tier * 1_000;
    if (deliveryMs > rows.at(-1)!.second_ms || (leaf % 7 !== 0 && tier !== 60)) continue;
    const { fromMs, toMs } = getWindowBounds(deliveryMs, window);
    const windowLeaves = await readWindowLeaves(t.ctx.database.db, {
      entry_leaf: BigInt(leaf),
      entry_at_ms: BigInt(entryMs),
      delivery_at_ms: BigInt(deliveryMs),
      window_seconds: window,
    });
    expect(windowLeaves).toEqual([
      rows.findLast((row) => row.second_ms < fromMs)!.leaf,
      rows.find((row) => row.second_ms >= toMs)!.leaf,
    ]);
  }
});

test("an order without an entry has no window", async () => {
  const order = { entry_leaf: 5n, entry_at_ms: null, delivery_at_ms: null, window_seconds: 10 };
  expect(await readWindowLeaves(t.ctx.database.db, order)).toBeNull();
});
