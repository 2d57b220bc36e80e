import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { computeIndexValue } from "#core/market/indexValue.ts";
import { intervalNames, intervals } from "#core/market/intervals.ts";
import { aggregateKlines, buildKlines } from "#core/market/kline.ts";
import { type LoggedSecond, replayDay } from "#core/market/simulate/replayDay.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { decodeSeed, type SeedLeaf } from "#core/transparency-log/seedLeaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { type BeforeAppend, createFeed, type Feed } from "#server/market/feed.ts";
import { createMarket, type Market } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { readSeconds, toTicks } from "#server/market/store.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

interface Bench {
  ctx: TestContext;
  transparencyLog: TransparencyLog;
  feed: Feed;
  market: Market;
  /** Advances the clock by whole seconds, closing each on time. */
  run(seconds: number): Promise<void>;
}

async function createBench(startMs: number, closer?: BeforeAppend): Promise<Bench> {
  const ctx = await createTestContext({ startMs });
  const transparencyLog = createTransparencyLog(ctx);
  const source = createSimulatedSource(ctx, transparencyLog);
  const feed = createFeed(ctx, {
    source,
    transparencyLog,
    contributions: { onSecond: closer ? [{ beforeAppend: closer }] : [] },
  });
  await feed.prepare();
  const market = await createMarket(ctx);
  return { ctx, transparencyLog, feed, market, run: (seconds) => drive(ctx, feed, seconds) };
}

async function drive(ctx: TestContext, feed: Feed, seconds: number): Promise<void> {
  for (let remaining = seconds; remaining > 0; remaining -= 8) {
    ctx.clock.advanceTo(ctx.clock.nowMs() + Math.min(remaining, 8) * 1_000);
    await feed.tick();
  }
}

/** The feed of a process restarted on the same database. */
function restart({ ctx, transparencyLog }: Bench): Feed {
  const source = createSimulatedSource(ctx, transparencyLog);
  return createFeed(ctx, { source, transparencyLog, contributions: { onSecond: [] } });
}

async function secondLeaves({
  ctx,
  transparencyLog,
}: Bench): Promise<{ leaf: number; second: LoggedSecond; root: Uint8Array }[]> {
  const tag = worldTag(ctx.world.name);
  return (await transparencyLog.leaves(0, await transparencyLog.count())).flatMap(
    ({ leaf, bytes }) => {
      if (readLeafKind(bytes) !== "second") return [];
      const second = decodeSecond(bytes, tag);
      if (!second.ok) throw new Error(second.error);
      return [{ leaf, second: second.value, root: second.value.ordersRoot }];
    },
  );
}

async function seeds({ ctx, transparencyLog }: Bench): Promise<{ leaf: number; seed: SeedLeaf }[]> {
  const tag = worldTag(ctx.world.name);
  return (await transparencyLog.leaves(0, await transparencyLog.count())).flatMap(
    ({ leaf, bytes }) => {
      if (readLeafKind(bytes) !== "seed") return [];
      const seed = decodeSeed(bytes, tag);
      if (!seed.ok) throw new Error(seed.error);
      return [{ leaf, seed: seed.value }];
    },
  );
}

async function worldLeaf({ transparencyLog }: Bench): Promise<WorldLeaf> {
  const [first] = await transparencyLog.leaves(0, 1);
  const world = decodeWorld(first!.bytes);
  if (!world.ok) throw new Error(world.error);
  return world.value;
}

const noonMs = Date.UTC(2026, 0, 5, 12, 0, 30);

