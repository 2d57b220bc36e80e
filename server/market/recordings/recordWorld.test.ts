import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Book } from "#core/market/book.ts";
import { readLeafKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createRecorder } from "#server/market/recordings/recorder.ts";
import { recordWorld } from "#server/market/recordings/recordWorld.ts";
import { type Recording, readRecording } from "#server/market/replay/recording.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { readAllKlines } from "#server/market/store.ts";
import { createTestContext } from "#server/testing/testContext.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const item of undo.splice(0).toReversed()) await item();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drydock-recorded-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const startMs = Date.UTC(2026, 0, 5, 12, 0, 30);

/** A world of three symbols, with the books of all its quotes, second by second. */
async function createWorld(recording: Recording | null) {
  const ctx = await createTestContext({
    startMs,
    symbols: ["BTC/USDT", "BTC/USDC", "USDC/USDT"],
    recording,
  });
  undo.push(() => ctx.destroy());
  const transparencyLog = createTransparencyLog(ctx);
  const source = recording
    ? createReplaySource(ctx, recording)
    : createSimulatedSource(ctx, transparencyLog, () => new Uint8Array(32).fill(7));
  const books = new Map<string, Book | null>();
  const onSecond: SecondHooks[] = [
    {
      afterAppend: async (_, seconds) => {
        for (const second of seconds)
          for (const [row, venue] of source.venues.entries())
            for (const symbol of ctx.world.symbols)
              books.set(`${second.secondMs} ${venue} ${symbol}`, second.bookOf(row, symbol));
        return () => {};
      },
    },
  ];
  const feed = createFeed(ctx, { source, transparencyLog, contributions: { onSecond } });
  await feed.prepare();
  return {
    ctx,
    source,
    books,
    onSecond,
    runTo: async (atMs: number) => {
      while (ctx.clock.uncappedMs() < atMs) {
        ctx.clock.advanceTo(Math.min(atMs, ctx.clock.uncappedMs() + 5_000));
        await feed.tick();
      }
    },
    /** Quotes by venue, because a recording lists venues in alphabetical order. */
    seconds: async () => {
      const allLeaves = await transparencyLog.leaves(0, await transparencyLog.count());
      return allLeaves.flatMap(({ bytes }) => {
        if (readLeafKind(bytes) !== "second") return [];
        const second = decodeSecond(bytes, worldTag(ctx.world.name));
        if (!second.ok) return [];
        const { secondMs, index, quotes } = second.value;
        const byVenue = Object.fromEntries(quotes.map((row, index) => [source.venues[index], row]));
        return [{ secondMs, index, byVenue }];
      });
    },
  };
}

test("a recorded world replays to the same seconds, klines and books", async () => {
  const world = await createWorld(null);
  const recorder = createRecorder(world.ctx, world.source.venues);
  world.onSecond.push(recorder.hooks);
  undo.push(await recorder.listen());
  const folder = newFolder();
  const stop = new AbortController();
  const recordResult = recordWorld(world.ctx.config, {
    folder,
    signal: stop.signal,
    secondsMax: 150,
  });
  // Recorded from its first second on: the socket accepts before the clock moves.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await world.runTo(startMs + 70_000);
  // No process closes seconds for a while, so they stay missing.
  world.ctx.clock.advanceTo(startMs + 120_000);
  await world.runTo(startMs + 165_000);
  const result = await recordResult;
  expect(result).toMatchObject({ seconds: 106, missing: 44, values: 318, differing: 0 });
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("0 of 318 index values differ");

  const repeated = await createWorld(await readRecording(folder));
  await repeated.runTo(startMs + 150_000);
  const closedSeconds = (await world.seconds()).filter(
    ({ secondMs }) => secondMs <= startMs + 150_000,
  );
  const replayedByMs = new Map((await repeated.seconds()).map((item) => [item.secondMs, item]));
  for (const second of closedSeconds) expect(replayedByMs.get(second.secondMs)).toEqual(second);
  expect(closedSeconds).toHaveLength(106);
  const between = replayedByMs.get(startMs + 90_000)!;
  expect(between.index).toEqual([null, null, null]);
  for (const [key, book] of world.books)
    if (repeated.books.has(key)) expect(repeated.books.get(key)).toEqual(book);
  // Klines of the minutes that both worlds closed completely.
  const klines = async ({ ctx }: typeof world) => {
    const allKlines = await readAllKlines(ctx.database.db, ctx.world, "1m", startMs);
    return [...allKlines].map(([symbol, ofSymbol]) => [
      symbol,
      ofSymbol.filter(({ openMs }) => openMs < startMs + 150_000),
    ]);
  };
  const klinesBefore = await klines(repeated);
  expect(klinesBefore).toEqual(await klines(world));
  expect(klinesBefore.map(([, ofSymbol]) => ofSymbol?.length)).toEqual([2, 2, 2]);
}, 60_000);

