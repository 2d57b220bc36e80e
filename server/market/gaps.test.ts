import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { createFeed, type Feed } from "#server/market/feed.ts";
import { splitGap } from "#server/market/gaps.ts";
import { createMarket, type Market } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

test.each<[string, number | null, ReturnType<typeof splitGap>]>([
  ["no feed runs", null, [{ fromMs: 1_000, toMs: 9_000, cause: "downtime" }]],
  ["the feed began after it", 20_500, [{ fromMs: 1_000, toMs: 9_000, cause: "downtime" }]],
  ["the feed ran all the time", 0, [{ fromMs: 1_000, toMs: 9_000, cause: "overload" }]],
  [
    "the feed began within it",
    4_001,
    [
      { fromMs: 1_000, toMs: 5_000, cause: "downtime" },
      { fromMs: 5_000, toMs: 9_000, cause: "overload" },
    ],
  ],
])("the cause of missing seconds when %s", (_title, runningMs, gaps) => {
  expect(splitGap(1_000, 9_000, runningMs)).toEqual(gaps);
});

describe("seconds that were not closed", () => {
  let ctx: TestContext;
  let feed: Feed;
  let market: Market;
  let aborter: AbortController;
  let running: Promise<void> | null;
  beforeEach(async () => {
    ctx = await createTestContext();
    const transparencyLog = createTransparencyLog(ctx);
    const source = createSimulatedSource(ctx, transparencyLog);
    feed = createFeed(ctx, { source, transparencyLog, contributions: { onSecond: [] } });
    await feed.prepare();
    market = await createMarket(ctx);
    running = null;
  });
  afterEach(async () => {
    await stop();
    await ctx.destroy();
  });

  const start = () => {
    aborter = new AbortController();
    running = feed.run(aborter.signal);
  };
  const stop = async () => {
    aborter?.abort();
    await running?.catch(() => {});
    running = null;
  };
  /** Lets both clocks pass, and waits until a running feed has closed the last second. */
  const pass = async (seconds: number) => {
    ctx.realClock.advanceMs(seconds * 1_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + seconds * 1_000);
    if (!running) return;
    while ((market.latest()?.secondMs ?? 0) < ctx.clock.nowMs()) await sleep(5);
  };
  const gaps = async () => {
    const { rows } = await sql<{ seconds: bigint; cause: string }>`
      select (to_ms - from_ms) / 1000 as seconds, cause from market_gap order by from_ms`.execute(
      ctx.database.db,
    );
    return rows.map(({ seconds, cause }) => [cause, Number(seconds)]);
  };

  test("missing seconds are overload while the feed runs and downtime otherwise", async () => {
    start();
    await pass(5);
    await pass(10);
    expect(await gaps()).toEqual([]);
    await pass(40); // the loop was delayed
    expect(await gaps()).toEqual([["overload", 29]]);
    await stop();
    await pass(100);
    start();
    await pass(1);
    expect(await gaps()).toEqual([
      ["overload", 29],
      ["downtime", 90],
    ]);
    const { day, month, toMs } = (await market.seconds())!;
    const expected = { closed: 15 + 11 + 11, overload: 29, downtime: 90 };
    expect([toMs, day, month]).toEqual([ctx.clock.nowMs(), expected, expected]);
  });

  test("missing seconds count as overload when closing them fails", async () => {
    start();
    await pass(2);
    await sql`alter table market_second rename to hidden`.execute(ctx.owner.db);
    ctx.realClock.advanceMs(1_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 1_000);
    await expect(running).rejects.toThrow("market_second");
    await sql`alter table hidden rename to market_second`.execute(ctx.owner.db);
    ctx.realClock.advanceMs(30_000);
    ctx.clock.advanceTo(ctx.clock.nowMs() + 30_000);
    running = feed.run(aborter.signal); // as the job engine does
    await pass(1);
    expect(await gaps()).toEqual([["overload", 21]]);
  });

  test("missing seconds count as downtime when the machine sleeps", async () => {
    start();
    await pass(2);
    ctx.realClock.steppedAtMs = () => ctx.realClock.nowMs();
    await pass(60);
    expect(await gaps()).toEqual([["downtime", 49]]);
  });

  test("missing seconds leave the day's and the month's count by world time", async () => {
    start();
    await pass(2);
    await pass(30);
    await stop();
    await pass(dayMs / 1_000);
    start();
    await pass(1);
    const { day, month } = (await market.seconds())!;
    const daySeconds = dayMs / 1_000;
    expect(day).toEqual({ closed: 11, overload: 0, downtime: daySeconds - 11 });
    expect([month.closed, month.overload]).toEqual([2 + 11 + 11, 19]);
  });
});