describe("the start of a world", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench(noonMs);
  });
  afterAll(() => bench.ctx.destroy());

  test("the world leaf is the log's first and lists venues and symbols", async () => {
    const [first] = await bench.transparencyLog.leaves(0, 1);
    const world = decodeWorld(first!.bytes);
    expect(world.ok && world.value.symbols.map(({ name }) => name)).toEqual(symbolNames);
    expect(world.ok && world.value.venues).toEqual(["north", "south", "mole"]);
  });

  test("the first day's seed is committed before the first second", async () => {
    const seedLeaves = await seeds(bench);
    expect(seedLeaves.map(({ leaf, seed }) => [leaf, seed.action, seed.dayMs])).toEqual([
      [1, "begin", noonMs + 1_000],
    ]);
    const { rows } = await bench.ctx.owner.pool.query("select anchor from market_seed_chain");
    expect((await worldLeaf(bench)).seedAnchor).toEqual(new Uint8Array(rows[0].anchor));
  });

  test("preparing again is a no-op", async () => {
    const before = await bench.transparencyLog.count();
    await restart(bench).prepare();
    expect(await bench.transparencyLog.count()).toBe(before);
  });

  test.each(
    intervalNames,
  )("the %s chart starts with simulated history, flagged as such", async (interval) => {
    const countMin = interval === "1w" ? 100 : 500;
    for (const symbol of symbolNames) {
      const { items, hasMore } = await bench.market.klines(symbol, interval, null, countMin);
      expect(items).toHaveLength(countMin);
      expect(hasMore).toBe(true);
      expect(items.every((kline) => kline.beforeStart)).toBe(true);
      const steps = items.slice(1).map((kline, i) => kline.openMs - items[i]!.openMs);
      expect(new Set(steps)).toEqual(new Set([intervals[interval]]));
      expect(items.at(-1)!.openMs + intervals[interval]).toBeGreaterThan(noonMs);
    }
  });

  test("history ends at the path's first price", async () => {
    const { items } = await bench.market.klines("BTC/USDT", "1m", null, 1);
    await bench.run(1);
    const index = bench.market.latest()!.index["BTC/USDT"]!;
    const relativeMove = Number(index - items[0]!.close) / Number(index);
    expect(Math.abs(relativeMove)).toBeLessThan(0.003);
  });

  test("a page of 500 klines reads the primary key's index", async () => {
    await bench.ctx.owner.pool.query("analyze kline");
    for (const interval of intervalNames) {
      const { rows } = await sql<{ "QUERY PLAN": string }>`explain select * from kline
        where symbol = 'BTC/USDT' and interval = ${sql.lit(interval)} and open_ms < 9e15::bigint
        order by open_ms desc limit 501`.execute(bench.ctx.database.db);
      expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
        /Index Scan Backward using kline_pkey/,
      );
    }
  });
});

