import { type RawBuilder, sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { AttemptRow, Owner } from "#server/attempts/types.ts";
import type { PostedJournal } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** The values that the post hook of a start needs besides the journal. */
export interface StartRow extends Owner {
  /** The attempt to close. */
  closes: string;
  realMs: number;
  pricedAtMs: number | null;
  index: Readonly<Record<string, string>>;
}

interface Row {
  attempt_id: string;
  user_id: string;
  number: number;
  opened_at_ms: bigint;
  opened_at_world_ms: bigint;
  closed_at_ms: bigint | null;
  closed_at_world_ms: bigint | null;
  balances: Record<string, string> | null;
  index: Record<string, string> | null;
  settled_at_ms: bigint | null;
  closes: string | null;
}

/**
 * Opens the next attempt of each of these people and closes the one before, in the transaction that
 * posts the start. Throws `attempts.not_current` and posts nothing if another one was opened in the
 * meantime.
 */
export async function writeStarts(tx: Tx, postedJournals: PostedJournal[]): Promise<void> {
  for (const { row, atMs } of postedJournals) {
    // The first attempt's start has no row: it was opened with the account.
    if (row !== undefined) await writeStart(tx, row as StartRow, atMs);
  }
}

async function writeStart(tx: Tx, start: StartRow, atMs: number): Promise<void> {
  const { userId, attemptId, closes, realMs, pricedAtMs, index } = start;
  // Concurrent starts serialise here; the next statement then sees what the first wrote.
  await sql`select from user_account where user_id = ${userId} for no key update`.execute(tx);
  const result = await sql`
    insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
    select ${attemptId}, user_id, number + 1, ${realMs}::bigint, ${atMs}::bigint
    from (select * from user_attempt where user_id = ${userId} order by number desc limit 1) t
    where attempt_id = ${closes}
    on conflict do nothing
    returning attempt_id`.execute(tx);
  if (result.rows.length === 0) throw new ApiError("attempts.not_current");
  await sql`
    insert into attempt_closing (attempt_id, closed_at_ms, closed_at_world_ms, balances, priced_at_ms, index, next_attempt_id)
    select ${closes}, ${realMs}::bigint, ${atMs}::bigint,
      coalesce((
        select jsonb_object_agg(coin, held) from (
          select coin, sum(balance)::text as held from account
          where attempt_id = ${closes} and not house and kind in ('wallet', 'held') group by coin) b), '{}'),
      ${pricedAtMs}::bigint, ${JSON.stringify(index)}::jsonb, ${attemptId}`.execute(tx);
}

export interface AttemptQuery {
  /** Highest attempt number to return; null: start from the newest. */
  upTo: bigint | null;
  /** Return only this attempt; null: all. */
  only: string | null;
  limit: number;
  offset: number;
}

/** A person's attempts from number `upTo` (null: the newest) down. */
export async function readAttempts(
  db: Db,
  userId: string,
  params: AttemptQuery,
): Promise<AttemptRow[]> {
  const { upTo, only, limit, offset } = params;
  return select(
    db,
    sql`where t.user_id = ${userId} and (${upTo}::bigint is null or t.number <= ${upTo}::bigint)
      and (${only}::text is null or t.attempt_id = ${only})
      order by t.number desc limit ${limit} offset ${offset}`,
  );
}

/** One of the person's attempts; null when they have no such attempt. */
export async function readAttempt(
  db: Db,
  { userId, attemptId }: Owner,
): Promise<AttemptRow | null> {
  const rows = await select(db, sql`where t.user_id = ${userId} and t.attempt_id = ${attemptId}`);
  return rows[0] ?? null;
}

/** The attempt that a journal opened; null when there is none. */
export async function readOpenedBy(db: Db, journalId: string): Promise<AttemptRow | null> {
  const rows = await select(
    db,
    sql`where t.attempt_id = (select about from journal where id = ${journalId}::uuid)`,
  );
  return rows[0] ?? null;
}

/** Closed attempts that may still have pending work, oldest first. */
export async function readUnsettled(
  db: Db,
  limit: number,
): Promise<(Owner & { closedRealAtMs: number })[]> {
  const { rows } = await sql<{ attempt_id: string; user_id: string; closed_at_ms: bigint }>`
    select c.attempt_id, t.user_id, c.closed_at_ms from attempt_closing c join user_attempt t using (attempt_id)
    where c.settled_at_ms is null order by c.closed_at_ms limit ${limit}`.execute(db);
  return rows.map((row) => ({
    userId: row.user_id,
    attemptId: row.attempt_id,
    closedRealAtMs: Number(row.closed_at_ms),
  }));
}

export async function markSettled(db: Db, attemptId: string, realMs: number): Promise<void> {
  await sql`update attempt_closing set settled_at_ms = ${realMs}::bigint
    where attempt_id = ${attemptId} and settled_at_ms is null`.execute(db);
}

/** Real time of the person's last start over; null when there was none. */
export async function readLastStart(db: Db, userId: string): Promise<number | null> {
  const { rows } = await sql<{ at_ms: bigint }>`
    select opened_at_ms as at_ms from user_attempt
    where user_id = ${userId} and number > 1 order by number desc limit 1`.execute(db);
  return rows[0] ? Number(rows[0].at_ms) : null;
}

async function select(db: Db, condition: RawBuilder<unknown>): Promise<AttemptRow[]> {
  const { rows } = await sql<Row>`
    select t.attempt_id, t.user_id, t.number, t.opened_at_ms, t.opened_at_world_ms, c.closed_at_ms, c.closed_at_world_ms,
      c.balances, c.index, c.settled_at_ms, b.attempt_id as closes
    from user_attempt t left join attempt_closing c using (attempt_id)
      left join attempt_closing b on b.next_attempt_id = t.attempt_id ${condition}`.execute(db);
  return rows.map((row) => ({
    userId: row.user_id,
    attemptId: row.attempt_id,
    number: row.number,
    openedAtMs: Number(row.opened_at_world_ms),
    openedRealAtMs: Number(row.opened_at_ms),
    closes: row.closes,
    closing:
      row.closed_at_ms === null
        ? null
        : {
            closedAtMs: Number(row.closed_at_world_ms),
            closedRealAtMs: Number(row.closed_at_ms),
            balances: Object.fromEntries(
              Object.entries(row.balances ?? {}).map(([coin, amount]) => [
                coin as Coin,
                BigInt(amount),
              ]),
            ),
            index: row.index ?? {},
            settled: row.settled_at_ms !== null,
          },
  }));
}
