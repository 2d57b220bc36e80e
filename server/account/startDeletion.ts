import { sql } from "kysely";
import {
  type Deletion,
  insertDeletion,
  insertRetainedExclusion,
  readDeletion,
} from "#server/account/store.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";

/** Other domains' contributions to starting a deletion, in the caller's transaction. */
export interface StartDeletionDeps {
  session: {
    mapping: {
      /** A person's attempts, oldest first, and the number of open sessions. */
      held(
        db: Db | Tx,
        userId: string,
        realMs: number,
      ): Promise<{ attemptIds: string[]; openSessions: number }>;
      /** The blind index of the person's address. */
      addressIndex(db: Db | Tx, userId: string): Promise<Uint8Array | null>;
      /** Removes the address mapping, and stops sessions from resolving. */
      erase(tx: Tx, userId: string, realMs: number): Promise<void>;
    };
  };
  withdraw: {
    /** Open withdrawals that can still be cancelled, and the number that no longer can. */
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

/**
 * The open items that deleting would end now. Lists only withdrawals and recharges that can still
 * be cancelled.
 */
export interface DeletionScope {
  attempt_ids: string[];
  sessions: number;
  withdrawals: string[];
  withdrawals_leaving: number;
  recharges: string[];
}

/** Self-imposed restrictions on contracts that deletion does not end. */
interface Exclusions {
  for_good: boolean;
  until_ms: number | null;
  /**
   * Only a daily loss limit applies, no exclusion. It can be lifted from the next real day on;
   * until then a new account must not bypass it.
   */
  of_loss_limit: boolean;
}

export async function readWaitingDeletion(
  db: Db | Tx,
  { session, withdraw, recharge }: StartDeletionDeps,
  userId: string,
  { worldMs, realMs }: { worldMs: number; realMs: number },
): Promise<DeletionScope> {
  const withdrawals = await withdraw.open(db, userId, worldMs);
  const recharges = await recharge.undecided(db, userId);
  // Last, so that these include the attempts of all rows read above.
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
 * Begins a deletion in one transaction: removes the address mapping, stops sessions from resolving
 * and records the remaining work. Idempotent: a second call returns the first row. A self-exclusion
 * still in force is kept under the address's blind index, and so is a daily loss limit until the
 * day ends.
 */
export async function startDeletion(
  tx: Tx,
  deps: StartDeletionDeps,
  schema: string,
  params: { userId: string; receiptId: string; worldMs: number; realMs: number },
): Promise<Deletion> {
  const { userId, receiptId, realMs } = params;
  await sql`select pg_advisory_xact_lock(${lockKey(schema, `deletion/${userId}`)})`.execute(tx);
  const before = await readDeletion(tx, userId);
  if (before) return before;
  const waitingDeletion = await readWaitingDeletion(tx, deps, userId, params);
  const holdingsOf = await deps.contracts.limits.barredAfterDeletion(tx, userId, realMs);
  const { mapping } = deps.session;
  const addressIndex = holdingsOf && (await mapping.addressIndex(tx, userId));
  if (addressIndex) await insertRetainedExclusion(tx, addressIndex, holdingsOf);
  await mapping.erase(tx, userId, realMs);
  return await insertDeletion(tx, {
    user_id: userId,
    receipt_id: receiptId,
    realMs,
    attempt_ids: waitingDeletion.attempt_ids,
    sessions_ended: waitingDeletion.sessions,
    withdrawals: waitingDeletion.withdrawals,
    recharges: waitingDeletion.recharges,
  });
}
