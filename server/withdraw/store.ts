import { sql } from "kysely";
import type { Withdrawal } from "#api/withdraw.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { withdrawLatestMs } from "#core/withdraw/withdraw.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { type Paging, toSlice } from "#server/platform/http/pagination.ts";
import type { RecordExplanation } from "#server/records/types.ts";
import type { StoredWithdrawal, WithdrawalRow } from "#server/withdraw/types.ts";

export interface WithdrawalTexts {
  db: Db;
  fieldEncryption: FieldEncryption;
}

async function decryptRows<Row extends StoredWithdrawal>(
  fieldEncryption: FieldEncryption,
  rows: readonly Row[],
): Promise<(Omit<Row, "early_payment"> & Pick<WithdrawalRow, "address" | "early_payment">)[]> {
  return await Promise.all(
    rows.map(async (row) => {
      const address = (await fieldEncryption.decryptText(row.user_id, row.address_encrypted)) ?? "";
      const reason =
        (await fieldEncryption.decryptText(row.user_id, row.early_payment_reason_encrypted)) ?? "";
      return {
        ...row,
        address,
        early_payment: row.early_payment && { ...row.early_payment, reason },
      };
    }),
  );
}

/** One withdrawal of a person; null if there is none. */
export async function readWithdrawal(
  { db, fieldEncryption }: WithdrawalTexts,
  userId: string,
  id: string,
): Promise<WithdrawalRow | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<StoredWithdrawal>`
    select * from withdrawal where id = ${id} and user_id = ${userId}`.execute(db);
  return (await decryptRows(fieldEncryption, rows))[0] ?? null;
}

/** The withdrawal of a person that the journal `id` ended; null if there is none. */
export async function readEndedBy(
  { db, fieldEncryption }: WithdrawalTexts,
  userId: string,
  id: string,
): Promise<WithdrawalRow | null> {
  const { rows } = await sql<StoredWithdrawal>`
    select * from withdrawal where ended_journal = ${id} and user_id = ${userId}`.execute(db);
  return (await decryptRows(fieldEncryption, rows))[0] ?? null;
}

export interface WithdrawalQuery extends Paging {
  /** By default all of the person's attempts. */
  attemptId?: string | undefined;
  coin?: Coin | undefined;
}

/**
 * Newest first; one more than a page holds, if there are more. `before`: the number of the first
 * page's newest.
 */
export async function listWithdrawals(
  { db, fieldEncryption }: WithdrawalTexts,
  userId: string,
  { attemptId, coin, ...query }: WithdrawalQuery,
): Promise<WithdrawalRow[]> {
  const { upToSeq, limit, offset } = toSlice(query);
  const { rows } = await sql<StoredWithdrawal>`
    select * from withdrawal
    where user_id = ${userId}
      and (${attemptId ?? null}::text is null or attempt_id = ${attemptId ?? null})
      and (${coin ?? null}::text is null or coin = ${coin ?? null})
      and (${upToSeq}::bigint is null or number <= ${upToSeq}::bigint)
    order by number desc offset ${offset} limit ${limit}`.execute(db);
  return await decryptRows(fieldEncryption, rows);
}

/** As on the wire, at `nowMs` of world time. */
export function toWithdrawalView(row: WithdrawalRow, nowMs: number): Withdrawal {
  const scale = coinScale(row.coin);
  const waits = nowMs < Number(row.cancel_until_ms);
  return {
    withdrawal_id: row.id,
    attempt_id: row.attempt_id,
    coin: row.coin,
    amount: formatDecimal(row.amount, scale),
    fee: formatDecimal(row.fee, scale),
    leaves: formatDecimal(row.amount - row.fee, scale),
    network: row.network,
    address: row.address,
    state: row.outcome !== null ? "over" : waits ? "waiting" : "closing",
    outcome: row.outcome,
    ended_by: row.ended_by,
    placed_at_ms: Number(row.placed_at_ms),
    cancel_until_ms: Number(row.cancel_until_ms),
    latest_at_ms: Number(row.placed_real_ms) + withdrawLatestMs,
    ended_at_ms: row.ended_at_ms === null ? null : Number(row.ended_at_ms),
    ended_journal_id: row.ended_journal,
    act: row.early_payment && { role: row.early_payment.role, reason: row.early_payment.reason },
  };
}

