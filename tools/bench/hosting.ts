/**
 * Marks and daily statistics of hosting pools with few and with many holders:
 * `node tools/bench/hosting.ts [few] [many] [marks]`.
 *
 * Two worlds side by side, each with the seeded pools on a simulated market and its own PostgreSQL.
 * One has `few` holders of the first pool, the other `many`, written by SQL: a holding and an
 * executed order each. Minutes are closed alternately in both worlds. Timed are the closing of the
 * second with the mark, and the reads that follow it: the pools' cards, the history of NAV, and one
 * holder's totals and daily earnings. Also measures what hosting adds to the closing of a second.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { seedPools } from "#seed/pools.ts";
import { createHosting } from "#server/hosting/hosting.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createMarketHistory } from "#server/market/marketHistory.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { listVenues } from "#server/platform/world.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const fewCount = Number(process.argv[2] ?? 1_000);
const manyCount = Number(process.argv[3] ?? 1_000_000);
const marks = Number(process.argv[4] ?? 40);
const aim = 1.2;
const poolId = "cross-btc";
/** Amount each holder paid in, in minor units of pUSDT. */
const stake = 10_000_000n;

printConditions(
  `${fewCount} and ${manyCount} holders of ${poolId}, ${marks} marks in each world, alternating; fsync on`,
);
const worlds = [await openBenchWorld(), await openBenchWorld()];
try {
  await run(worlds as [BenchWorld, BenchWorld]);
} finally {
  for (const world of worlds) await world.close();
}

