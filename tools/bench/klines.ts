/**
 * Pages of 500 klines at every interval over a year of minutes for ten symbols, against the plain
 * indexed SELECT of 500 rows of the same table: `node tools/bench/klines.ts [pages per interval]`.
 * Both run one at a time over the same kind of connection; the pages are at random positions of the
 * year, every tenth at its end, where the open kline has to be computed.
 */

import { sql } from "kysely";
import { type Interval, intervalNames, intervals } from "#core/market/intervals.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import { createFeed } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const pages = Number(process.argv[2] ?? 1_000);
const limit = 500;
const yearMs = 365 * dayMs;
const benchSymbols = symbolNames.slice(0, 10);
const aim = 1.5;

printConditions(
  `a year of 1m klines for ${benchSymbols.length} symbols, stored at ${intervalNames.length} intervals; pages of ${limit}, ${pages} per interval, one at a time; fsync on`,
);
const bench = await openBenchWorld();
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run(world: BenchWorld): Promise<void> {
  const { ctx } = world;
  const transparencyLog = createTransparencyLog(ctx);
  const feed = createFeed(ctx, {
    source: createSimulatedSource(ctx, transparencyLog),
    transparencyLog,
    contributions: { onSecond: [] },
  });
  await feed.prepare();
  const market = await createMarket(ctx);
  // Ninety seconds into the world: some minutes are folded, one is open.
  const endMs = ctx.clock.nowMs() + 90_000;
  while (ctx.clock.nowMs() < endMs) {
    ctx.clock.advanceTo(ctx.clock.nowMs() + 5_000);
    await feed.tick();
  }
  await fillYear(world, ctx.world.startMs);
  const worst = { ratio: 0, interval: "" };
  for (const interval of intervalNames) {
    const query = toQuery(interval, endMs);
    await measure(world, market, interval, query.slice(0, 50));
    const { page, plain } = await measure(world, market, interval, query);
    const ratio = computeQuantile(page, 0.99) / computeQuantile(plain, 0.99);
    if (ratio > worst.ratio) Object.assign(worst, { ratio, interval });
    const print = (sorted: number[]) =>
      `p50 ${computeQuantile(sorted, 0.5).toFixed(2)} p99 ${computeQuantile(sorted, 0.99).toFixed(2)} ms`;
    console.log(
      `${interval.padEnd(3)} page ${print(page)}; plain SELECT ${print(plain)}; ratio of p99 ${ratio.toFixed(2)}`,
    );
  }
  console.log(`worst at ${worst.interval}`);
  printRatio(worst.ratio, aim, "most");
}

interface KlineQuery {
  symbol: MarketSymbol;
  beforeMs: number | null;
}

function toQuery(interval: Interval, endMs: number): KlineQuery[] {
  const spanMs = Math.max(0, yearMs - limit * intervals[interval]);
  return Array.from({ length: pages }, (_, number) => ({
    symbol: benchSymbols[number % benchSymbols.length]!,
    beforeMs: number % 10 === 0 ? null : Math.floor(endMs - Math.random() * spanMs),
  }));
}

/**
 * Runs page and plain SELECT alternately, so that both see the same machine; sorted milliseconds.
 */
async function measure(
  { ctx }: BenchWorld,
  market: Awaited<ReturnType<typeof createMarket>>,
  interval: Interval,
  klineQueries: readonly KlineQuery[],
) {
  const page: number[] = [];
  const plainTimes: number[] = [];
  for (const { symbol, beforeMs } of klineQueries) {
    const startedMs = performance.now();
    const { items } = await market.klines(symbol, interval, beforeMs, limit);
    const between = performance.now();
    const before = beforeMs ?? Number.MAX_SAFE_INTEGER;
    const { rows } = await sql`select open_ms, open, high, low, close, volume from kline
      where symbol = ${symbol} and interval = ${interval} and open_ms < ${before}
      order by open_ms desc limit ${limit}`.execute(ctx.database.db);
    plainTimes.push(performance.now() - between);
    page.push(between - startedMs);
    if (rows.length < Math.min(items.length, limit) - 2) throw new Error("the pages differ");
  }
  const ascending = (a: number, b: number) => a - b;
  return { page: page.toSorted(ascending), plain: plainTimes.toSorted(ascending) };
}

/**
 * Writes the year before the world's first second, interval by interval as the feed stores them.
 */
async function fillYear({ owner }: BenchWorld, endMs: number): Promise<void> {
  const startedMs = performance.now();
  const lastMs = Math.floor(endMs / 60_000) * 60_000 - 60_000;
  for (const symbol of benchSymbols) {
    await sql`insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
      select ${symbol}::text, '1m', ${lastMs}::bigint - n::bigint * 60000, p, p + 40, p - 40, p + (n % 7) - 3, 1000 + n % 900
      from (select n, (2500000 + 300000 * sin(n / 5000.0) + 2000 * sin(n / 37.0))::bigint as p
        from generate_series(0, ${yearMs / 60_000 - 1}) n) m
      on conflict do nothing`.execute(owner.db);
  }
  for (const interval of intervalNames.slice(1)) {
    const ms = intervals[interval];
    const offset = interval === "1w" ? 4 * dayMs : 0;
    await sql`insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
      select symbol, ${interval}::text, (open_ms - ${offset}::bigint) / ${ms}::bigint * ${ms}::bigint + ${offset}::bigint as at,
        (array_agg(open order by open_ms))[1], max(high), min(low), (array_agg(close order by open_ms desc))[1], sum(volume)::bigint
      from kline where interval = '1m' group by symbol, at
      on conflict do nothing`.execute(owner.db);
  }
  await sql`vacuum analyze kline`.execute(owner.db);
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from kline`.execute(owner.db);
  console.log(
    `${rows[0]!.n} klines stored, written in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  );
}
