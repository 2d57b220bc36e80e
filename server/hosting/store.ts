import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import type { HoldingRow, OrderRow } from "#server/hosting/types.ts";
import type { Db } from "#server/platform/db/database.ts";

const orderColumns = sql`seq, id, user_id, attempt_id, pool_id, action, amount, units, encode(terms_hash, 'hex') as terms_hash,
  accepted_at_ms, encode(salt, 'hex') as salt, encode(order_hash, 'hex') as order_hash, bound_leaf, outcome, nav,
  fee, payout, mark_at_ms, mark_leaf`;

/** One order of a user; null if it does not exist or is someone else's. */
export async function readOrder(db: Db, userId: string, orderId: string): Promise<OrderRow | null> {
  if (!isUuid(orderId)) return null;
  const { rows } = await sql<OrderRow>`select ${orderColumns} from hosting_order
    where id = ${orderId} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export interface OrderFilter {
  poolId: string | null;
  status: "processing" | "over" | null;
  /** Only orders up to and including this one. */
  upToSeq: bigint | null;
  limit: number;
  offset: number;
}

/** A user's orders, newest first. */
export async function listOrders(db: Db, userId: string, filter: OrderFilter): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`select ${orderColumns} from hosting_order
    where user_id = ${userId}
      and (${filter.poolId}::text is null or pool_id = ${filter.poolId})
      and (${filter.status}::text is null or (outcome is null) = (${filter.status}::text = 'processing'))
      and (${filter.upToSeq}::bigint is null or seq <= ${filter.upToSeq})
    order by seq desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  return rows;
}

/** Units that an attempt may still redeem from a pool, and all units it was ever issued. */
export async function readFreeUnits(
  db: Db,
  attemptId: string,
  poolId: string,
): Promise<{ free: bigint; bought: bigint }> {
  const { rows } = await sql<{ bought: bigint; free: bigint }>`
    select bought, bought - redeemed - blocked as free from hosting_holding
    where attempt_id = ${attemptId} and pool_id = ${poolId}`.execute(db);
  return rows[0] ?? { free: 0n, bought: 0n };
}

export async function readHoldings(db: Db, attemptId: string): Promise<HoldingRow[]> {
  const { rows } = await sql<HoldingRow>`
    select attempt_id, pool_id, bought, redeemed, blocked, waiting, paid_in, paid_out, fees from hosting_holding
    where attempt_id = ${attemptId}`.execute(db);
  return rows;
}

/** Changes of an attempt's units, oldest first: by how much, at which mark and NAV, and the fee. */
export interface UnitChange {
  poolId: string;
  atMs: number;
  nav: bigint;
  units: bigint;
  fee: bigint;
}

export async function readUnitChanges(
  db: Db,
  attemptId: string,
  poolId: string | null,
): Promise<UnitChange[]> {
  // The mark's NAV, not the price of a unit: earnings are measured by the units' worth.
  const { rows } = await sql<{
    pool_id: string;
    at_ms: bigint;
    nav: bigint;
    units: bigint;
    fee: bigint;
  }>`
    select o.pool_id, o.mark_at_ms as at_ms, m.nav, sum(case o.action when 'subscribe' then o.units else -o.units end)::bigint as units,
      sum(o.fee)::bigint as fee
    from hosting_order o join hosting_mark m on m.pool_id = o.pool_id and m.at_ms = o.mark_at_ms
    where o.attempt_id = ${attemptId} and o.outcome = 'executed' and (${poolId}::text is null or o.pool_id = ${poolId})
    group by o.pool_id, o.mark_at_ms, m.nav order by o.pool_id, o.mark_at_ms`.execute(db);
  return rows.map((row) => ({
    poolId: row.pool_id,
    atMs: Number(row.at_ms),
    nav: row.nav,
    units: row.units,
    fee: row.fee,
  }));
}

export interface PoolDay {
  poolId: string;
  dayMs: number;
  open: bigint;
  close: bigint;
}

/** World days of pools from `fromMs` on, oldest first. */
export async function readDays(db: Db, poolId: string | null, fromMs: number): Promise<PoolDay[]> {
  const { rows } = await sql<{
    pool_id: string;
    day_ms: bigint;
    nav_open: bigint;
    nav_close: bigint;
  }>`
    select pool_id, day_ms, nav_open, nav_close from hosting_day
    where (${poolId}::text is null or pool_id = ${poolId}) and day_ms >= ${fromMs} order by pool_id, day_ms`.execute(
    db,
  );
  return rows.map((row) => ({
    poolId: row.pool_id,
    dayMs: Number(row.day_ms),
    open: row.nav_open,
    close: row.nav_close,
  }));
}

export interface MarkPoint {
  at_ms: bigint;
  nav: bigint;
  hold: bigint;
  frictionless: bigint;
  harsh: bigint;
  drawdown: number;
}

/**
 * Marks of a pool from `fromMs` on, oldest first, downsampled to about `points`: the last, the
 * lowest and the highest of each stretch.
 */