async function run([first, second]: [BenchWorld, BenchWorld]): Promise<void> {
  const desks = [
    await openHostingBench(first, fewCount),
    await openHostingBench(second, manyCount),
  ];
  const times: number[][] = [[], []];
  // The first minute of each is a warm-up.
  for (let mark = -1; mark < marks; mark += 1) {
    for (const [index, bench] of desks.entries()) {
      const ms = await bench.minute();
      if (mark >= 0) times[index]!.push(ms.mark + ms.ask);
    }
  }
  const [low, high] = times.map(median) as [number, number];
  for (const [index, bench] of desks.entries()) {
    const { second, mark, ask } = bench.medians();
    console.log(
      `${index === 0 ? fewCount : manyCount} holders: mark closed in ${mark.toFixed(1)} ms, cards, history, totals and earnings in ${ask.toFixed(1)} ms; ` +
        `hosting's share of a second without a mark ${second.toFixed(2)} ms`,
    );
  }
  const quick = desks[0]!;
  console.log(
    `speed 60, six seconds per closing: hosting's share ${(await quick.closeSix(100)).toFixed(2)} ms per second`,
  );
  for (const bench of desks) await bench.stop();
  printRatio(high / low, aim, "most");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Feed and hosting of a world, and how long hosting took to follow its closed seconds. */
async function openHosting({ ctx }: BenchWorld) {
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  const source = createSimulatedSource(ctx, transparencyLog);
  const onSecond: SecondHooks[] = [];
  const feed = createFeed(ctx, { source, transparencyLog, contributions: { onSecond } });
  await feed.prepare();
  const market = await createMarket(ctx);
  const hosting = createHosting(ctx, {
    ledger,
    market: { ...market, ...createMarketHistory(ctx, source, market), venues: source.venues },
    // Building the tree over the leaves is not part of marking.
    transparencyLog: { ...transparencyLog, lagMs: async () => 0 },
    session: { requireNewPositions: async () => {} },
  });
  const followTime = { ms: 0 };
  onSecond.push({
    beforeAppend: hosting.beforeAppend,
    afterAppend: async (tx, seconds) => {
      const startedMs = performance.now();
      const after = await hosting.afterAppend(tx, seconds);
      followTime.ms += performance.now() - startedMs;
      return after;
    },
  });
  return { ledger, feed, hosting, followTime };
}

async function openHostingBench(bench: BenchWorld, holders: number) {
  const { ctx, owner } = bench;
  const { ledger, feed, hosting, followTime } = await openHosting(bench);
  await seedPools(hosting.pools, (symbol) => listVenues(ctx.world, symbol));
  let nowMs = 0;
  const close = (ms: number) => {
    nowMs += ms;
    return closeTo(nowMs);
  };
  const closeTo = async (atMs: number) => {
    ctx.clock.advanceTo(atMs);
    const startedMs = performance.now();
    await feed.tick();
    return performance.now() - startedMs;
  };
  nowMs = Math.floor(ctx.clock.nowMs() / 60_000) * 60_000 + 60_000;
  while (ctx.clock.nowMs() < nowMs) {
    await closeTo(Math.min(nowMs, ctx.clock.nowMs() + 5_000));
  }
  await subscribeAll(ctx, { ledger, hosting }, BigInt(holders) * stake);
  for (let i = 0; i < 120; i += 1) await close(1_000);
  await split(owner, holders);
  const durations = { second: [] as number[], mark: [] as number[], ask: [] as number[] };
  const minute = async () => {
    for (let i = 1; i < 60; i += 1) {
      followTime.ms = 0;
      await close(1_000);
      durations.second.push(followTime.ms);
    }
    const mark = await close(1_000);
    const startedMs = performance.now();
    const attempt = `bench-${1 + Math.floor(Math.random() * holders)}`;
    await hosting.products(attempt);
    await hosting.navHistory(poolId, "day");
    await hosting.info(attempt);
    await hosting.earnings(attempt, poolId);
    const ask = performance.now() - startedMs;
    if ((await hosting.pools.find(poolId))?.markAtMs !== nowMs) throw new Error("no mark was made");
    durations.mark.push(mark);
    durations.ask.push(ask);
    return { mark, ask };
  };
  return {
    minute,
    medians: () => ({
      second: median(durations.second),
      mark: median(durations.mark),
      ask: median(durations.ask),
    }),
    closeSix: async (times: number) => {
      followTime.ms = 0;
      for (let i = 0; i < times; i += 1) await close(6_000);
      return followTime.ms / (times * 6);
    },
    stop: () => ledger.stop(),
  };
}

/** One subscription as large as those of all holders together. */
async function subscribeAll(
  ctx: BenchWorld["ctx"],
  bench: { ledger: ReturnType<typeof createLedger>; hosting: ReturnType<typeof createHosting> },
  amount: bigint,
): Promise<void> {
  const owner = { userId: "bench-whole", attemptId: "bench-whole" };
  const { ledger, hosting } = bench;
  const [wallet, issuance] = await Promise.all([
    ledger.account(owner, "wallet", "pUSDT"),
    ledger.account("house", "issuance", "pUSDT"),
  ]);
  await ledger.post({
    id: crypto.randomUUID(),
    kind: "attempt.start",
    bodyHash: randomBytes(32),
    legs: [
      { account: wallet, amount },
      { account: issuance, amount: -amount },
    ],
  });
  const { termsHash } = (await hosting.pools.find(poolId))!;
  for (let remaining = amount; remaining > 0n; ) {
    const part = remaining < 1_000_000_000_000n ? remaining : 1_000_000_000_000n;
    const params = { poolId, amount: String(part / 1_000_000n), termsHash };
    await hosting.subscribe(owner, params, crypto.randomUUID(), randomBytes(32));
    remaining -= part;
  }
  ctx.clock.advanceTo(ctx.clock.nowMs());
}

/**
 * Splits the one holder into many, each with a holding and an executed order with its share of the
 * units.
 */
async function split({ db }: BenchWorld["owner"], holders: number): Promise<void> {
  await sql`insert into hosting_order (id, user_id, attempt_id, account, pool_id, action, amount, units, terms_hash, accepted_at_ms,
      salt, order_hash, bound_leaf, outcome, nav, fee, mark_at_ms, mark_leaf)
    select gen_random_uuid(), 'bench-' || n, 'bench-' || n, o.account, o.pool_id, 'subscribe', ${stake}::bigint, w.units / ${holders},
      o.terms_hash, o.accepted_at_ms, o.salt, o.order_hash, o.bound_leaf, 'executed', o.nav, 0, o.mark_at_ms, o.mark_leaf
    from (select * from hosting_order where outcome = 'executed' order by seq limit 1) o,
      (select sum(units)::bigint as units from hosting_order) w, generate_series(1, ${holders}) n`.execute(
    db,
  );
  await sql`insert into hosting_holding (attempt_id, pool_id, user_id, bought, paid_in)
    select attempt_id, pool_id, user_id, units, amount from hosting_order where attempt_id <> 'bench-whole'`.execute(
    db,
  );
  await sql`delete from hosting_holding where attempt_id = 'bench-whole'`.execute(db);
  await sql`delete from hosting_order where attempt_id = 'bench-whole'`.execute(db);
  await sql`update hosting_pool set holders = ${holders} where id = ${poolId}`.execute(db);
  await sql`vacuum analyze hosting_order, hosting_holding`.execute(db);
}
