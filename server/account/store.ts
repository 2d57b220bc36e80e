import { sql } from "kysely";
import { nextDayMs } from "#core/contracts/limits.ts";
import { sessionIdleMs } from "#core/session/lifetime.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** A row of `account_deletion`. */
export interface Deletion {
  user_id: string;
  receipt_id: string;
  asked_at_ms: bigint;
  attempt_ids: string[];
  sessions_ended: number;
  withdrawals: string[];
  recharges: string[];
  erased: { what: string; at_ms: number }[];
  finished_at_ms: bigint | null;
  swept_at_ms: bigint | null;
}

export async function readByReceipt(db: Db, receiptId: string): Promise<Deletion | null> {
  const { rows } = await sql<Deletion>`
    select * from account_deletion where receipt_id = ${receiptId}`.execute(db);
  return rows[0] ?? null;
}

export async function readDeletion(db: Db | Tx, userId: string): Promise<Deletion | null> {
  const { rows } = await sql<Deletion>`
    select * from account_deletion where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * What deleting would end now. Lists only withdrawals and recharges that can still be cancelled.
 */
export interface Waiting {
  attempt_ids: string[];
  sessions: number;
  withdrawals: string[];
  withdrawals_leaving: number;
  recharges: string[];
}

export async function readWaiting(
  db: Db | Tx,
  userId: string,
  { worldMs, realMs }: { worldMs: number; realMs: number },
): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select
      coalesce((select array_agg(attempt_id order by number) from user_attempt where user_id = ${userId}), '{}') as attempt_ids,
      (select count(*)::int from user_session
        where user_id = ${userId} and ended_at_ms is null and expires_at_ms > ${realMs}
          and last_seen_at_ms > ${realMs - sessionIdleMs}) as sessions,
      coalesce((select array_agg(id order by number) from withdrawal
        where user_id = ${userId} and outcome is null and cancel_until_ms > ${worldMs}), '{}') as withdrawals,
      (select count(*)::int from withdrawal
        where user_id = ${userId} and outcome is null and cancel_until_ms <= ${worldMs}) as withdrawals_leaving,
      coalesce((select array_agg(id order by seq) from recharge
        where user_id = ${userId} and outcome is null), '{}') as recharges`.execute(db);
  return rows[0]!;
}

/** Self-imposed restrictions on contracts that deletion does not end. */
export interface Exclusions {
  for_good: boolean;
  until_ms: number | null;
  /**
   * Only a daily loss limit applies, no exclusion. It could be lifted from the next real day on;
   * until then a new account must not bypass it.
   */
  of_loss_limit: boolean;
}

export async function readExclusions(
  db: Db | Tx,
  userId: string,
  realMs: number,
): Promise<Exclusions | null> {
  const { rows } = await sql<{ for_good: boolean; until_ms: bigint | null; limited: boolean }>`
    select excluded_for_good as for_good, excluded_until_ms as until_ms,
      case when next_from_ms <= ${realMs} then next_limit else loss_limit end is not null as limited
    from contract_limits where user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  if (row.for_good) return { for_good: true, until_ms: null, of_loss_limit: false };
  const excludedMs = Number(row.until_ms ?? 0);
  const limitedMs = row.limited ? nextDayMs(realMs) : 0;
  const untilMs = Math.max(excludedMs, limitedMs);
  if (untilMs <= realMs) return null;
  return { for_good: false, until_ms: untilMs, of_loss_limit: excludedMs <= realMs };
}

/**
 * Begins a deletion in one transaction: removes the address mapping, stops sessions from resolving
 * and records the remaining work. Idempotent: a second call returns the first row. A self-exclusion
 * still in force is kept under the address's blind index, and so is a daily loss limit until the
 * day ends.
 */
export async function beginDeletion(
  tx: Tx,
  schema: string,
  asked: { userId: string; receiptId: string; worldMs: number; realMs: number },
): Promise<Deletion> {
  const { userId, receiptId, realMs } = asked;
  await sql`select pg_advisory_xact_lock(${lockKey(schema, `deletion/${userId}`)})`.execute(tx);
  const before = await readDeletion(tx, userId);
  if (before) return before;
  const waiting = await readWaiting(tx, userId, asked);
  const held = await readExclusions(tx, userId, realMs);
  if (held) {
    await sql`
      insert into account_exclusion (address_mac, until_ms, for_good)
      select address_mac, ${held.until_ms}, ${held.for_good} from user_address where user_id = ${userId}
      on conflict (address_mac) do update set until_ms = excluded.until_ms, for_good = excluded.for_good`.execute(
      tx,
    );
  }
  await sql`delete from user_address where user_id = ${userId}`.execute(tx);
  await sql`update user_account set erased_at_ms = ${realMs} where user_id = ${userId}`.execute(tx);
  const { rows } = await sql<Deletion>`
    insert into account_deletion
      (user_id, receipt_id, asked_at_ms, attempt_ids, sessions_ended, withdrawals, recharges)
    values (${userId}, ${receiptId}, ${realMs}, ${waiting.attempt_ids}::text[], ${waiting.sessions},
      ${waiting.withdrawals}::uuid[], ${waiting.recharges}::uuid[])
    returning *`.execute(tx);
  return rows[0]!;
}

/** Records that a holding was erased; only the first time is kept. */
export async function noteErased(db: Db, userId: string, what: string, atMs: number) {
  const one = JSON.stringify([{ what, at_ms: atMs }]);
  await sql`
    update account_deletion set erased = erased || ${one}::jsonb
    where user_id = ${userId} and not erased @> ${JSON.stringify([{ what }])}::jsonb`.execute(db);
}

export async function noteFinished(db: Db, userId: string, atMs: number): Promise<void> {
  await sql`
    update account_deletion set finished_at_ms = coalesce(finished_at_ms, ${atMs})
    where user_id = ${userId}`.execute(db);
}

/**
 * Counts how many of a deletion's withdrawals and recharges were cancelled; the rest had just left
 * or been credited.
 */
export async function countCancelled(
  db: Db,
  { withdrawals, recharges }: Deletion,
): Promise<{ withdrawals: number; recharges: number }> {
  const { rows } = await sql<{ withdrawals: number; recharges: number }>`
    select
      (select count(*)::int from withdrawal where id = any(${withdrawals}::uuid[]) and outcome = 'cancelled') as withdrawals,
      (select count(*)::int from recharge where id = any(${recharges}::uuid[]) and outcome = 'cancelled') as recharges`.execute(
    db,
  );
  return rows[0]!;
}
