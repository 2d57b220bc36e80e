import { afterEach, describe, expect, test } from "vitest";
import { intervalNames } from "#core/market/intervals.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { createEndingSeconds } from "#server/market/ending.ts";
import { createFeed } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import {
  createBarFile,
  createRecording,
  recordedMs,
  silence,
  toMs,
} from "#server/market/replay/testing.ts";
import { readAllKlines } from "#server/market/store.ts";
import { createTestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

const destroys: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const destroy of destroys.splice(0)) await destroy();
});

/** A world that replays `files` from `startMs` on. */
async function replay(files: Record<string, string>, startMs: number = recordedMs) {
  const recording = await createRecording(files);
  const ctx = await createTestContext({ recording, startMs });
  destroys.push(() => ctx.destroy());
  const transparencyLog = createTransparencyLog(ctx);
  const open = () =>
    createFeed(ctx, {
      source: createReplaySource(ctx, recording),
      transparencyLog,
      contributions: { onSecond: [] },
    });
  let feed = open();
  await feed.prepare();
  const market = await createMarket(ctx);
  const leaves = async () => {
    const tag = worldTag(ctx.world.name);
    const allLeaves = await transparencyLog.leaves(0, await transparencyLog.count());
    const seconds = new Map<number, SecondLeaf>();
    for (const { bytes } of allLeaves) {
      if (readLeafKind(bytes) !== "second") continue;
      const second = decodeSecond(bytes, tag);
      if (second.ok) seconds.set(second.value.secondMs, second.value);
    }
    return { world: decodeWorld(allLeaves[0]!.bytes), seconds };
  };
  return {
    ctx,
    recording,
    market,
    leaves,
    /** Closes every second up to `atMs` on time. */
    runTo: async (atMs: number) => {
      while (ctx.clock.uncappedMs() < atMs) {
        ctx.clock.advanceTo(Math.min(atMs, ctx.clock.uncappedMs() + 10_000));
        await feed.tick();
      }
    },
    /** Lets time pass without a process, then starts a new one. */
    downTo: async (atMs: number) => {
      ctx.clock.advanceTo(atMs);
      feed = open();
      await feed.prepare();
      await feed.tick();
    },
    index: async (symbol: MarketSymbol, fromMs: number, toMs: number) =>
      (await market.indexValues(ctx.database.db, symbol, fromMs, toMs)).map(
        ({ secondMs, value }) => [secondMs, value],
      ),
  };
}

test("the world leaf lists the symbols with files and the venues of each", async () => {
  const { leaves } = await replay(silence);
  const { world } = await leaves();
  expect(world.ok && [world.value.venues, world.value.symbols]).toEqual([
    ["east", "west"],
    [
      { name: "BTC/USDT", scale: 2, venues: ["east", "west"] },
      { name: "USDC/USD", scale: 5, venues: ["west"] },
    ],
  ]);
  expect(world.ok && world.value.market).toEqual({ kind: "replay", speed: 1 });
});

