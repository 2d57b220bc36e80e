import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { DeletionReceipt } from "#api/account.ts";
import { type BeginDeps, beginDeletion } from "#server/account/begin.ts";
import type { PersonalData } from "#server/account/personalData.ts";
import {
  type Deletion,
  noteErased,
  noteFinished,
  readByReceipt,
  readDeletion,
} from "#server/account/store.ts";
import { countPostings } from "#server/ledger/personPostings.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

export interface DeletionDeps extends BeginDeps {
  session: BeginDeps["session"] & {
    /** Ends every session of a person and tells the bus. */
    endSessions(userId: string): Promise<unknown>;
    mapping: {
      /** Which of these accounts are there and not erased. */
      unerased(userIds: readonly string[]): Promise<string[]>;
    };
  };
  withdraw: BeginDeps["withdraw"] & {
    /** Cancels one that still waits; does nothing otherwise. */
    cancelIfWaiting(withdrawalId: string): Promise<unknown>;
    /**
     * How many of what a deletion set out to cancel were cancelled; the rest had just left, or been
     * credited. The same of recharges.
     */
    countCancelled(ids: string[]): Promise<number>;
  };
  recharge: BeginDeps["recharge"] & {
    /** Cancels all recharges of an attempt that wait. */
    cancelWaiting(attemptId: string): Promise<unknown>;
    countCancelled(ids: string[]): Promise<number>;
  };
}

/** Requests that were under way when an account went have ended by then. */
const sweepAfterMs = 60_000;

/**
 * Deleting an account: one transaction takes the mapping away, and everything after it may be done
 * again, by the job too, until it is finished, whatever happens to the process in between.
 * The client names its deletion before it asks, because deleting ends the session that asked:
 * whatever became of the answer, the receipt can be read under that name without a session.
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
    const asked = { userId, receiptId, worldMs: clock.nowMs(), realMs: realClock.nowMs() };
    return db.transaction().execute((tx) => beginDeletion(tx, deps, database.schema, asked));
  };

  const eraseAll = async (userId: string, note: boolean) => {
    for (const { name, erase } of personalData()) {
      await erase(userId);
      if (note) await noteErased(db, userId, name, realClock.nowMs());
    }
  };

  const finish = async (deletion: Deletion): Promise<void> => {
    const { user_id: userId } = deletion;
    await session.endSessions(userId);
    for (const id of deletion.withdrawals) await withdraw.cancelIfWaiting(id);
    for (const attemptId of deletion.attempt_ids) await recharge.cancelWaiting(attemptId);
    await eraseAll(userId, true);
    // Last: until here every step can be repeated with what it needs to read.
    await fieldEncryption.destroyKey(userId);
    await noteFinished(db, userId, realClock.nowMs());
  };

  const receiptOf = async (deletion: Deletion): Promise<DeletionReceipt> => {
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
   * A copy of the database that was put back may hold accounts that were deleted after it was made:
   * the marks of their keys outlive it (docs/operating.md). Looked at once in the life of a
   * process, which starts anew after a restore. The receipt's id is a new one: the first was in
   * what is gone.
   */
  const deleteAgain = async (): Promise<void> => {
    const gone = await fieldEncryption.destroyedKeys();
    for (const userId of await session.mapping.unerased(gone)) {
      await begin(userId, randomUUID());
      logger.warn(
        { userId },
        "an account that was deleted had come back with a copy, and is deleted again",
      );
    }
  };
  let looked = false;

  /** Goes on with what was left unfinished; then looks once more for what late requests left. */
  const resume = async (): Promise<void> => {
    const nowMs = realClock.nowMs();
    if (!looked) await deleteAgain();
    looked = true;
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
        logger.error({ err: error }, "a deletion did not finish and is tried again");
      }
    }
    await sql`delete from account_exclusion where until_ms <= ${nowMs}`.execute(db);
  };

  return {
    /** Erases the account and gives the receipt; the same again for who asks twice. */
    run: async (userId: string, receiptId: string): Promise<DeletionReceipt> => {
      const taken = await readByReceipt(db, receiptId);
      if (taken && taken.user_id !== userId) {
        throw new ApiError("request.malformed", { field: "receipt_id" });
      }
      const begun = await begin(userId, receiptId);
      if (begun.finished_at_ms === null) await finish(begun);
      return await receiptOf((await readDeletion(db, userId))!);
    },
    receipt: async (receiptId: string): Promise<DeletionReceipt> => {
      const found = await readByReceipt(db, receiptId);
      if (!found) throw new ApiError("account.receipt_unknown");
      return await receiptOf(found);
    },
    resume,
  };
}