export async function readMarks(
  db: Db,
  poolId: string,
  fromMs: number,
  points: number,
): Promise<{ items: MarkPoint[]; marks: number }> {
  const { rows } = await sql<MarkPoint & { marks: bigint }>`
    with found as (
      select at_ms, nav, hold, frictionless, harsh, drawdown, count(*) over () as marks, row_number() over (order by at_ms) - 1 as nth
      from hosting_mark where pool_id = ${poolId} and at_ms >= ${fromMs}
    ),
    ranked as (
      select *, nth * ${Math.ceil(points / 3)} / greatest(marks, ${points}) as stretch from found
    ),
    placed as (
      select *,
        row_number() over (partition by stretch order by nav, at_ms) as low,
        row_number() over (partition by stretch order by nav desc, at_ms) as high,
        row_number() over (partition by stretch order by at_ms desc) as last
      from ranked
    )
    select at_ms, nav, hold, frictionless, harsh, drawdown, marks from placed
    where marks <= ${points} or low = 1 or high = 1 or last = 1 order by at_ms`.execute(db);
  return { items: rows, marks: Number(rows[0]?.marks ?? 0n) };
}

export interface TradeRow {
  pool_id: string;
  number: number;
  id: string;
  purpose: string;
  decided_at_ms: bigint;
  decision_leaf: bigint;
  gap: number | null;
  needed: number | null;
  legs: number;
  orders: string;
  fills: FillJson[] | null;
}

/** A fill row as JSON, with amounts as strings. */
export interface FillJson {
  leg: number;
  at_ms: string;
  leaf: string;
  quantity: string;
  quote: string;
  fee: string;
  gross: string;
  slippage: string;
  fees: string;
  why: string | null;
  venue_taker_fee: number | null;
  venue_fee_source: string | null;
  venue_fees: string | null;
  venue_spread: string | null;
  venue_delay: string | null;
}

const tradeColumns = sql`t.pool_id, t.number, t.id, t.purpose, t.decided_at_ms, t.decision_leaf, t.gap, t.needed, t.legs, t.orders,
  (select jsonb_agg(jsonb_build_object('leg', f.leg, 'at_ms', f.at_ms::text, 'leaf', f.leaf::text, 'quantity', f.quantity::text,
    'quote', f.quote::text, 'fee', f.fee::text, 'gross', f.gross::text, 'slippage', f.slippage::text, 'fees', f.fees::text,
    'why', f.why, 'venue_taker_fee', f.venue_taker_fee, 'venue_fee_source', f.venue_fee_source,
    'venue_fees', f.venue_fees::text, 'venue_spread', f.venue_spread::text, 'venue_delay', f.venue_delay::text) order by f.leg)
    from hosting_fill f where f.pool_id = t.pool_id and f.number = t.number) as fills`;

export async function listTrades(
  db: Db,
  poolId: string,
  filter: { upTo: number | null; limit: number; offset: number },
): Promise<TradeRow[]> {
  const { rows } = await sql<TradeRow>`select ${tradeColumns} from hosting_trade t
    where t.pool_id = ${poolId} and (${filter.upTo}::integer is null or t.number <= ${filter.upTo})
    order by t.number desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  return rows;
}

export async function readTrade(db: Db, tradeId: string): Promise<TradeRow | null> {
  if (!isUuid(tradeId)) return null;
  const { rows } =
    await sql<TradeRow>`select ${tradeColumns} from hosting_trade t where t.id = ${tradeId}`.execute(
      db,
    );
  return rows[0] ?? null;
}

/**
 * Fully filled arbitrage trades of each pool: how many gained, how many lost, how many were filled
 * since `todayMs`, and when the last one was.
 */
export async function readTradeCounts(
  db: Db,
  todayMs: number,
): Promise<Map<string, { won: number; lost: number; today: number; lastMs: number | null }>> {
  const { rows } = await sql<{
    pool_id: string;
    won: bigint;
    lost: bigint;
    today: bigint;
    last_ms: bigint | null;
  }>`
    with done as (
      select t.pool_id, max(f.at_ms) as at_ms, sum(f.gross - f.slippage - f.fees) as net, count(*) = t.legs as whole
      from hosting_trade t join hosting_fill f using (pool_id, number)
      where t.purpose = 'arbitrage' group by t.pool_id, t.number, t.legs
    )
    select pool_id, count(*) filter (where net > 0) as won, count(*) filter (where net < 0) as lost,
      count(*) filter (where at_ms >= ${todayMs}) as today, max(at_ms) as last_ms
    from done where whole group by pool_id`.execute(db);
  return new Map(
    rows.map((row) => [
      row.pool_id,
      {
        won: Number(row.won),
        lost: Number(row.lost),
        today: Number(row.today),
        lastMs: row.last_ms === null ? null : Number(row.last_ms),
      },
    ]),
  );
}
