import { sql } from "kysely";
import type { ErrorName } from "#api/errors.ts";
import { windowSeconds } from "#core/contracts/window.ts";
import { hashOf, type OrderDraft } from "#server/contracts/draft.ts";
import { type DoorRow, doorArguments, resultsOf } from "#server/ledger/postJournals.ts";
import type { Journal, Posted, PostResult, QuickPost } from "#server/ledger/types.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import { lockKey, type Tx } from "#server/platform/db/database.ts";

/** SQLSTATE of `accept_orders` when somebody in the batch has limits of their own. */
const limitedState = "DD303";

/**
 * Accepts a batch of orders in one statement (server/migrations/300-contracts.sql). Orders of
 * people with limits of their own, and a batch that cannot be accepted at its time, fall back to the
 * ledger's generic path, in whose transaction `insertOrders` writes them.
 */
export function createQuickOrders(parts: Parts): QuickPost {
  const { database, clock } = parts;
  const gate = lockKey(database.schema, "gate");
  const accept = async (
    batch: readonly { journal: Journal; row: unknown }[],
  ): Promise<PostResult[] | null> => {
    const journals = batch.map(({ journal }) => journal);
    const atMs = clock.nowMs();
    const orders = batch.map(({ journal, row }) => orderRow(parts, journal.id, row, atMs));
    const { rows } = await sql<DoorRow & { done: boolean }>`
      select done, outcomes, limit_keys, at_ms::text[] as at_ms from accept_orders(
        ${gate}::bigint, ${atMs}::bigint, ${clock.endMs}::bigint,
        row(${doorArguments(journals)})::journal_batch, ${JSON.stringify(orders)}::json)`.execute(
      database.db,
    );
    return rows[0]!.done ? resultsOf(journals, rows[0]!, atMs) : null;
  };
  return {
    takes: (row) => !(row as OrderDraft).limited,
    post: async (batch) => {
      try {
        // Of two looks at the clock one falls between two seconds, unless the clock is wrong.
        return (await accept(batch)) ?? (await accept(batch));
      } catch (error) {
        if ((error as { code?: unknown }).code === limitedState) return null;
        throw error;
      }
    },
  };
}

/**
 * Writes the orders of posted journals in the transaction that posted them, or throws the Refusal
 * that names why none can be accepted at that time.
 */
export async function insertOrders(parts: Parts, tx: Tx, posted: Posted[]): Promise<void> {
  // Between the look at the clock and the gate a second may have closed, or the recording ended.
  const atMs = Math.min(...posted.map((one) => one.atMs));
  const { rows } = await sql<{ refusal: ErrorName | null }>`
    select orders_refusal(${atMs}::bigint, ${parts.clock.endMs}::bigint) as refusal`.execute(tx);
  const refusal = rows[0]!.refusal;
  if (refusal !== null) throw new Refusal(refusal);
  const orders = posted.map(({ journal, row, atMs }) => orderRow(parts, journal.id, row, atMs));
  await sql`select insert_orders(${JSON.stringify(orders)}::json, null)`.execute(tx);
}

/** An order as `insert_orders` takes it. */
function orderRow(parts: Parts, id: string, row: unknown, atMs: number) {
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
    window_seconds: windowSeconds(tier.seconds),
    range_bp: tier.rangeBp,
    rate_bp: tier.rateBp,
    fee_bp: tier.feeBp,
    stake: String(draft.stake),
    fee: String(draft.fee),
    terms_hash: contract.terms.termsHash,
    accepted_at_ms: atMs,
    salt: draft.salt,
    order_hash: hashOf(parts, id, draft, atMs),
    loss_day: draft.lossDay,
  };
}
