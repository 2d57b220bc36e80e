import { sql } from "kysely";
import { deriveJournalId, hashBody } from "#core/ledger/ids.ts";
import { isPosted } from "#core/ledger/outcomes.ts";
import { withdrawCancelMs, withdrawLatestMs } from "#core/withdraw/withdraw.ts";
import type { Journal, Ledger, Leg } from "#server/ledger/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import {
  type FieldEncryption,
  KeyDestroyedError,
} from "#server/platform/crypto/fieldEncryption.ts";
import { lockShared } from "#server/platform/db/acceptLock.ts";
import type { Tx } from "#server/platform/db/database.ts";
import {
  cancelKind,
  completionKind,
  type EndedBy,
  type PayNowAction,
  type StoredWithdrawal,
} from "#server/withdraw/types.ts";

/** Withdrawals that leave in one transaction. */
const batchSize = 200;

/**
 * How a withdrawal ends. Locks its row first: if leaving and cancelling race, one finds it open and
 * wins.
 */
export function createWithdrawalEnding(ctx: AppContext, ledger: Ledger) {
  /**
   * Lets the locked withdrawals leave; rows whose journal did not post stay open and are reported.
   */
  const completeLocked = async (
    tx: Tx,
    rows: StoredWithdrawal[],
    endedBy: EndedBy,
    act: PayNowAction | null = null,
  ): Promise<StoredWithdrawal[]> => {
    const atMs = ctx.clock.nowMs();
    const journals: Journal[] = [];
    for (const row of rows) journals.push(await completionJournal(ledger, row, tx));
    const results = await ledger.postIn(tx, journals, atMs);
    const completedRows = rows.filter((_, index) => isPosted(results[index]!.outcome));
    for (const [index, { outcome }] of results.entries()) {
      if (!isPosted(outcome)) {
        ctx.logger.error(
          { withdrawal: rows[index]!.id, outcome },
          "withdrawal did not leave; will retry",
        );
      }
    }
    await endRows(ctx, tx, completedRows, {
      outcome: "left",
      by: endedBy,
      atMs,
      kind: completionKind,
      act,
    });
    return completedRows;
  };

  /**
   * Lets withdrawals leave whose cancelling time is over, in world time or in real time, in batches;
   * returns how many left. A class that pauses world time holds none up.
   */
  const completeDue = async (): Promise<number> => {
    let count = 0;
    for (;;) {
      const placedByMs = ctx.realClock.nowMs() - withdrawCancelMs;
      const { rows: dueRows } = await sql<StoredWithdrawal>`
        select * from withdrawal where outcome is null
          and (cancel_until_ms <= ${ctx.clock.nowMs()} or placed_real_ms <= ${placedByMs})
        order by cancel_until_ms, id limit ${batchSize}`.execute(ctx.database.db);
      if (dueRows.length === 0) return count;
      // Avoids opening or looking up an account under the accept lock, where others wait.
      await Promise.all(dueRows.map((row) => completionAccounts(ledger, row)));
      const completedRows = await ledger.transact(async (tx) => {
        const { rows } = await sql<StoredWithdrawal>`
          select * from withdrawal where id = any(${dueRows.map(({ id }) => id)}::uuid[]) and outcome is null
          order by cancel_until_ms, id for update skip locked`.execute(tx);
        return await completeLocked(tx, rows, "time");
      });
      count += completedRows.length;
      if (dueRows.length < batchSize || completedRows.length === 0) return count;
    }
  };

  /**
   * Lets one leave in the caller's transaction, which holds the accept lock; null if it is already
   * over.
   */
  const completeIn = async (tx: Tx, id: string, by: EndedBy, act: PayNowAction | null = null) => {
    const { rows } = await sql<StoredWithdrawal>`
      select * from withdrawal where id = ${id} and outcome is null for update`.execute(tx);
    const [completedRow = null] = await completeLocked(tx, rows, by, act);
    return completedRow;
  };

  /** Lets one leave now; false if it is already over. */
  const complete = async (id: string, endedBy: EndedBy): Promise<boolean> => {
    const completedRow = await ledger.transact((tx) => completeIn(tx, id, endedBy));
    return completedRow !== null;
  };

  /**
   * Lets one leave in an operator's transaction; null if it is already over, else what to do after
   * the commit.
   */
  const payNow = async (tx: Tx, id: string, act: PayNowAction): Promise<(() => void) | null> => {
    await lockShared(tx, ctx.database.schema);
    const completedRow = await completeIn(tx, id, "operator", act);
    return completedRow && (() => ledger.notifyPosted([completedRow.user_id]));
  };

  /**
   * The 24 hours, in real time, which need neither market nor world time: one withdrawal per
   * transaction, so that none waits for another. A clock set back by a day counts as a day too.
   */
  const completeAfterOneDay = async (): Promise<number> => {
    const nowMs = ctx.realClock.nowMs();
    const { rows } = await sql<{ id: string }>`
      select id from withdrawal where outcome is null and abs(${nowMs} - placed_real_ms) >= ${withdrawLatestMs}
      order by placed_real_ms limit 10000`.execute(ctx.database.db);
    let count = 0;
    for (const { id } of rows) {
      try {
        if (await complete(id, "day")) count += 1;
      } catch (error) {
        ctx.logger.error(
          { err: error, withdrawal: id },
          "withdrawal past its day did not leave; will retry",
        );
      }
    }
    return count;
  };

  /**
   * Cancels a pending one under the journal `id`, as only its owner can ask; false if it is no
   * longer pending.
   */
  const cancel = async (
    withdrawalId: string,
    id: string = deriveJournalId(cancelKind, withdrawalId),
    bodyHash: Uint8Array = hashBody(ledger.world, cancelKind, { withdrawal: withdrawalId }),
  ): Promise<boolean> => {
    const cancelledRow = await ledger.transact(async (tx) => {
      const { rows } = await sql<StoredWithdrawal>`
        select * from withdrawal where id = ${withdrawalId} and outcome is null for update`.execute(
        tx,
      );
      const row = rows[0];
      const atMs = ctx.clock.nowMs();
      if (!row || Number(row.cancel_until_ms) <= atMs) return [];
      const journal = await cancelJournal(ledger, row, tx, id, bodyHash);
      const [result] = await ledger.postIn(tx, [journal], atMs);
      if (!result || !isPosted(result.outcome)) return [];
      await endRows(ctx, tx, [row], {
        outcome: "cancelled",
        by: "person",
        atMs,
        kind: cancelKind,
        act: null,
        journal: id,
      });
      return [row];
    });
    return cancelledRow.length > 0;
  };

  return {
    completeDue: completeDue,
    complete: complete,
    payNow,
    completeAfterOneDay: completeAfterOneDay,
    cancel,
  };
}

