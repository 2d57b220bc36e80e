import { sql } from "kysely";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/**
 * PostgreSQL ends a transaction that has the lock and sends no statement for `idle`, or takes longer
 * than `all` altogether, so that no overloaded or stopped process delays a second by more: each of
 * a transaction's statements waits for a turn of the process's event loop. The feed waits ten
 * seconds. PostgreSQL 16 has only the first limit.
 */
export const sharedMaxMs = { idle: 3_000, all: 5_000 };

/**
 * The readers-writer lock between accepting and closing a second. An acceptance at a world time
 * takes it shared, reads the clock after that, and commits; the feed takes it exclusively while it
 * closes seconds. So what was accepted at t is in the database before the first second after t
 * closes. It is released when the transaction ends.
 */
export async function lockShared(tx: Tx, schema: string): Promise<void> {
  // In this order: waiting for the lock itself is not limited by these.
  await sql`select pg_advisory_xact_lock_shared(${lockKey(schema, "accept")}::bigint),
    set_config('idle_in_transaction_session_timeout', ${String(sharedMaxMs.idle)}, true),
    case when current_setting('transaction_timeout', true) is not null
      then set_config('transaction_timeout', ${String(sharedMaxMs.all)}, true) end`.execute(tx);
}

/**
 * Waits until every shared holder has committed, and blocks new ones until this transaction ends.
 */
export async function lockExclusive(tx: Tx, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(schema, "accept")}::bigint)`.execute(tx);
}

/** The holders of the accept lock now, over all processes of the world. */
export interface AcceptLockState {
  held: "shared" | "exclusive" | null;
  waiting: number;
  /** Real milliseconds that the first of them has waited. */
  longestWaitMs: number;
}

export async function readAcceptLock(db: Db, schema: string): Promise<AcceptLockState> {
  const key = BigInt.asUintN(64, lockKey(schema, "accept"));
  const { rows } = await sql<{ held: string | null; waiting: number; longest: number | null }>`
    select max(mode) filter (where granted) as held, (count(*) filter (where not granted))::integer as waiting,
      (extract(epoch from max(clock_timestamp() - waitstart)) * 1000)::integer as longest
    from pg_locks
    where locktype = 'advisory' and objsubid = 1
      and classid = ${key >> 32n}::oid and objid = ${key & 0xffffffffn}::oid
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  const { held, waiting, longest } = rows[0]!;
  return {
    held: held === null ? null : held === "ExclusiveLock" ? "exclusive" : "shared",
    waiting,
    longestWaitMs: longest ?? 0,
  };
}