test("an aborted recording keeps its data", async () => {
  const world = await createWorld(null);
  const recorder = createRecorder(world.ctx, world.source.venues);
  world.onSecond.push(recorder.hooks);
  undo.push(await recorder.listen());
  const folder = newFolder();
  const stop = new AbortController();
  const onSecond = (recordedCount: number) => {
    if (recordedCount === 10) stop.abort();
  };
  const options = { folder, signal: stop.signal, secondsMax: null, onSecond };
  const recordResult = recordWorld(world.ctx.config, options);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await world.runTo(startMs + 10_000);
  expect(await recordResult).toMatchObject({ seconds: 10, missing: 0, differing: 0 });
  expect(readdirSync(folder)).toContain("README.sha256");
});

test("a folder in use, a stopped world and a replayed one are refused", async () => {
  const world = await createWorld(null);
  const { signal } = new AbortController();
  const folder = newFolder();
  const record = () => recordWorld(world.ctx.config, { folder, signal, secondsMax: 1 });
  await expect(record()).rejects.toThrow("No world test-world runs on");
  writeFileSync(join(folder, "notes.txt"), "");
  await expect(record()).rejects.toThrow("A recording needs an empty folder");
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
});

test("a changed line in a recording of seconds is refused with its number", async () => {
  const folder = newFolder();
  const file = join(folder, "north.BTC-USDT.1s.csv");
  const header = "second,bid,ask,age,volume,bids,asks";
  const validLine = "1677628800,64000,64001,120,0.5,64000:1 63999:2,64001:0.25";
  for (const [body, message] of [
    ["1677628801,64001,64000,120,0,,", "line 3 has a bid that is not below its ask"],
    ["1677628801,64000,64001,5001,0,,", "line 3 has a quote that was stale"],
    ["1677628801,64000,64001,0,0,63999:1,", "line 3 has a book whose best price is not the quote"],
    ["1677628800,64000,64001,0,0,,", "line 3 has the same time as the line before it"],
    ["1677628799,64000,64001,0,0,,", "line 3 is earlier than the line before it"],
    ["1677628801,64000,64001,0,0,", "line 3 has too many or too few columns"],
    ["1677628801,64000,64001,0,0,64000,", "line 3 contains something that is not a number"],
    ["1677628801,64000.001,64001,0,0,,", "line 3 contains something that is not a number"],
    ["1677628801,0,64001,0,0,,", "line 3 has a price that is not positive"],
  ] as const) {
    writeFileSync(file, `${header}\n${validLine}\n${body}\n`);
    await expect(readRecording(folder)).rejects.toThrow(message);
  }
  writeFileSync(file, `${header}\n`);
  await expect(readRecording(folder)).rejects.toThrow("holds no second");
  writeFileSync(file, `${header}\n${validLine}\n`);
  writeFileSync(join(folder, "north.BTC-USDT.1m.csv"), "1677628800,1,1,1,1,1,1\n");
  await expect(readRecording(folder)).rejects.toThrow("BTC/USDT of north twice");
});