describe("quotes", () => {
  test("a symbol has no index before its first bar closes", async () => {
    const { runTo, index } = await replay(silence);
    await runTo(toMs(1, 1));
    expect(await index("BTC/USDT", toMs(0), toMs(1, 1))).toEqual([
      [toMs(1), 2_000_500n],
      [toMs(1, 1), 2_000_500n],
    ]);
  });

  test("a silent venue's last bar counts for five minutes and then causes a gap", async () => {
    const { runTo, index, leaves } = await replay(silence, toMs(9));
    await runTo(toMs(20, 1));
    // East's last close before it falls silent is 20 009; west continues.
    expect(await index("BTC/USDT", toMs(14, 59), toMs(20, 1))).toEqual([
      [toMs(14, 59), 2_001_600n],
      [toMs(15), 2_001_650n],
      [toMs(20), 2_002_400n],
      [toMs(20, 1), 2_002_400n],
    ]);
    expect(await index("USDC/USD", toMs(15, 58), toMs(16))).toEqual([
      [toMs(15, 58), 100_000n],
      [toMs(15, 59), 100_000n],
      [toMs(16), 87_400n],
    ]);
    const { seconds } = await leaves();
    const gap = seconds.get(toMs(17))!;
    expect(gap.index).toEqual([null, 87_400n]);
    expect(gap.quotes.map((row) => row.map((quote) => quote !== null))).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});

describe("klines", () => {
  test("history before the start equals what the feed would have recorded", async () => {
    const earlyReplay = await replay(silence);
    const lateReplay = await replay(silence, toMs(25, 30));
    await earlyReplay.runTo(toMs(25, 30));
    await earlyReplay.runTo(toMs(26));
    await lateReplay.runTo(toMs(26));
    for (const interval of intervalNames) {
      const allKlines = await readAllKlines(
        earlyReplay.ctx.database.db,
        earlyReplay.ctx.world,
        interval,
        0,
      );
      const lateKlines = await readAllKlines(
        lateReplay.ctx.database.db,
        lateReplay.ctx.world,
        interval,
        0,
      );
      expect(lateKlines).toEqual(allKlines);
    }
    const { items } = await lateReplay.market.klines("BTC/USDT", "1m", null, 100);
    expect(items.map(({ openMs }) => openMs)).not.toContain(toMs(17));
    expect(items.find(({ openMs }) => openMs === toMs(24))).toEqual({
      openMs: toMs(24),
      open: 2_002_800n,
      high: 2_002_800n,
      low: 2_002_800n,
      close: 2_002_800n,
      volume: 20_000n,
      beforeStart: true,
    });
    expect(items.every(({ openMs, beforeStart }) => beforeStart === openMs <= toMs(25, 30))).toBe(
      true,
    );
  });
});

test("history contains the second in which one of three quotes becomes stale", async () => {
  const three = {
    ...silence,
    "mole.BTC-USDT.1m.csv": createBarFile(30, (m) => `${20_020 + m}.00`),
  };
  const earlyReplay = await replay(three);
  const lateReplay = await replay(three, toMs(25));
  await earlyReplay.runTo(toMs(26));
  await lateReplay.runTo(toMs(26));
  const [first, second] = await Promise.all(
    [earlyReplay, lateReplay].map(({ ctx }) => readAllKlines(ctx.database.db, ctx.world, "1m", 0)),
  );
  expect(second).toEqual(first);
  const changedKline = first!.get("BTC/USDT")!.find(({ openMs }) => openMs === toMs(15))!;
  expect([changedKline.open, changedKline.close]).toEqual([2_002_400n, 2_002_900n]);
});

describe("the end of a recording", () => {
  test("the last second is closed even if time ends during a tick", async () => {
    const { ctx, runTo, recording, leaves } = await replay(silence, toMs(29));
    await runTo(toMs(29, 59));
    const readings = [toMs(30) - 1];
    const clock = {
      ...ctx.clock,
      nowMs: () => readings.shift() ?? toMs(30),
      uncappedMs: () => toMs(30),
    };
    const jobs = { ...ctx.jobs, runLoop: () => {} };
    const source = createReplaySource(ctx, recording);
    const feed = createFeed(
      { ...ctx, clock, jobs },
      {
        source,
        transparencyLog: createTransparencyLog({ ...ctx, jobs }),
        contributions: { onSecond: [] },
      },
    );
    await feed.tick();
    await feed.tick();
    expect([...(await leaves()).seconds.keys()].slice(-3)).toEqual([
      toMs(30),
      ...createEndingSeconds(toMs(30)),
    ]);
  });

  test("two empty seconds after the last close end the log, and time stops", async () => {
    const { ctx, runTo, leaves, market } = await replay(silence, toMs(29));
    await runTo(toMs(30));
    expect(ctx.clock.nowMs()).toBe(toMs(30));
    await runTo(toMs(45));
    const { seconds } = await leaves();
    const secondTimes = [...seconds.keys()];
    expect(secondTimes.slice(0, -2)).toEqual(Array.from({ length: 60 }, (_, n) => toMs(29, n + 1)));
    expect(secondTimes.slice(-2)).toEqual(createEndingSeconds(toMs(30)));
    for (const ms of createEndingSeconds(toMs(30))) {
      expect(seconds.get(ms)!.index).toEqual([null, null]);
      expect(seconds.get(ms)!.quotes.flat()).toEqual([null, null, null, null]);
    }
    expect(ctx.clock.nowMs()).toBe(toMs(30));
    expect(market.latest()).toMatchObject({
      secondMs: toMs(30),
      index: { "BTC/USDT": 2_003_400n },
    });
    expect(market.lagMs()).toBe(0);
    // A process that starts later finds the same.
    expect((await createMarket(ctx)).latest()?.secondMs).toBe(toMs(30));
    const { items } = await market.klines("BTC/USDT", "1m", null, 2);
    expect(items.map(({ openMs }) => openMs)).toEqual([toMs(29), toMs(30)]);
  });

  test("a process that returns after the end fills no gap and ends the log once", async () => {
    const { runTo, downTo, leaves } = await replay(silence, toMs(28));
    await runTo(toMs(28, 30));
    await downTo(toMs(90));
    await downTo(toMs(91));
    const { seconds } = await leaves();
    expect([...seconds.keys()].slice(-3)).toEqual([toMs(28, 30), ...createEndingSeconds(toMs(30))]);
  });

  test("a brief outage at the end still closes the last seconds", async () => {
    const { runTo, downTo, leaves } = await replay(silence, toMs(28));
    await runTo(toMs(29, 58));
    await downTo(toMs(30, 4));
    expect([...(await leaves()).seconds.keys()].slice(-4)).toEqual([
      toMs(29, 59),
      toMs(30),
      ...createEndingSeconds(toMs(30)),
    ]);
  });
});

test("a bar without volume gives no quote", async () => {
  const text = createBarFile(10, () => "2.00000").replace(
    `${toMs(4) / 1_000},2.00000,2.00000,2.00000,2.00000,1`,
    `${toMs(4) / 1_000},9.00000,9.00000,9.00000,9.00000,0`,
  );
  const { runTo, index } = await replay({ "west.USDC-USD.1m.csv": text });
  await runTo(toMs(5));
  expect(await index("USDC/USD", toMs(5), toMs(5))).toEqual([[toMs(5), 200_000n]]);
});
