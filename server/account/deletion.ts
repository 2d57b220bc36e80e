import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { DeletionReceipt } from "#api/account.ts";
import type { PersonalData } from "#server/account/personalData.ts";
import { type StartDeletionDeps, startDeletion } from "#server/account/startDeletion.ts";
import {
  type Deletion,
  readByReceipt,
  readDeletion,
  setErased,
  setFinished,
} from "#server/account/store.ts";
import { countPostings } from "#server/ledger/personPostings.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

export interface DeletionDeps extends StartDeletionDeps {
  session: StartDeletionDeps["session"] & {
    /** Ends every session of a person and notifies the bus. */
    endSessions(userId: string): Promise<unknown>;
    mapping: {
      /** Filters accounts to those that exist and are not erased. */
      unerased(userIds: readonly string[]): Promise<string[]>;
    };
  };
  withdraw: StartDeletionDeps["withdraw"] & {
    /** Cancels a withdrawal that can still be cancelled; otherwise a no-op. */
    cancelIfWaiting(withdrawalId: string): Promise<unknown>;
    /** Counts how many of a deletion's withdrawals were cancelled; the rest had just left. */
    countCancelled(ids: string[]): Promise<number>;
  };
  recharge: StartDeletionDeps["recharge"] & {
    /** Cancels all pending recharges of an attempt. */
    cancelWaiting(attemptId: string): Promise<unknown>;
    /** Counts how many of a deletion's recharges were cancelled; the rest had just been credited. */
    countCancelled(ids: string[]): Promise<number>;
  };
}

/** Requests in flight when an account was deleted have finished by then. */
const sweepAfterMs = 60_000;

/**
 * Deletes accounts. One transaction removes the address mapping; every later step is idempotent and
 * is repeated, by the job too, until the deletion finishes, so a crash at any point is harmless.
 * The client chooses the receipt id before it asks, because deleting ends the session that asked:
 * even if the answer is lost, the receipt can be read by that id without a session.
 */
export function createDeletion(
  ctx: AppContext,
  deps: DeletionDeps,
  personalData: () => readonly PersonalData[],
) {
  const { session, withdraw, recharge } = deps;
  const { database, realClock, clock, fieldEncryption, world, logger } = ctx;
  const { db } = database;

  const begin = (userId: string, receiptId: string): Promise<Deletion> => {
    const params = { userId, receiptId, worldMs: clock.nowMs(), realMs: realClock.nowMs() };
    return db.transaction().execute((tx) => startDeletion(tx, deps, database.schema, params));
  };

  const eraseAll = async (userId: string, note: boolean) => {
    for (const { name, erase } of personalData()) {
      await erase(userId);
      if (note) await setErased(db, userId, name, realClock.nowMs());
    }
  };

  const finish = async (deletion: Deletion): Promise<void> => {
    const { user_id: userId } = deletion;
    await session.endSessions(userId);
    for (const id of deletion.withdrawals) await withdraw.cancelIfWaiting(id);
    for (const attemptId of deletion.attempt_ids) await recharge.cancelWaiting(attemptId);
    await eraseAll(userId, true);
    // Last: every step before it may be repeated and needs the key to read its data.
    await fieldEncryption.destroyKey(userId);
    await setFinished(db, userId, realClock.nowMs());
  };

  const buildReceipt = async (deletion: Deletion): Promise<DeletionReceipt> => {
    return {
      practice: true,
      world: world.name,
      receipt_id: deletion.receipt_id,
      user_id: deletion.user_id,
      attempt_ids: deletion.attempt_ids,
      asked_at_ms: Number(deletion.asked_at_ms),
      finished_at_ms: deletion.finished_at_ms === null ? null : Number(deletion.finished_at_ms),
      sessions_ended: deletion.sessions_ended,
      withdrawals_cancelled: await withdraw.countCancelled(deletion.withdrawals),
      recharges_cancelled: await recharge.countCancelled(deletion.recharges),
      erased: deletion.erased,
      postings_kept: await countPostings(db, deletion.user_id),
    };
  };

  const open = async (): Promise<Deletion[]> => {
    const { rows } = await sql<Deletion>`
      select * from account_deletion where swept_at_ms is null order by asked_at_ms limit 100`.execute(
      db,
    );
    return rows;
  };

  /**
   * A restored backup may contain accounts that were deleted after it was taken; the markers of
   * their destroyed keys outlive it (docs/operating.md). Checked once per process, because a
   * restore restarts the process. The receipt gets a new id: the original was lost with the
   * replaced data.
   */
  const deleteAgain = async (): Promise<void> => {
    const destroyedUserIds = await fieldEncryption.destroyedKeys();
    for (const userId of await session.mapping.unerased(destroyedUserIds)) {
      await begin(userId, randomUUID());
      logger.warn({ userId }, "a restored backup contained a deleted account; deleting it again");
    }
  };
  let hasChecked = false;

  /** Resumes unfinished deletions, then sweeps each once more for data that late requests wrote. */
  const resume = async (): Promise<void> => {
    const nowMs = realClock.nowMs();
    if (!hasChecked) await deleteAgain();
    hasChecked = true;
    for (const deletion of await open()) {
      const { user_id: userId, finished_at_ms: finishedAtMs } = deletion;
      try {
        if (finishedAtMs === null) await finish(deletion);
        else if (nowMs - Number(finishedAtMs) >= sweepAfterMs) {
          await session.endSessions(userId);
          await eraseAll(userId, false);
          await fieldEncryption.destroyKey(userId);
          await sql`update account_deletion set swept_at_ms = ${nowMs} where user_id = ${userId}`.execute(
            db,
          );
        }
      } catch (error) {
        logger.error({ err: error }, "a deletion failed and will be retried");
      }
    }
    await sql`delete from account_exclusion where until_ms <= ${nowMs}`.execute(db);
  };

  return {
    /** Erases the account and returns the receipt; a repeated call returns the same receipt. */
    run: async (userId: string, receiptId: string): Promise<DeletionReceipt> => {
      const existingDeletion = await readByReceipt(db, receiptId);
      if (existingDeletion && existingDeletion.user_id !== userId) {
        throw new ApiError("request.malformed", { field: "receipt_id" });
      }
      const deletion = await begin(userId, receiptId);
      if (deletion.finished_at_ms === null) await finish(deletion);
      return await buildReceipt((await readDeletion(db, userId))!);
    },
    receipt: async (receiptId: string): Promise<DeletionReceipt> => {
      const deletion = await readByReceipt(db, receiptId);
      if (!deletion) throw new ApiError("account.receipt_unknown");
      return await buildReceipt(deletion);
    },
    resume,
  };
}