describe("seconds", () => {
  let bench: Bench;
  const orders = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const notified: number[] = [];
  let failing = false;
  beforeAll(async () => {
    bench = await createBench(noonMs, async (_tx, seconds) => {
      if (failing) throw new Error("a closer failed");
      const hit = seconds.find(({ secondMs }) => secondMs === noonMs + 5_000);
      return new Map(hit ? [[hit.secondMs, orders]] : []);
    });
    bench.ctx.bus.subscribe("second.closed", ({ secondMs }) => notified.push(secondMs));
    await bench.run(150);
  });
  afterAll(() => bench.ctx.destroy());

  test("each due second is closed once, notified once and stored under its leaf", async () => {
    const storedSeconds = await readSeconds(bench.ctx.database.db, 0);
    const expected = Array.from({ length: 150 }, (_, i) => noonMs + (i + 1) * 1_000);
    expect(storedSeconds.map(({ secondMs }) => secondMs)).toEqual(expected);
    expect(notified).toEqual(expected);
    const leaves = await secondLeaves(bench);
    expect(leaves.map(({ leaf, second }) => [leaf, second.secondMs, second.index])).toEqual(
      storedSeconds.map(({ leaf, secondMs, index }) => [leaf, secondMs, index]),
    );
  });

  test("the index in a leaf follows from the quotes in that leaf", async () => {
    for (const { second } of await secondLeaves(bench)) {
      const recomputed = symbolNames.map((_, s) =>
        computeIndexValue(second.quotes.map((row) => row[s] ?? null)),
      );
      expect(second.index).toEqual(recomputed);
    }
  });

  test("a leaf binds the orders from onSecond hooks in their order", async () => {
    const leaves = await secondLeaves(bench);
    for (const { second, root } of leaves) {
      const bound = second.secondMs === noonMs + 5_000 ? orders : [];
      expect(root).toEqual(treeRoot(bound.map(leafHash)));
    }
  });

  test.each(
    intervalNames,
  )("klines of %s equal a recomputation from the seconds", async (interval) => {
    const storedSeconds = await readSeconds(bench.ctx.database.db, 0);
    for (const [s, symbol] of symbolNames.entries()) {
      const { items } = await bench.market.klines(symbol, interval, null, 10);
      const liveKlines = items.filter((kline) => !kline.beforeStart);
      const recomputed = buildKlines(interval, toTicks(storedSeconds, s)).filter(
        ({ openMs }) => openMs > noonMs,
      );
      expect(liveKlines).toEqual(recomputed.map((kline) => ({ ...kline, beforeStart: false })));
    }
    const minutes = await bench.market.klines("BTC/USDT", "1m", null, 500);
    const longer = await bench.market.klines("BTC/USDT", interval, null, 2);
    if (interval !== "1d" && interval !== "1w" && interval !== "4h") {
      const last = longer.items.at(-1)!;
      const minutesInLast = minutes.items.filter(({ openMs }) => openMs >= last.openMs);
      expect(aggregateKlines(interval, minutesInLast).at(-1)).toMatchObject({
        close: last.close,
        volume: last.volume,
      });
    }
  });

  test("openKlines matches the newest stored kline", async () => {
    const open = await bench.market.openKlines();
    const { items } = await bench.market.klines("ETH/USDT", "1m", null, 1);
    expect(open.get("ETH/USDT")).toMatchObject({
      openMs: items[0]!.openMs,
      close: items[0]!.close,
    });
  });

  test("index values cover the range inclusively and skip gaps", async () => {
    const values = await bench.market.indexValues(
      bench.ctx.database.db,
      "BTC/USDT",
      noonMs + 10_000,
      noonMs + 14_000,
    );
    const storedSeconds = await readSeconds(bench.ctx.database.db, noonMs + 10_000);
    expect(values).toEqual(
      storedSeconds.slice(0, 5).map(({ secondMs, index }) => ({ secondMs, value: index[0] })),
    );
  });

  test("24 h statistics have a change, a range and a sparkline up to the price", async () => {
    const stats = await bench.market.stats24h("SOL/USDT");
    const price = bench.market.latest()!.index["SOL/USDT"]!;
    expect(stats.spark).toHaveLength(49);
    expect(stats.spark.at(-1)).toBe(price);
    expect(stats.high! >= price && stats.low! <= price).toBe(true);
    expect(stats.changeBp).not.toBeNull();
  });

  test("a failed closing leaves no changes, and its seconds are closed later", async () => {
    const count = await bench.transparencyLog.count();
    failing = true;
    bench.ctx.clock.advanceTo(bench.ctx.clock.nowMs() + 3_000);
    await expect(bench.feed.tick()).rejects.toThrow("a closer failed");
    expect(await bench.transparencyLog.count()).toBe(count);
    failing = false;
    expect(await bench.feed.tick()).toBe(3);
    expect(await bench.transparencyLog.count()).toBe(count + 3);
  });
});

