import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { intervalNames } from "#core/market/intervals.ts";
import { replayDay } from "#core/market/simulate/replayDay.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { decodeSeed } from "#core/transparency-log/seedLeaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { createFeed, type Feed } from "#server/market/feed.ts";
import { createMarket, type Market } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { listVenues, openWorld, simulatedListing } from "#server/platform/world.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";
import {
  createTransparencyLog,
  type TransparencyLog,
} from "#server/transparency-log/transparencyLog.ts";

/** The registry before DOGE/USDT, and with it the asset DOGE, was inserted in its middle. */
const before = symbolNames.filter((name) => name !== "DOGE/USDT");
const startMs = Date.UTC(2026, 0, 5, 23, 57, 30);
const midnightMs = Date.UTC(2026, 0, 6);
/** The same in every run; none of its seconds is a gap. */
const newSecret = () => new Uint8Array(32).fill(7);

async function drive(ctx: TestContext, feed: Feed, seconds: number): Promise<void> {
  for (let remaining = seconds; remaining > 0; remaining -= 8) {
    ctx.clock.advanceTo(ctx.clock.nowMs() + Math.min(remaining, 8) * 1_000);
    await feed.tick();
  }
}

async function readWorld(transparencyLog: TransparencyLog): Promise<WorldLeaf> {
  const [first] = await transparencyLog.leaves(0, 1);
  const world = decodeWorld(first!.bytes);
  if (!world.ok) throw new Error(world.error);
  return world.value;
}

async function readSecondLeaves(
  transparencyLog: TransparencyLog,
  world: WorldLeaf,
): Promise<SecondLeaf[]> {
  return (await transparencyLog.leaves(0, await transparencyLog.count())).flatMap(({ bytes }) => {
    if (readLeafKind(bytes) !== "second") return [];
    const second = decodeSecond(bytes, worldTag(world.world));
    if (!second.ok) throw new Error(second.error);
    return [second.value];
  });
}

