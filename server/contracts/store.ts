import { sql } from "kysely";
import {
  getWindowBounds,
  longWindowSeconds,
  windowLengths,
} from "#core/contracts/settlementWindow.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { OrderRow } from "#server/contracts/types.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

const columns = sql`seq, id, user_id, attempt_id, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp, fee_bp,
  stake, fee, encode(terms_hash, 'hex') as terms_hash, accepted_at_ms, encode(salt, 'hex') as salt,
  encode(order_hash, 'hex') as order_hash, bound_leaf, entry_leaf, purchase_price, entry_at_ms, delivery_at_ms, due_at_ms,
  selling_price, outcome, void_reason, payout, settled_at_ms`;

/** One order of a user; null if it does not exist or is someone else's. */
export async function readOrder(db: Db, userId: string, orderId: string): Promise<OrderRow | null> {
  if (!isUuid(orderId)) return null;
  const { rows } = await sql<OrderRow>`select ${columns} from contract_order
    where id = ${orderId} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Orders by id, in order of acceptance. */
export async function readOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<OrderRow>`select ${columns} from contract_order
    where id = any(${[...ids]}::uuid[]) order by seq`.execute(db);
  return rows;
}

export interface OrderFilter {
  contractId: string | null;
  status: "waiting" | "closing" | "over" | null;
  nowMs: number;
  /** Only orders up to and including this one. */
  upToSeq: bigint | null;
  limit: number;
  offset: number;
}

/** A user's orders, newest first. The status is derived from world time as `getLeaseStatus` does. */
export async function listOrders(db: Db, userId: string, filter: OrderFilter): Promise<OrderRow[]> {
  // For each window length, the latest delivery whose window is open now.
  const latest = windowLengths.map(
    (seconds) => filter.nowMs - getWindowBounds(0, seconds).opensAtMs,
  );
  const rawBuilder = sql`coalesce(delivery_at_ms <= (
    select w.latest_ms from unnest(${[...windowLengths]}::integer[], ${latest}::bigint[])
      w (seconds, latest_ms) where w.seconds = window_seconds), false)`;
  const status = {
    waiting: sql`settled_at_ms is null and not ${rawBuilder}`,
    closing: sql`settled_at_ms is null and ${rawBuilder}`,
    over: sql`settled_at_ms is not null`,
  };
  const { rows } = await sql<OrderRow>`select ${columns} from contract_order
    where user_id = ${userId}
      and (${filter.contractId}::text is null or contract_id = ${filter.contractId})
      and (${filter.upToSeq}::bigint is null or seq <= ${filter.upToSeq})
      and ${filter.status ? status[filter.status] : sql`true`}
    order by seq desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  return rows;
}

export interface ContractCounts {
  won: number;
  lost: number;
  tied: number;
  voided: number;
}

/** Result counts of this instance, by contract. */
export async function readCounts(db: Db): Promise<Map<string, ContractCounts>> {
  const { rows } = await sql<{
    id: string;
    won: bigint;
    lost: bigint;
    tied: bigint;
    voided: bigint;
  }>`
    select id, won, lost, tied, voided from contract`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        won: Number(row.won),
        lost: Number(row.lost),
        tied: Number(row.tied),
        voided: Number(row.voided),
      },
    ]),
  );
}

/**
 * A user's results on one contract: orders by outcome, and the sum of their net results in minor
 * units.
 */
export async function readOwnTotals(
  db: Db,
  userId: string,
  contractId: string,
): Promise<{ won: number; lost: number; tied: number; net: bigint }> {
  const { rows } = await sql<{ won: bigint; lost: bigint; tied: bigint; net: bigint }>`
    select count(*) filter (where outcome = 'won') as won, count(*) filter (where outcome = 'lost') as lost,
      count(*) filter (where outcome = 'tie') as tied, coalesce(sum(payout - stake - fee), 0)::bigint as net
    from contract_order where user_id = ${userId} and contract_id = ${contractId} and settled_at_ms is not null`.execute(
    db,
  );
  const row = rows[0]!;
  return { won: Number(row.won), lost: Number(row.lost), tied: Number(row.tied), net: row.net };
}

/** Contracts a user follows. */
export async function readFollowed(db: Db, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ contract_id: string }>`
    select contract_id from contract_follow where user_id = ${userId}`.execute(db);
  return new Set(rows.map((row) => row.contract_id));
}

export async function writeFollow(
  db: Db,
  userId: string,
  contractId: string,
  follow: boolean,
): Promise<void> {
  if (follow) {
    await sql`insert into contract_follow (user_id, contract_id) values (${userId}, ${contractId})
      on conflict do nothing`.execute(db);
  } else {
    await sql`delete from contract_follow where user_id = ${userId} and contract_id = ${contractId}`.execute(
      db,
    );
  }
}

/** Returns true if the operator has contracts switched on. */
export async function readContractsOn(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    contracts_on: boolean;
  }>`select contracts_on from contract_settings`.execute(db);
  return rows[0]?.contracts_on ?? false;
}

/** Switches contracts on or off; false when nothing changed. Open orders are still settled. */
export async function writeContractsOn(tx: Tx, isOn: boolean): Promise<boolean> {
  const { rows } = await sql`
    update contract_settings set contracts_on = ${isOn} where contracts_on <> ${isOn} returning contracts_on`.execute(
    tx,
  );
  return rows.length > 0;
}

/** When the earliest unsettled window opens; null when there is none. */
export async function readNeededFrom(db: Db): Promise<number | null> {
  const { rows } = await sql<{ due_at_ms: bigint | null }>`
    select min(due_at_ms) as due_at_ms from contract_order
    where settled_at_ms is null and due_at_ms is not null`.execute(db);
  const dueAtMs = rows[0]?.due_at_ms ?? null;
  // Treats every window as the longest, which at worst keeps a few more rows.
  return dueAtMs === null ? null : getWindowBounds(Number(dueAtMs), longWindowSeconds).opensAtMs;
}

/** The number of orders accepted in `[fromMs, toMs)` of world time. */
export async function countAccepted(db: Db, fromMs: number, toMs: number): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from contract_order
    where accepted_at_ms >= ${fromMs} and accepted_at_ms < ${toMs}`.execute(db);
  return Number(rows[0]!.count);
}

/** The number of orders settled in `[fromMs, toMs)` of real time. */
export async function countSettled(db: Db, fromMs: number, toMs: number): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from contract_order
    where settled_real_ms >= ${fromMs} and settled_real_ms < ${toMs}`.execute(db);
  return Number(rows[0]!.count);
}
