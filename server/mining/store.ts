import { sql } from "kysely";
import type { LeaseStatus } from "#core/mining/lease.ts";
import type { Reading } from "#core/mining/readings.ts";
import { type NetworkState, networkSimulator } from "#core/mining/simulate/network.ts";
import { hourMs } from "#core/money/time.ts";
import type { LeaseRow, PayoutRow, ReadingRow } from "#server/mining/types.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

const readingColumns = sql.raw(
  "hour_ms, height, block_ms, bits, difficulty, epoch_first_ms, fee_sum, cumulative, accrual, leaf",
);

/** The last reading; null before the first. */
export async function readLastReading(db: Db | Tx): Promise<ReadingRow | null> {
  const { rows } = await sql<ReadingRow>`
    select ${readingColumns} from mining_reading order by hour_ms desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Readings of the given hours, oldest first; missing ones are omitted. */
export async function readReadings(
  db: Db | Tx,
  fromMs: number,
  toMs: number,
  stepMs = hourMs,
): Promise<ReadingRow[]> {
  const { rows } = await sql<ReadingRow>`
    select ${readingColumns} from mining_reading
    where hour_ms between ${fromMs} and ${toMs} and (hour_ms - ${fromMs}::bigint) % ${stepMs}::bigint = 0
    order by hour_ms`.execute(db);
  return rows;
}

/** The last reading at or before a moment; null before the first. */
export async function readReadingAt(db: Db, atMs: number): Promise<ReadingRow | null> {
  const { rows } = await sql<ReadingRow>`
    select ${readingColumns} from mining_reading where hour_ms <= ${atMs}
    order by hour_ms desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** A stored reading in core's form. */
export function toReading(row: ReadingRow): Reading {
  return {
    hourMs: Number(row.hour_ms),
    height: row.height,
    difficulty: row.difficulty,
    feeSum: row.fee_sum,
    cumulative: row.cumulative,
    accrual: row.accrual,
  };
}

const leaseColumns = sql.raw(
  `l.seq, l.id, l.user_id, l.attempt_id, l.product_id, encode(l.terms_hash, 'hex') as terms_hash, l.quantity, l.days, l.hashrate_ghs,
   l.pool_fee_bp, l.price_per_day, l.power_per_day, l.accepted_at_ms, l.start_ms, l.days_to_work, l.days_paid, l.mined, l.worth,
   l.next_due_ms, l.refund_id, l.refund_price, l.refund_power, l.ended_at_ms,
   encode(l.salt, 'hex') as salt, encode(l.lease_hash, 'hex') as lease_hash, l.bound_leaf, encode(l.end_salt, 'hex') as end_salt,
   encode(l.end_hash, 'hex') as end_hash, l.end_bound_leaf`,
);

/** The user's lease; null when there is none. */
export async function readLease(
  db: Db | Tx,
  userId: string,
  leaseId: string,
): Promise<LeaseRow | null> {
  if (!/^[0-9a-f-]{36}$/i.test(leaseId)) return null;
  const { rows } = await sql<LeaseRow>`
    select ${leaseColumns} from mining_lease l where l.id = ${leaseId} and l.user_id = ${userId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Leases by their ids, of any owner. */
export async function readLeases(db: Db, ids: readonly string[]): Promise<LeaseRow[]> {
  const { rows } = await sql<LeaseRow>`
    select ${leaseColumns} from mining_lease l where l.id = any(${ids}::uuid[]) order by l.seq desc`.execute(
    db,
  );
  return rows;
}

export interface LeaseFilter {
  status: LeaseStatus | null;
  /** Only leases up to and including this one; null: all. */
  upToSeq: bigint | null;
  limit: number;
  offset: number;
  nowMs: number;
}

/** The user's leases, newest first; `status` is as of world time `nowMs`. */
export async function listLeases(
  db: Db,
  userId: string,
  { status, upToSeq, limit, offset, nowMs }: LeaseFilter,
): Promise<LeaseRow[]> {
  const { rows } = await sql<LeaseRow>`
    select ${leaseColumns} from mining_lease l
    where l.user_id = ${userId} and (${upToSeq}::bigint is null or l.seq <= ${upToSeq}::bigint)
      and (${status}::text is null or ${status}::text = case
        when l.days_to_work = 0 or ${nowMs}::bigint >= l.start_ms + l.days_to_work::bigint * 86400000 then 'maturity'
        when ${nowMs}::bigint < l.start_ms then 'running' else 'at_work' end)
    order by l.seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export interface AttemptTotals {
  open: number;
  /** GH/s of leases at work. */
  hashrate_ghs: bigint;
  spent: bigint;
  mined: bigint;
}

/** Totals over all leases of an attempt. */
export async function readTotals(db: Db, attemptId: string, userId: string, nowMs: number) {
  const { rows } = await sql<AttemptTotals>`
    select count(*) filter (where ends_ms > ${nowMs})::integer as open,
      coalesce(sum(hashrate_ghs) filter (where start_ms <= ${nowMs} and ends_ms > ${nowMs}), 0)::bigint as hashrate_ghs,
      coalesce(sum((price_per_day + power_per_day) * days - coalesce(refund_price + refund_power, 0)), 0)::bigint as spent,
      coalesce(sum(mined), 0)::bigint as mined
    from (select *, case when days_to_work = 0 then 0 else start_ms + days_to_work::bigint * 86400000 end as ends_ms
      from mining_lease where user_id = ${userId} and attempt_id = ${attemptId}) l`.execute(db);
  return rows[0]!;
}

/** Payouts of the user, newest day first; days must end at or before `upToMs`. */
export async function listPayouts(
  db: Db,
  userId: string,
  params: { leaseId: string | null; upToMs: bigint | null; limit: number; offset: number },
): Promise<(PayoutRow & { due_ms: bigint })[]> {
  const { leaseId, upToMs, limit, offset } = params;
  const { rows } = await sql<PayoutRow & { due_ms: bigint }>`
    select l.id as lease_id, p.day, p.amount, p.accrual, p.price, p.journal_id, l.start_ms + p.day::bigint * 86400000 as due_ms
    from mining_lease l join mining_payout p on p.lease = l.seq
    where l.user_id = ${userId} and (${leaseId}::uuid is null or l.id = ${leaseId}::uuid)
      and (${upToMs}::bigint is null or l.start_ms + p.day::bigint * 86400000 <= ${upToMs}::bigint)
    order by due_ms desc, l.seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Payouts of one lease in `[fromDay, toDay]`, oldest first. */
export async function readPayouts(
  db: Db,
  lease: Pick<LeaseRow, "seq" | "id">,
  fromDay: number,
  toDay: number,
): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutRow>`
    select ${lease.id}::text as lease_id, day, amount, accrual, price, journal_id from mining_payout
    where lease = ${lease.seq} and day between ${fromDay} and ${toDay} order by day`.execute(db);
  return rows;
}

/** The day that a journal paid of a lease. */
export async function readPaidDay(
  db: Db,
  lease: Pick<LeaseRow, "seq">,
  journalId: string,
): Promise<number> {
  const { rows } = await sql<{ day: number }>`
    select day from mining_payout where lease = ${lease.seq} and journal_id = ${journalId}`.execute(
    db,
  );
  return rows[0]!.day;
}

/** The end of the simulated network's chain of seeds, and the UTC day of its first seed. */
export async function readSeedAnchor(
  db: Db | Tx,
): Promise<{ anchor: Uint8Array; firstDay: number } | null> {
  const { rows } = await sql<{ anchor: Buffer; first_day: number }>`
    select anchor, first_day from mining_seed`.execute(db);
  return rows[0] ? { anchor: new Uint8Array(rows[0].anchor), firstDay: rows[0].first_day } : null;
}

export async function insertSeedAnchor(
  tx: Tx,
  anchor: Uint8Array,
  firstDay: number,
): Promise<void> {
  await sql`insert into mining_seed (anchor, first_day)
    values (${Buffer.from(anchor)}, ${firstDay})`.execute(tx);
}

/**
 * The simulated network's state after the last reading, and its hour; locks the row in a
 * transaction.
 */
export async function readState(db: Db | Tx): Promise<NetworkState | null> {
  const { rows } = await sql<{ state: unknown }>`select state from mining_state`.execute(db);
  return rows[0] ? getState(rows[0].state as StoredState) : null;
}

export async function saveState(tx: Tx, hourMs: number, state: NetworkState): Promise<void> {
  const text = JSON.stringify({ simulator: networkSimulator, ...state }, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  await sql`insert into mining_state (hour_ms, state) values (${hourMs}, ${text}::jsonb)
    on conflict (singleton) do update set hour_ms = excluded.hour_ms, state = excluded.state`.execute(
    tx,
  );
}

type StoredBlock = { height: number; seconds: number; bits: number; fees: string };
interface StoredState {
  tip: { last: StoredBlock; epochFirstSeconds: number; recent: StoredBlock[] };
  hashrate: number;
  feeLog: number;
}

function getState({ tip, hashrate, feeLog }: StoredState): NetworkState {
  const block = (storedBlock: StoredBlock) => ({ ...storedBlock, fees: BigInt(storedBlock.fees) });
  return {
    tip: { ...tip, last: block(tip.last), recent: tip.recent.map(block) },
    hashrate,
    feeLog,
  };
}

/**
 * The amount that an attempt has paid, in price and power, for days not worked by `atMs`, in minor
 * units of pUSDT.
 */
export async function readUnworked(
  db: Db,
  attemptId: string,
  moments: readonly number[],
): Promise<bigint[]> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum((price_per_day + power_per_day) * (total - least(total, greatest(0, (m.at_ms - start_ms) / 86400000)))), 0)::bigint
      as sum
    from unnest(${[...moments]}::bigint[]) with ordinality m (at_ms, place)
      left join lateral (
        select *, case when ended_at_ms <= m.at_ms then days_to_work else days end as total
        from mining_lease where attempt_id = ${attemptId} and accepted_at_ms <= m.at_ms) l on true
    group by m.place order by m.place`.execute(db);
  return rows.map(({ sum }) => sum);
}

/** Total of all leases at work at `atMs`, in GH/s. */
export async function readHashrateAtWork(db: Db, atMs: number): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(hashrate_ghs), 0)::bigint as sum from mining_lease
    where next_due_ms is not null and start_ms <= ${atMs}::bigint`.execute(db);
  return rows[0]!.sum;
}
