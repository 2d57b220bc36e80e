import { sql } from "kysely";
import {
  type Deletion,
  insertDeletion,
  keepExclusion,
  readDeletion,
} from "#server/account/store.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** What other domains say of a person whose account is deleted, in the caller's transaction. */
export interface BeginDeps {
  session: {
    mapping: {
      /** Attempts, oldest first, and how many sessions are open. */
      held(
        db: Db | Tx,
        userId: string,
        realMs: number,
      ): Promise<{ attemptIds: string[]; openSessions: number }>;
      /** The digest of the address. */
      addressMac(db: Db | Tx, userId: string): Promise<Uint8Array | null>;
      /** Takes the mapping away, and lets no session resolve any more. */
      erase(tx: Tx, userId: string, realMs: number): Promise<void>;
    };
  };
  withdraw: {
    /** Those that can still be cancelled, and how many can not. */
    open(
      db: Db | Tx,
      userId: string,
      worldMs: number,
    ): Promise<{ cancellable: string[]; leaving: number }>;
  };
  recharge: {
    undecided(db: Db | Tx, userId: string): Promise<string[]>;
  };
  contracts: {
    limits: {
      barredAfterDeletion(db: Db | Tx, userId: string, realMs: number): Promise<Exclusions | null>;
    };
  };
}

/** What deleting would end now. Withdrawals and recharges are those that can still be cancelled. */
export interface Waiting {
  attempt_ids: string[];
  sessions: number;
  withdrawals: string[];
  withdrawals_leaving: number;
  recharges: string[];
}

/** What a person set for themselves against contracts and deleting does not end. */
interface Exclusions {
  for_good: boolean;
  until_ms: number | null;
  /**
   * No exclusion but a daily loss limit: it could be lifted from the next real day on, and until
   * then no new account may pass it by.
   */
  of_loss_limit: boolean;
}

export async function readWaiting(
  db: Db | Tx,
  { session, withdraw, recharge }: BeginDeps,
  userId: string,
  { worldMs, realMs }: { worldMs: number; realMs: number },
): Promise<Waiting> {
  const withdrawals = await withdraw.open(db, userId, worldMs);
  const recharges = await recharge.undecided(db, userId);
  // Last, so that what was just found waiting is of these attempts.
  const { attemptIds, openSessions } = await session.mapping.held(db, userId, realMs);
  return {
    attempt_ids: attemptIds,
    sessions: openSessions,
    withdrawals: withdrawals.cancellable,
    withdrawals_leaving: withdrawals.leaving,
    recharges,
  };
}

/**
 * The transaction that a deletion begins with: the mapping from the address is gone, sessions
 * resolve no more, and what is left to do is written down. Asked for twice it gives what the first
 * wrote. A self-exclusion that still runs stays under the digest of the address, and so does a
 * daily loss limit until the day is over.
 */
export async function beginDeletion(
  tx: Tx,
  deps: BeginDeps,
  schema: string,
  asked: { userId: string; receiptId: string; worldMs: number; realMs: number },
): Promise<Deletion> {
  const { userId, receiptId, realMs } = asked;
  await sql`select pg_advisory_xact_lock(${lockKey(schema, `deletion/${userId}`)})`.execute(tx);
  const before = await readDeletion(tx, userId);
  if (before) return before;
  const waiting = await readWaiting(tx, deps, userId, asked);
  const held = await deps.contracts.limits.barredAfterDeletion(tx, userId, realMs);
  const { mapping } = deps.session;
  const addressMac = held && (await mapping.addressMac(tx, userId));
  if (addressMac) await keepExclusion(tx, addressMac, held);
  await mapping.erase(tx, userId, realMs);
  return await insertDeletion(tx, {
    user_id: userId,
    receipt_id: receiptId,
    realMs,
    attempt_ids: waiting.attempt_ids,
    sessions_ended: waiting.sessions,
    withdrawals: waiting.withdrawals,
    recharges: waiting.recharges,
  });
}
