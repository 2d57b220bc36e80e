import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Coin } from "#core/money/coins.ts";
import type { RejectionReason } from "#core/recharge/recharge.ts";
import type { VoucherKind } from "#core/recharge/voucher.ts";
import type { Network } from "#core/wallet/networks.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

export interface VoucherRow {
  id: string;
  seq: bigint;
  user_id: string;
  kind: VoucherKind;
  coin: Coin;
  network: Network;
  /** As signed; `shown_amount` as printed. */
  amount: bigint;
  shown_amount: bigint;
  expires_at_ms: bigint;
  used_at_ms: bigint | null;
  drawn_at_ms: bigint;
}

const voucherColumns = sql`id, seq, user_id, kind, coin, network, amount, shown_amount, expires_at_ms, used_at_ms, drawn_at_ms`;

export async function readVoucher(db: Db | Tx, id: string): Promise<VoucherRow | null> {
  const { rows } = await sql<VoucherRow>`
    select ${voucherColumns} from voucher where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The same, locked for a decision: two recharges with one voucher are serialised here. */
export async function lockVoucher(tx: Tx, id: string): Promise<VoucherRow | null> {
  const { rows } = await sql<VoucherRow>`
    select ${voucherColumns} from voucher where id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

export interface PageFilter {
  coin: Coin | null;
  upToSeq: bigint | null;
  limit: number;
  offset: number;
}

export async function listVouchers(
  db: Db,
  userId: string,
  { coin, upToSeq, limit, offset }: PageFilter,
): Promise<VoucherRow[]> {
  const { rows } = await sql<VoucherRow>`
    select ${voucherColumns} from voucher
    where user_id = ${userId} and (${coin}::text is null or coin = ${coin})
      and (${upToSeq}::bigint is null or seq <= ${upToSeq})
    order by seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export interface RechargeRow {
  id: string;
  seq: bigint;
  user_id: string;
  attempt_id: string;
  body_hash: Buffer;
  coin: Coin;
  network: Network;
  amount: bigint;
  voucher_id: string;
  read_coin: Coin;
  read_network: Network;
  read_amount: bigint;
  read_expires_at_ms: bigint;
  mac_valid: boolean;
  image: string;
  image_width: number;
  image_height: number;
  accepted_at_ms: bigint;
  closing_at_ms: bigint;
  due_at_ms: bigint;
  outcome: "credited" | "refused" | "cancelled" | null;
  reason: RejectionReason | null;
  worth: bigint | null;
  journal_id: string | null;
  over_at_ms: bigint | null;
}

/** A recharge with its voucher as issued. */
export interface RechargeWithVoucher extends RechargeRow {
  voucher_kind: VoucherKind;
  voucher_coin: Coin;
  voucher_amount: bigint;
  voucher_used_at_ms: bigint | null;
}

const withVoucher = sql`select r.*, v.kind as voucher_kind, v.coin as voucher_coin, v.amount as voucher_amount, v.used_at_ms as voucher_used_at_ms
  from recharge r join voucher v on v.id = r.voucher_id`;

/** One recharge of a user; null if it does not exist or is not theirs. */
export async function readRecharge(
  db: Db,
  userId: string,
  id: string,
): Promise<RechargeWithVoucher | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<RechargeWithVoucher>`
    ${withVoucher} where r.id = ${id} and r.user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function listRecharges(
  db: Db,
  userId: string,
  attemptId: string,
  { coin, upToSeq, limit, offset }: PageFilter,
): Promise<RechargeWithVoucher[]> {
  const { rows } = await sql<RechargeWithVoucher>`
    ${withVoucher} where r.user_id = ${userId} and r.attempt_id = ${attemptId}
      and (${coin}::text is null or r.coin = ${coin})
      and (${upToSeq}::bigint is null or r.seq <= ${upToSeq})
    order by r.seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Recharges whose review is due, oldest first. */
export async function readDue(db: Db, nowMs: number, limit: number): Promise<RechargeRow[]> {
  const { rows } = await sql<RechargeRow>`
    select * from recharge where outcome is null and due_at_ms <= ${nowMs}
    order by due_at_ms, seq limit ${limit}`.execute(db);
  return rows;
}

/** True if this transaction may decide it: it is undecided and not locked by anyone else. */
export async function lockUndecided(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select id from recharge where id = ${id} and outcome is null for update skip locked`.execute(
    tx,
  );
  return rows.length > 0;
}

export interface DecidedRecharge {
  outcome: "credited" | "refused";
  reason: RejectionReason | null;
  worth: bigint;
  journalId: string | null;
  overAtMs: number;
}

export async function writeDecision(tx: Tx, id: string, decided: DecidedRecharge): Promise<void> {
  await sql`update recharge set outcome = ${decided.outcome}, reason = ${decided.reason}, worth = ${decided.worth},
    journal_id = ${decided.journalId}, over_at_ms = ${decided.overAtMs} where id = ${id}`.execute(
    tx,
  );
}

/** Ids of a person's undecided recharges, oldest first. */
export async function readUndecided(db: Db | Tx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from recharge where user_id = ${userId} and outcome is null order by seq`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many of these recharges were cancelled. */
export async function countCancelled(db: Db, ids: string[]): Promise<number> {
  const { rows } = await sql<{ cancelled: number }>`
    select count(*)::int as cancelled from recharge
    where id = any(${ids}::uuid[]) and outcome = 'cancelled'`.execute(db);
  return rows[0]!.cancelled;
}