describe("a simulated world whose registry has since gained a symbol", () => {
  let ctx: TestContext;
  let transparencyLog: TransparencyLog;
  let market: Market;
  let leafAtStart: WorldLeaf;
  const secondsBefore = 100;
  const secondsAfter = 90;

  beforeAll(async () => {
    ctx = await createTestContext({ startMs, symbols: before });
    transparencyLog = createTransparencyLog(ctx);
    const first = createFeed(ctx, {
      source: createSimulatedSource(ctx, transparencyLog, newSecret),
      transparencyLog,
      contributions: { onSecond: [] },
    });
    await first.prepare();
    await drive(ctx, first, secondsBefore);
    leafAtStart = await readWorld(transparencyLog);
    // A later version starts and opens the world with its own, longer registry.
    const { world } = await openWorld(
      inject("postgres").ownerUrl,
      { ...ctx.config, worldStartMs: startMs },
      ctx.realClock,
      ctx.world.schema,
      null,
      simulatedListing,
    );
    ctx = { ...ctx, world };
    transparencyLog = createTransparencyLog(ctx);
    const laterFeed = createFeed(ctx, {
      source: createSimulatedSource(ctx, transparencyLog, newSecret),
      transparencyLog,
      contributions: { onSecond: [] },
    });
    await laterFeed.prepare();
    market = await createMarket(ctx);
    await drive(ctx, laterFeed, secondsAfter);
  });
  afterAll(() => ctx.destroy());

  test("the world keeps its original symbols and venues", () => {
    expect(symbolNames.length).toBe(before.length + 1);
    expect(ctx.world.symbols).toEqual(before);
    expect(listVenues(ctx.world, "BTC/USDT")).toEqual(["north", "south", "mole"]);
    expect(listVenues(ctx.world, "DOGE/USDT")).toEqual([]);
  });

  test("the world resumes from its state and closes seconds with its own columns", async () => {
    const result = await ctx.owner.pool.query<{ state_ms: string }>(
      "select state_ms from market_day where state_ms < $1",
      [startMs + secondsBefore * 1_000],
    );
    expect(result.rowCount).toBe(1);
    const seconds = await readSecondLeaves(transparencyLog, leafAtStart);
    expect(seconds).toHaveLength(secondsBefore + secondsAfter);
    expect(new Set(seconds.map(({ index }) => index.length))).toEqual(new Set([before.length]));
    const rows = await ctx.owner.pool.query("select index, volume from market_second");
    for (const { index, volume } of rows.rows) {
      expect([index.length, volume.length]).toEqual([before.length, before.length]);
    }
  });

  test("the world leaf is unchanged, and the log proves the day's path", async () => {
    const world = await readWorld(transparencyLog);
    expect(world).toEqual(leafAtStart);
    expect([world.simulator, world.symbols.map(({ name }) => name)]).toEqual([1, before]);
    const seeds = (await transparencyLog.leaves(0, await transparencyLog.count())).flatMap(
      ({ bytes }) => {
        const seed = decodeSeed(bytes, worldTag(world.world));
        return seed.ok ? [seed.value] : [];
      },
    );
    const [beginLeaf, reveal] = [seeds[0]!, seeds.find(({ action }) => action === "reveal")!];
    if (beginLeaf.action !== "begin" || reveal.action !== "reveal") throw new Error("other leaves");
    const allSeconds = await readSecondLeaves(transparencyLog, world);
    const day = allSeconds.filter(({ secondMs }) => secondMs < midnightMs);
    expect(day.length).toBeGreaterThan(secondsBefore);
    expect(allSeconds.length).toBeGreaterThan(day.length);
    const evidence = { ...reveal, source: beginLeaf.source };
    expect(replayDay(world, evidence, day)).toMatchObject({ ok: true, seconds: day.length });
    const grownListing = simulatedListing.map((symbol) => ({ ...symbol }));
    const otherReplay = replayDay({ ...world, symbols: grownListing }, evidence, day);
    expect(otherReplay).toEqual({ ok: false, error: "state_malformed" });
  });

  test("prices, klines and statistics cover the world's own symbols only", async () => {
    const { index } = market.latest()!;
    const last = (await readSecondLeaves(transparencyLog, leafAtStart)).at(-1)!;
    expect(before.map((name) => index[name])).toEqual(last.index);
    expect(index["DOGE/USDT"]).toBeNull();
    const open = await market.openKlines();
    expect([...open.keys()]).toEqual(before);
    for (const symbol of before) {
      const value = last.index[before.indexOf(symbol)]!;
      expect(open.get(symbol)!.close).toBe(value);
      expect((await market.stats24h(symbol)).spark.at(-1)).toBe(value);
      for (const interval of intervalNames) {
        const { items } = await market.klines(symbol, interval, null, 100);
        expect(items).toHaveLength(100);
        expect(items.at(-1)!.close).toBe(value);
      }
    }
    expect((await market.klines("DOGE/USDT", "1m", null, 100)).items).toEqual([]);
    const { db } = ctx.database;
    const toMs = ctx.clock.nowMs();
    expect(await market.indexValues(db, "DOGE/USDT", startMs, toMs)).toEqual([]);
    expect(await market.indexValues(db, "USDC/USD", startMs, toMs)).toHaveLength(
      secondsBefore + secondsAfter,
    );
  });
});

test("a new world has the added symbol in its leaf and its seconds", async () => {
  const ctx = await createTestContext({ startMs });
  const transparencyLog = createTransparencyLog(ctx);
  const feed = createFeed(ctx, {
    source: createSimulatedSource(ctx, transparencyLog, newSecret),
    transparencyLog,
    contributions: { onSecond: [] },
  });
  await feed.prepare();
  await drive(ctx, feed, 3);
  const world = await readWorld(transparencyLog);
  expect(world.symbols.map(({ name }) => name)).toEqual(symbolNames);
  const seconds = await readSecondLeaves(transparencyLog, world);
  const column = symbolNames.indexOf("DOGE/USDT");
  expect(seconds.map(({ index }) => typeof index[column])).toEqual(["bigint", "bigint", "bigint"]);
  const market = await createMarket(ctx);
  expect((await market.klines("DOGE/USDT", "1h", null, 100)).items).toHaveLength(100);
  await ctx.destroy();
});
