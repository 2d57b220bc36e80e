import { sql } from "kysely";
import type {
  DailyEarning,
  Holding,
  HostingOrder,
  NavPoint,
  Pool as PoolView,
} from "#api/pledge.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { navOne } from "#core/hosting/pool.ts";
import { decodePoolState } from "#core/hosting/state.ts";
import { type DayEarned, earningsOf } from "#server/hosting/earnings.ts";
import { explainHosting } from "#server/hosting/explain.ts";
import { createPlacing, isOver, requirePool } from "#server/hosting/place.ts";
import { createPools, type Pools } from "#server/hosting/pools.ts";
import { createReceipts } from "#server/hosting/receipt.ts";
import { bpText } from "#server/hosting/run.ts";
import { createRunner } from "#server/hosting/runner.ts";
import {
  listOrders,
  listTrades,
  type OrderFilter,
  readDays,
  readHoldings,
  readMarks,
  readOrder,
  readTrade,
  readTradeCounts,
  readUnitChanges,
} from "#server/hosting/store.ts";
import { readTradeBooks, tradeView } from "#server/hosting/trades.ts";
import type { OrderRow, Pool, Services } from "#server/hosting/types.ts";
import {
  change,
  dayMs,
  holdingView,
  navText,
  orderView,
  poolView,
  pusdt,
  type RunRow,
  unitsText,
  worthOf,
} from "#server/hosting/views.ts";
import { hostedAt } from "#server/hosting/worth.ts";
import { isPaused } from "#server/platform/clock.ts";
import { keepBriefly } from "#server/platform/keepBriefly.ts";
import type { Parts } from "#server/platform/parts.ts";
import { Refusal } from "#server/platform/refusal.ts";

/** Days a pool's card tells of, and the points of its little line. */
const cardDays = 31;
const sparkPoints = 48;
const historyPoints = 498;
const rangeMs = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, all: null };
/** What a card shows of marks and trades is at most this old, in real milliseconds. */
const cardMs = 1_000;

/** Hosting on the server. `follow` goes to the feed: pools run, are marked and pay in the transactions that close seconds. */
export function createHosting(parts: Parts, services: Services) {
  const { database, clock, bus } = parts;
  const { db } = database;
  const pools = createPools(parts, services);
  const cards = createCards(parts, pools);
  const forget = () => {
    pools.forget();
    cards.forget();
  };
  const runner = createRunner(parts, services, forget);
  const receipts = createReceipts(parts, services, pools);
  const runs = watchRuns(parts, services);
  bus.subscribe("second.closed", forget);
  // Whoever accepted an order after a recording's end executes it; this is for those that stopped in between.
  parts.jobs.every("hosting.finish", 60, async () => {
    if (isPaused(clock) && (await isOver(parts))) await runner.finishNow();
  });

  const orderViews = async (rows: readonly OrderRow[]): Promise<HostingOrder[]> => {
    const all = await pools.all();
    return rows.map((row) => {
      const pool = all.find(({ id }) => id === row.pool_id)!;
      return orderView(row, pool, parts.world, isPaused(clock));
    });
  };
  const requireOrder = async (userId: string, orderId: string) => {
    const order = await readOrder(db, userId, orderId);
    if (!order) throw new Refusal("hosting.order_unknown");
    return order;
  };
  const requireTrade = async (tradeId: string) => {
    const trade = await readTrade(db, tradeId);
    if (!trade) throw new Refusal("hosting.trade_unknown");
    return trade;
  };
  const holdings = (attemptId: string) => readHoldingViews(parts, pools, attemptId);

  return {
    ...createPlacing(parts, services, pools, runner),
    ledger: services.ledger,
    pools,
    follow: runner.follow,
    finishNow: runner.finishNow,
    receipts,
    /** The cards of all pools, or of one; `hosting.unknown` when there is none. */
    products: async (attemptId: string | null, poolId?: string): Promise<PoolView[]> => {
      const wanted = poolId === undefined ? await pools.all() : [await requirePool(pools, poolId)];
      const mine = attemptId === null ? [] : (await holdings(attemptId)).map(({ view }) => view);
      const facts = await cards.get("all");
      return wanted.map((pool) => {
        const own = mine.find((one) => one.product_id === pool.id) ?? null;
        return poolView(pool, parts.world, { ...facts.of(pool.id), mine: own });
      });
    },
    navHistory: async (poolId: string, range: keyof typeof rangeMs) => {
      const pool = await requirePool(pools, poolId);
      const lengthMs = rangeMs[range];
      const fromMs = lengthMs === null ? 0 : (pool.markAtMs ?? clock.nowMs()) - lengthMs;
      const { items, marks } = await readMarks(db, poolId, fromMs, historyPoints);
      return {
        marks,
        items: items.map(
          (one): NavPoint => [
            Number(one.at_ms),
            navText(one.nav),
            navText(one.hold),
            navText(one.frictionless),
            navText(one.harsh),
            bpText(-one.drawdown),
          ],
        ),
      };
    },
    trades: async (poolId: string, filter: Parameters<typeof listTrades>[2]) => {
      await requirePool(pools, poolId);
      return (await listTrades(db, poolId, filter)).map(tradeView);
    },
    trade: async (tradeId: string) => {
      const row = await requireTrade(tradeId);
      const books = await readTradeBooks(services, parts.world.name, row);
      return { trade: tradeView(row), ...books };
    },
    tradeReceipt: async (tradeId: string) => receipts.trade(await requireTrade(tradeId)),
    /** The user's order; throws `hosting.order_unknown`. */
    order: async (userId: string, orderId: string) =>
      (await orderViews([await requireOrder(userId, orderId)]))[0]!,
    /** The same as a row; null when there is none. */
    findOrder: (userId: string, orderId: string) => readOrder(db, userId, orderId),
    orders: async (userId: string, filter: OrderFilter) => {
      const rows = await listOrders(db, userId, filter);
      return { items: await orderViews(rows), first: rows[0]?.seq ?? null };
    },
    orderReceipt: async (userId: string, orderId: string) =>
      receipts.order(await requireOrder(userId, orderId)),
    info: async (attemptId: string) => infoOf(await holdings(attemptId)),
    /** Newest first. */
    earnings: async (attemptId: string, poolId: string | null): Promise<DailyEarning[]> => {
      if (poolId !== null) await requirePool(pools, poolId);
      const all = await pools.all();
      const days = await readEarnings(parts, attemptId, poolId);
      return days
        .sort((a, b) => b.dayMs - a.dayMs || (a.poolId < b.poolId ? -1 : 1))
        .map((one) => earningView(one, all));
    },
    run: async (poolId: string) => {
      await requirePool(pools, poolId);
      const run = runs.latest(poolId);
      if (run === null) throw new Refusal("hosting.not_ready");
      return run;
    },
    /** The earliest mark that can execute what is accepted at a time: the first after the second that binds it. */
    markAfter: (atMs: number) =>
      Math.floor((Math.ceil(atMs / 1_000) * 1_000) / 60_000) * 60_000 + 60_000,
    explain: (journalIds: string[]) => explainHosting(db, journalIds),
    /** What an attempt has hosted at a world time, waiting subscriptions included, in minor units of pUSDT. */
    hostedAt: (attemptId: string, atMs: number) => hostedAt(db, attemptId, atMs),
    /** Of all people: hosted in all, and its change today in basis points; null before the first mark. */
    totals: async () => {
      const facts = await cards.get("all");
      return totalsOf(await pools.all(), facts);
    },
  };
}
export type Hosting = ReturnType<typeof createHosting>;

