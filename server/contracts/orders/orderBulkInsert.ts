import { sql } from "kysely";
import type { ErrorName } from "#api/errors.ts";
import { getWindowSeconds } from "#core/contracts/settlementWindow.ts";
import { hashOrderDraft, type OrderDraft } from "#server/contracts/orders/draft.ts";
import { type PostRow, parseResults, postJournalsArgs } from "#server/ledger/postJournals.ts";
import type { BulkPath, Journal, PostedJournal, PostResult } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";

/** SQLSTATE of `accept_orders` when someone in the batch has self limits. */
const limitedSqlState = "DD303";

/**
 * Accepts a batch of orders in one statement (server/migrations/300-contracts.sql). Orders of
 * people with self limits, and a batch that cannot be accepted at its time, take the ledger's
 * fallback path, in whose transaction `insertOrders` writes them.
 */
export function createOrderBulkInsert(ctx: AppContext): BulkPath {
  const { database, clock } = ctx;
  const acceptLock = lockKey(database.schema, "accept");
  const accept = async (
    batch: readonly { journal: Journal; row: unknown }[],
  ): Promise<PostResult[] | null> => {
    const journals = batch.map(({ journal }) => journal);
    const atMs = clock.nowMs();
    const orders = batch.map(({ journal, row }) => orderRow(ctx, journal.id, row, atMs));
    const { rows } = await sql<PostRow & { done: boolean }>`
      select done, outcomes, limit_keys, at_ms::text[] as at_ms, tree_size::text as tree_size from accept_orders(
        ${acceptLock}::bigint, ${atMs}::bigint, ${clock.endMs}::bigint,
        row(${postJournalsArgs(journals)})::journal_batch, ${JSON.stringify(orders)}::json)`.execute(
      database.db,
    );
    return rows[0]!.done ? parseResults(journals, rows[0]!, atMs) : null;
  };
  return {
    accepts: (row) => !(row as OrderDraft).limited,
    post: async (batch) => {
      try {
        // A second may close between reading the clock and taking the lock; the retry then misses
        // that boundary, unless the clock is wrong.
        return (await accept(batch)) ?? (await accept(batch));
      } catch (error) {
        if ((error as { code?: unknown }).code === limitedSqlState) return null;
        throw error;
      }
    },
  };
}

/**
 * Writes the orders of posted journals in the transaction that posted them; throws the ApiError
 * that says why none can be accepted at that time.
 */
export async function insertOrders(
  ctx: AppContext,
  tx: Tx,
  postedJournals: PostedJournal[],
): Promise<void> {
  // A second may have closed, or the recording ended, between reading the clock and taking the
  // accept lock.
  const atMs = Math.min(...postedJournals.map((postedJournal) => postedJournal.atMs));
  const { rows } = await sql<{ refusal: ErrorName | null }>`
    select orders_refusal(${atMs}::bigint, ${ctx.clock.endMs}::bigint) as refusal`.execute(tx);
  const refusal = rows[0]!.refusal;
  if (refusal !== null) throw new ApiError(refusal);
  const orders = postedJournals.map(({ journal, row, atMs }) =>
    orderRow(ctx, journal.id, row, atMs),
  );
  await sql`select insert_orders(${JSON.stringify(orders)}::json, null)`.execute(tx);
}

/** An order as `insert_orders` takes it. */
function orderRow(ctx: AppContext, id: string, row: unknown, atMs: number) {
  const draft = row as OrderDraft;
  const { contract, tier } = draft;
  return {
    id,
    user_id: draft.userId,
    attempt_id: draft.attemptId,
    account: String(draft.account),
    contract_id: contract.id,
    direction: draft.direction,
    tier_seconds: tier.seconds,
    window_seconds: getWindowSeconds(tier.seconds),
    range_bp: tier.rangeBp,
    rate_bp: tier.rateBp,
    fee_bp: tier.feeBp,
    stake: String(draft.stake),
    fee: String(draft.fee),
    terms_hash: contract.terms.termsHash,
    accepted_at_ms: atMs,
    salt: draft.salt,
    order_hash: hashOrderDraft(ctx, id, draft, atMs),
    loss_day: draft.lossDay,
  };
}