describe("restarts and gaps", () => {
  test("a new process continues the path, and a pause over ten seconds leaves a gap", async () => {
    const bench = await createBench(Date.UTC(2026, 0, 5, 23, 57, 0));
    await bench.run(65);
    const second = restart(bench);
    await drive(bench.ctx, second, 5);
    bench.ctx.clock.advanceTo(bench.ctx.clock.nowMs() + 30_000);
    expect(await second.tick()).toBe(11);
    const storedSeconds = await readSeconds(bench.ctx.database.db, 0);
    const steps = storedSeconds
      .slice(1)
      .map(({ secondMs }, i) => secondMs - storedSeconds[i]!.secondMs);
    expect(steps.filter((step) => step !== 1_000)).toEqual([20_000]);

    await drive(bench.ctx, restart(bench), 120);
    const seedLeaves = await seeds(bench);
    expect(seedLeaves.map(({ seed }) => seed.action)).toEqual(["begin", "reveal", "begin"]);
    const beginLeaf = seedLeaves[0]!.seed;
    const reveal = seedLeaves[1]!.seed;
    if (beginLeaf.action !== "begin" || reveal.action !== "reveal") throw new Error("other leaves");

    // From here on uses the log alone.
    const midnightMs = Date.UTC(2026, 0, 6);
    const loggedSeconds = (await secondLeaves(bench)).map((secondLeaf) => secondLeaf.second);
    const day = loggedSeconds.filter(({ secondMs }) => secondMs < midnightMs);
    expect(seedLeaves[1]!.leaf).toBe(
      (await secondLeaves(bench)).find((secondLeaf) => secondLeaf.second.secondMs === midnightMs)!
        .leaf - 2,
    );
    const evidence = { ...reveal, source: beginLeaf.source };
    const world = await worldLeaf(bench);
    const outcome = replayDay(world, evidence, day);
    expect(outcome).toMatchObject({ ok: true, seconds: day.length });
    const next = await bench.ctx.owner.pool.query(
      "select start_state from market_day where start_ms = $1",
      [midnightMs],
    );
    expect(outcome.ok && Buffer.from(outcome.endState).equals(next.rows[0].start_state)).toBe(true);

    const [alteredSecond, ...rest] = day;
    const quotes = alteredSecond!.quotes.map((row) =>
      row.map((quote) => quote && { ...quote, ask: quote.ask + 1n }),
    );
    expect(replayDay(world, evidence, [{ ...alteredSecond!, quotes }, ...rest])).toMatchObject({
      ok: false,
      error: "quotes_differ",
      secondMs: alteredSecond!.secondMs,
    });
    const index = alteredSecond!.index.map((value) => value && value + 1n);
    expect(replayDay(world, evidence, [{ ...alteredSecond!, index }, ...rest])).toMatchObject({
      ok: false,
      error: "index_differs",
    });
    await bench.ctx.destroy();
  });

  test("after days of downtime a new seed is committed before its first second", async () => {
    const bench = await createBench(noonMs);
    await bench.run(5);
    const beforePrice = bench.market.latest()!.index["BTC/USDT"]!;
    bench.ctx.clock.advanceTo(noonMs + 5 * dayMs);
    const restartedFeed = restart(bench);
    expect(await restartedFeed.tick()).toBe(11);
    const seedLeaves = await seeds(bench);
    const actions = seedLeaves.map(({ seed }) => [
      seed.action,
      new Date(seed.dayMs).toISOString().slice(0, 13),
    ]);
    expect(actions).toEqual([
      ["begin", "2026-01-05T12"],
      ["reveal", "2026-01-05T12"],
      ["begin", "2026-01-10T12"],
    ]);
    const price = bench.market.latest()!.index["BTC/USDT"]!;
    expect(price).not.toBe(beforePrice);
    expect(Math.abs(Number(price - beforePrice)) / Number(beforePrice)).toBeLessThan(0.5);
    await bench.ctx.destroy();
  });

  test("two concurrent feeds never close a second twice", async () => {
    const bench = await createBench(noonMs);
    const rival = restart(bench);
    for (let i = 0; i < 10; i += 1) {
      bench.ctx.clock.advanceTo(bench.ctx.clock.nowMs() + 1_000);
      await Promise.allSettled([bench.feed.tick(), rival.tick()]);
    }
    const storedSeconds = await readSeconds(bench.ctx.database.db, 0);
    const leaves = await secondLeaves(bench);
    expect(storedSeconds).toHaveLength(10);
    expect(leaves.map(({ leaf }) => leaf)).toEqual(storedSeconds.map(({ leaf }) => leaf));
    // A feed that lost the race reads the world's state again and continues.
    for (const feed of [bench.feed, rival]) {
      bench.ctx.clock.advanceTo(bench.ctx.clock.nowMs() + 1_000);
      expect(await feed.tick().catch(() => feed.tick())).toBe(1);
    }
    await bench.ctx.destroy();
  });
});

test("a feed that never catches up ends when stopped", async () => {
  const stopping = new AbortController();
  let batches = 0;
  const bench = await createBench(noonMs, async () => {
    batches += 1;
    if (batches === 3) stopping.abort();
    if (batches > 10) throw new Error("it goes on");
    // Closing takes longer than a second of this world lasts.
    bench.ctx.clock.advanceTo(bench.ctx.clock.nowMs() + 1_000);
    return new Map();
  });
  bench.ctx.clock.advanceTo(noonMs + 1_000);
  await bench.feed.run(stopping.signal);
  expect(batches).toBe(3);
  expect(await readSeconds(bench.ctx.database.db, 0)).toHaveLength(3);
  await bench.ctx.destroy();
});