type Cards = Awaited<ReturnType<typeof readCards>>;

function createCards(parts: Parts, pools: Pools) {
  return keepBriefly<string, Cards>(() => readCards(parts, pools), {
    forMs: cardMs,
    clock: parts.realClock,
    keeps: () => true,
  });
}

/** What cards need beside the pools' own rows. */
async function readCards({ database, clock }: Parts, pools: Pools) {
  const { db } = database;
  const nowMs = clock.nowMs();
  const all = await pools.all();
  const [trades, days, states, marks] = await Promise.all([
    readTradeCounts(db),
    readDays(db, null, Math.floor(nowMs / dayMs) * dayMs - cardDays * dayMs),
    sql<{ pool_id: string; friction: Friction; state: string; peak: bigint; worst: number }>`
      select pool_id, friction, state, peak, worst from hosting_state`.execute(db),
    Promise.all(
      all.map(async ({ id, markAtMs }) => {
        const { items } = await readMarks(db, id, (markAtMs ?? nowMs) - dayMs, sparkPoints);
        return [id, items] as const;
      }),
    ),
  ]);
  const sparks = new Map(marks);
  const runs: (RunRow & { poolId: string })[] = states.rows.map((row) => ({
    poolId: row.pool_id,
    friction: row.friction,
    counters: decodePoolState(row.state).counters,
    peak: row.peak,
    worst: row.worst,
  }));
  return {
    days,
    of: (poolId: string) => ({
      runs: runs.filter((run) => run.poolId === poolId),
      trades: trades.get(poolId) ?? { won: 0, lost: 0, lastMs: null },
      days: days.filter((day) => day.poolId === poolId),
      spark: sparks.get(poolId) ?? [],
      last: sparks.get(poolId)?.at(-1) ?? null,
      nowMs,
      paused: isPaused(clock),
    }),
  };
}

