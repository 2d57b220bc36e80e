import { sql } from "kysely";
import { windowSeconds } from "#core/contracts/window.ts";
import { hashOf, type OrderDraft } from "#server/contracts/draft.ts";
import {
  type DoorRow,
  doorArguments,
  plain,
  resultsOf,
  texts,
} from "#server/ledger/postJournals.ts";
import type { Journal, PostResult, QuickPost } from "#server/ledger/types.ts";
import type { Parts } from "#server/platform/context.ts";
import { lockKey } from "#server/platform/db/database.ts";

/** SQLSTATE of `accept_orders` when somebody in the batch has limits of their own. */
const limitedState = "DD303";

/**
 * Accepts a batch of orders in one statement (server/migrations/300-contracts.sql). People with limits of their own, and a batch
 * whose second closed while it waited for the gate, go the common way.
 */
export function createQuickOrders(parts: Parts): QuickPost {
  const { database, clock } = parts;
  const gate = lockKey(database.schema, "gate");
  const accept = async (
    batch: readonly { journal: Journal; row: unknown }[],
  ): Promise<PostResult[] | null> => {
    const journals = batch.map(({ journal }) => journal);
    const atMs = clock.nowMs();
    const { rows } = await sql<DoorRow & { done: boolean }>`
      select done, outcomes, limit_keys, at_ms::text[] as at_ms from accept_orders(
        ${gate}::bigint, ${atMs}::bigint, ${doorArguments(journals)}, ${orderArguments(parts, batch, atMs)})`.execute(
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

function orderArguments(
  parts: Parts,
  batch: readonly { journal: Journal; row: unknown }[],
  atMs: number,
) {
  const drafts = batch.map(({ row }) => row as OrderDraft);
  const bytes = (hex: string) => `"\\\\x${hex}"`;
  const numbers = (of: (draft: OrderDraft) => number | bigint) => plain(drafts.map(of));
  const words = (of: (draft: OrderDraft) => string) => texts(drafts.map(of));
  const hashes = batch.map(({ journal }, index) =>
    bytes(hashOf(parts, journal.id, drafts[index]!, atMs)),
  );
  return sql`${words((d) => d.userId)}::text[], ${words((d) => d.attemptId)}::text[], ${numbers((d) => d.account)}::bigint[],
    ${words((d) => d.contract.id)}::text[], ${words((d) => d.direction)}::text[], ${numbers((d) => d.tier.seconds)}::integer[],
    ${numbers((d) => windowSeconds(d.tier.seconds))}::integer[], ${numbers((d) => d.tier.rangeBp)}::integer[],
    ${numbers((d) => d.tier.rateBp)}::integer[], ${numbers((d) => d.tier.feeBp)}::integer[],
    ${numbers((d) => d.stake)}::bigint[], ${numbers((d) => d.fee)}::bigint[],
    ${plain(drafts.map((d) => bytes(d.contract.terms.termsHash)))}::bytea[], ${plain(drafts.map((d) => bytes(d.salt)))}::bytea[],
    ${plain(hashes)}::bytea[]`;
}
