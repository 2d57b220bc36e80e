import type { Withdrawal } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { valuedBy } from "#core/wallet/valuation.ts";
import { computeWithdrawMinimum } from "#core/withdraw/withdraw.ts";
import { resolveAttempt } from "#server/ledger/ownAttempt.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { toPage } from "#server/platform/http/pagination.ts";
import type { Job } from "#server/platform/jobs.ts";
import type { Prices } from "#server/wallet/wallet.ts";
import { createWithdrawalEnding } from "#server/withdraw/ending.ts";
import { createWithdrawalPlacement } from "#server/withdraw/place.ts";
import {
  countCancelled,
  countPlaced,
  explainWithdrawals,
  listWithdrawals,
  readEndedBy,
  readOpen,
  readOwner,
  readWithdrawal,
  readWithdrewEverything,
  toPlacedView,
  toWithdrawalView,
  type WithdrawalQuery,
} from "#server/withdraw/store.ts";
import type { WithdrawOwner, WithdrawParams } from "#server/withdraw/types.ts";

export interface WithdrawDeps {
  ledger: Ledger;
  market: Prices;
}

/**
 * Withdrawals of a world (docs/rules/wallet.md, "Withdraw"). Registers the loop that lets them
 * leave and the 24-hour watchdog.
 */
export function createWithdraw(ctx: AppContext, { ledger, market: prices }: WithdrawDeps) {
  const { db } = ctx.database;
  const opening = { db, fieldEncryption: ctx.fieldEncryption };
  const placeWithdrawal = createWithdrawalPlacement(ctx, ledger, prices);
  const closing = createWithdrawalEnding(ctx, ledger);

  const toRow = async (userId: string, id: string) => {
    const row = await readWithdrawal(opening, userId, id);
    if (!row) throw new ApiError("withdraw.unknown");
    return row;
  };
  const find = async (userId: string, id: string): Promise<Withdrawal> =>
    toWithdrawalView(await toRow(userId, id), ctx.clock.nowMs());
  const findPlaced = async (userId: string, id: string): Promise<Withdrawal> =>
    toPlacedView(await toRow(userId, id));

  return {
    jobs: [
      { name: "withdraw.leave", everySeconds: 1, run: closing.completeDue },
      // A deliberately independent path: by real time, one at a time.
      { name: "withdraw.day", everySeconds: 60, run: closing.completeAfterOneDay },
    ] satisfies readonly Job[],
    /**
     * Places one under the journal `id`, which identifies it; throws if the rule refuses it and
     * changes nothing.
     */
    place: async (
      owner: WithdrawOwner,
      params: WithdrawParams,
      id: string,
      bodyHash: Uint8Array,
    ) => {
      await placeWithdrawal(
        await resolveAttempt(db, owner, params.attempt_id),
        params,
        id,
        bodyHash,
      );
      return findPlaced(owner.userId, id);
    },
    /** The first answer for a withdrawal, returned for a repeated key. */
    findPlaced,
    /** Throws `withdraw.unknown`. */
    find,
    /** The one that the journal `id` cancelled; null if it cancelled none. */
    findCancelled: async (userId: string, id: string): Promise<Withdrawal | null> => {
      const row = await readEndedBy(opening, userId, id);
      return row && toWithdrawalView(row, ctx.clock.nowMs());
    },
    /**
     * Cancels a pending one under the journal `id`. Throws `withdraw.unknown`, `withdraw.too_late`;
     * idempotent.
     */
    cancel: async (userId: string, withdrawalId: string, id: string, bodyHash: Uint8Array) => {
      const before = await find(userId, withdrawalId);
      if (before.outcome === null) await closing.cancel(withdrawalId, id, bodyHash);
      const after = await find(userId, withdrawalId);
      if (after.outcome !== "cancelled") throw new ApiError("withdraw.too_late");
      return after;
    },
    /**
     * Cancels a pending one, for a person who is deleting their account; false if it is no longer
     * pending.
     */
    cancelIfWaiting: (withdrawalId: string): Promise<boolean> => closing.cancel(withdrawalId),
    /** The person's open withdrawals at a moment of world time. */
    open: (from: Db | Tx, userId: string, worldMs: number) => readOpen(from, userId, worldMs),
    countPlaced: (fromRealMs: number, toRealMs: number) => countPlaced(db, fromRealMs, toRealMs),
    countCancelled: (ids: string[]): Promise<number> => countCancelled(db, ids),
    /**
     * Lets one leave immediately, for the console: it can only advance the time. Null if it was
     * already over, else what to do after the commit. The action is in the person's records.
     */
    payNow: closing.payNow,
    /** A withdrawal's owner, and true once it is over; null if there is no such withdrawal. */
    ownerOf: (id: string, tx: Tx) => readOwner(tx, id),
    list: async (userId: string, query: WithdrawalQuery) => {
      const rows = await listWithdrawals(opening, userId, query);
      const nowMs = ctx.clock.nowMs();
      const views = rows.map((row) => toWithdrawalView(row, nowMs));
      return toPage(query, views, query.page === 1 ? (rows[0]?.number ?? null) : null);
    },
    /** The current minimum for a part of the balance, and when the price behind it was taken. */
    minimum: (coin: Coin): { minimum: bigint | null; pricedAtMs: number | null } => {
      const symbol = valuedBy[coin];
      const latest = prices.latest();
      const index = symbol === null ? null : (latest?.index[symbol] ?? null);
      return {
        minimum: computeWithdrawMinimum(coin, index),
        pricedAtMs: symbol !== null && index !== null ? (latest?.secondMs ?? null) : null,
      };
    },
    /** Filters people to those who withdrew the whole balance of a coin without cancelling. */
    withdrewEverything: (userIds: readonly string[]) => readWithdrewEverything(db, userIds),
    explain: (journalIds: string[]) => explainWithdrawals(opening, journalIds),
    /**
     * Balances of one of the person's attempts, by default the session's. Throws
     * `attempts.unknown`.
     */
    balances: async (owner: WithdrawOwner, attemptId?: string) =>
      ledger.balances((await resolveAttempt(db, owner, attemptId)).attemptId),
    leaveDue: closing.completeDue,
    leaveAfterADay: closing.completeAfterOneDay,
    /** The ledger its routes post with. */
    ledger,
  };
}
export type Withdraw = ReturnType<typeof createWithdraw>;