/** Its state when placed, for the first answer, regardless of what happened since. */
export function toPlacedView(row: WithdrawalRow): Withdrawal {
  const before = {
    outcome: null,
    ended_by: null,
    ended_at_ms: null,
    ended_journal: null,
    act: null,
  };
  return toWithdrawalView({ ...row, ...before }, Number(row.placed_at_ms));
}

interface ExplainedJournal {
  journal_id: string;
}

/** Explanations of journals of the kinds `withdraw.*`, by journal id. */
export async function explainWithdrawals(
  { db, fieldEncryption }: WithdrawalTexts,
  journalIds: string[],
): Promise<Map<string, RecordExplanation>> {
  const { rows } = await sql<StoredWithdrawal & ExplainedJournal>`
    select w.*, j.id as journal_id from unnest(${journalIds}::uuid[]) j (id)
      join withdrawal w on w.id = j.id or w.ended_journal = j.id`.execute(db);
  const open = await decryptRows(fieldEncryption, rows);
  return new Map(open.map((row) => [row.journal_id, getExplanation(row)]));
}

function getExplanation(row: WithdrawalRow & ExplainedJournal): RecordExplanation {
  const { coin } = row;
  const money = (amount: bigint) => ({ amount: String(amount), coin });
  const facts: Record<string, RecordExplanation["facts"][string]> = {
    amount: money(row.amount),
    fee: money(row.fee),
    leaves: money(row.amount - row.fee),
    network: row.network,
    to_address: row.address,
  };
  // Only the ending journal carries how it ended: the facts of a receipt never change later.
  if (row.journal_id === row.ended_journal) {
    if (row.ended_by) facts.ended_by = row.ended_by;
    if (row.early_payment)
      Object.assign(facts, { role: row.early_payment.role, reason: row.early_payment.reason });
  } else facts.cancel_until_at_ms = Number(row.cancel_until_ms);
  return { facts, link: `/wallet-info?coin=${coin}&do=withdraw`, search: [row.address] };
}

/** A withdrawal's owner, and true once it is over; null if there is no such withdrawal. */
export async function readOwner(
  db: Db,
  id: string,
): Promise<{ userId: string; over: boolean } | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<{ user_id: string; over: boolean }>`
    select user_id, outcome is not null as over from withdrawal where id = ${id}`.execute(db);
  return rows[0] ? { userId: rows[0].user_id, over: rows[0].over } : null;
}

/** A person's open withdrawals that can still be cancelled, and the number that no longer can. */
export async function readOpen(
  db: Db | Tx,
  userId: string,
  worldMs: number,
): Promise<{ cancellable: string[]; leaving: number }> {
  const { rows } = await sql<{ cancellable: string[]; leaving: number }>`
    select
      coalesce(array_agg(id order by number) filter (where cancel_until_ms > ${worldMs}), '{}') as cancellable,
      count(*) filter (where cancel_until_ms <= ${worldMs})::int as leaving
    from withdrawal where user_id = ${userId} and outcome is null`.execute(db);
  return rows[0]!;
}

/** How many of these withdrawals were cancelled. */
export async function countCancelled(db: Db, ids: string[]): Promise<number> {
  const { rows } = await sql<{ cancelled: number }>`
    select count(*)::int as cancelled from withdrawal
    where id = any(${ids}::uuid[]) and outcome = 'cancelled'`.execute(db);
  return rows[0]!.cancelled;
}

/** The number of withdrawals requested in `[fromMs, toMs)` of real time. */
export async function countPlaced(db: Db, fromMs: number, toMs: number): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from withdrawal
    where placed_real_ms >= ${fromMs} and placed_real_ms < ${toMs}`.execute(db);
  return Number(rows[0]!.count);
}

/** Filters people to those who have withdrawn the whole balance of a coin without cancelling. */
export async function readWithdrewEverything(
  db: Db,
  userIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from withdrawal
    where user_id = any(${userIds}::text[]) and is_whole_balance
      and outcome is distinct from 'cancelled'`.execute(db);
  return rows.map((row) => row.user_id);
}