function totalsOf(all: readonly Pool[], facts: Cards) {
  const marked = all.filter(({ nav }) => nav !== null);
  if (marked.length === 0) return { hosted: null, changeBp: null };
  let now = 0n;
  let before = 0n;
  for (const pool of marked) {
    const people = pool.units - pool.houseUnits;
    now += worthOf(people, pool.nav!);
    before += worthOf(people, facts.of(pool.id).days.at(-1)?.open ?? pool.nav!);
  }
  return {
    hosted: pusdt(now),
    changeBp: before === 0n ? null : Number(change(before, now) / 100n),
  };
}

async function readEarnings(
  { database, clock }: Parts,
  attemptId: string,
  poolId: string | null,
): Promise<DayEarned[]> {
  const changes = await readUnitChanges(database.db, attemptId, poolId);
  const firstMs = Math.min(clock.nowMs(), ...changes.map(({ atMs }) => atMs));
  const days = await readDays(database.db, poolId, Math.floor(firstMs / dayMs) * dayMs);
  return [...Map.groupBy(changes, (one) => one.poolId)].flatMap(([id, own]) =>
    earningsOf(
      own,
      days.filter((day) => day.poolId === id),
    ),
  );
}

interface Held {
  view: Holding;
  pool: Pool;
  worst: number;
  value: bigint;
  waiting: bigint;
  today: bigint;
  paidIn: bigint;
  invested: bigint;
  result: bigint;
}

async function readHoldingViews(parts: Parts, pools: Pools, attemptId: string): Promise<Held[]> {
  const { db } = parts.database;
  const rows = await readHoldings(db, attemptId);
  if (rows.length === 0) return [];
  const all = await pools.all();
  const earnings = await readEarnings(parts, attemptId, null);
  const { rows: worsts } = await sql<{ pool_id: string; worst: number }>`
    select pool_id, worst from hosting_state where friction = 'realistic'`.execute(db);
  return rows.map((row): Held => {
    const pool = all.find(({ id }) => id === row.pool_id)!;
    const day = earnings.findLast((one) => one.poolId === pool.id);
    const isToday = day && pool.markAtMs !== null && day.dayMs + dayMs > pool.markAtMs;
    const today = isToday ? day.earned - day.fees : 0n;
    const value = worthOf(row.bought - row.redeemed, pool.nav ?? navOne);
    const invested = row.paid_in - row.waiting;
    return {
      view: holdingView(row, pool, today),
      pool,
      worst: worsts.find(({ pool_id: id }) => id === pool.id)?.worst ?? 0,
      value,
      waiting: row.waiting,
      today,
      paidIn: row.paid_in,
      invested,
      result: value + row.paid_out - invested,
    };
  });
}

function infoOf(held: readonly Held[]) {
  const sum = (of: (one: Held) => bigint) => held.reduce((total, one) => total + of(one), 0n);
  const cumulative = sum((one) => one.result);
  const invested = sum((one) => one.invested);
  const worst = held.filter((one) => one.value > 0n).map((one) => one.worst);
  return {
    coin: "pUSDT" as const,
    hosted: pusdt(sum((one) => one.value)),
    waiting: pusdt(sum((one) => one.waiting)),
    today: pusdt(sum((one) => one.today)),
    cumulative: pusdt(cumulative),
    paid_in: pusdt(sum((one) => one.paidIn)),
    return_bp: invested === 0n ? null : bpText(change(invested, invested + cumulative)),
    worst_drawdown_bp: worst.length === 0 ? null : bpText(-Math.max(...worst)),
    holdings: held.map(({ view }) => view),
  };
}

function earningView(one: DayEarned, pools: readonly Pool[]): DailyEarning {
  return {
    day_at_ms: one.dayMs,
    product_id: one.poolId,
    strategy: pools.find(({ id }) => id === one.poolId)!.config.strategy,
    units: unitsText(one.units),
    nav_from: navText(one.navFrom),
    nav_to: navText(one.navTo),
    earned: pusdt(one.earned),
    fees: pusdt(one.fees),
  };
}

/** Keeps what strategies saw last, and sends it to those who watch: at most one message a pool and real second. */
function watchRuns({ bus, realClock }: Parts, { hub }: Services) {
  const latest = new Map<string, string>();
  const sentMs = new Map<string, number>();
  bus.subscribe("hosting.run", ({ poolId, text }) => {
    latest.set(poolId, text);
    const nowMs = realClock.nowMs();
    // Bounded on both sides: a clock that was set back must not silence the stream.
    const sinceMs = Math.abs(nowMs - (sentMs.get(poolId) ?? Number.NEGATIVE_INFINITY));
    if (!hub || sinceMs < runRestMs || !hub.watchedRuns().includes(poolId)) return;
    sentMs.set(poolId, nowMs);
    hub.toRunWatchers(poolId, `{"topic":"run","run":${text}}`);
  });
  return {
    latest: (poolId: string) => {
      const text = latest.get(poolId);
      return text === undefined ? null : JSON.parse(text);
    },
  };
}
/** A little under a second, so that a second's own message is never the one left out. */
const runRestMs = 900;