async function completionAccounts(ledger: Ledger, row: StoredWithdrawal, tx?: Tx) {
  const { user_id: userId, attempt_id: attemptId, coin } = row;
  return {
    held: await ledger.account({ userId, attemptId }, "held", coin, tx),
    outside: await ledger.account("house", "outside", coin, tx),
    fees: await ledger.account("house", "fees", coin, tx),
  };
}

async function completionJournal(ledger: Ledger, row: StoredWithdrawal, tx: Tx): Promise<Journal> {
  const { id, amount, fee } = row;
  const { held, outside, fees } = await completionAccounts(ledger, row, tx);
  const legs: Leg[] = [
    { account: held, amount: -amount },
    { account: outside, amount: amount - fee },
  ];
  if (fee > 0n) legs.push({ account: fees, amount: fee });
  return {
    id: deriveJournalId(completionKind, id),
    kind: completionKind,
    bodyHash: hashBody(ledger.world, completionKind, { withdrawal: id }),
    legs,
    hold: { action: "post", of: id },
    about: id,
  };
}

async function cancelJournal(
  ledger: Ledger,
  row: StoredWithdrawal,
  tx: Tx,
  id: string,
  bodyHash: Uint8Array,
): Promise<Journal> {
  const owner = { userId: row.user_id, attemptId: row.attempt_id };
  const heldAccount = await ledger.account(owner, "held", row.coin, tx);
  const wallet = await ledger.account(owner, "wallet", row.coin, tx);
  return {
    id,
    kind: cancelKind,
    bodyHash,
    legs: [
      { account: heldAccount, amount: -row.amount },
      { account: wallet, amount: row.amount },
    ],
    hold: { action: "void", of: row.id },
    about: row.id,
  };
}

interface WithdrawalEnd {
  outcome: "left" | "cancelled";
  by: EndedBy;
  atMs: number;
  kind: string;
  act: PayNowAction | null;
  journal?: string;
}

async function endRows(
  { fieldEncryption }: Pick<AppContext, "fieldEncryption">,
  tx: Tx,
  rows: StoredWithdrawal[],
  ending: WithdrawalEnd,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const journals = ids.map((id) => ending.journal ?? deriveJournalId(ending.kind, id));
  const { reason = null, ...who } = ending.act ?? {};
  const act = ending.act === null ? null : JSON.stringify(who);
  // An action is about one withdrawal. If the person's account was deleted, nothing readable is
  // stored.
  const encrypted =
    reason && (await encryptUnlessDestroyed(fieldEncryption, rows[0]!.user_id, reason));
  await sql`
    update withdrawal w set outcome = ${ending.outcome}, ended_by = ${ending.by}, ended_at_ms = ${ending.atMs},
      ended_journal = e.journal, early_payment = ${act}::jsonb, early_payment_reason_encrypted = ${encrypted}
    from unnest(${ids}::uuid[], ${journals}::uuid[]) e (id, journal)
    where w.id = e.id`.execute(tx);
}

async function encryptUnlessDestroyed(
  fieldEncryption: FieldEncryption,
  userId: string,
  text: string,
) {
  return await fieldEncryption.encrypt(userId, text).catch((error: unknown) => {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  });
}
