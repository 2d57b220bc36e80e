import { sql } from "kysely";
import type { Voids } from "#core/transparency-log/dayLeaf.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Void orders by the second that ended them: delivery, or the second at which their entry came too
 * late; null while an order of that time is not settled.
 */
export async function countVoids(tx: Tx, fromMs: number, toMs: number): Promise<Voids | null> {
  const { rows } = await sql<{ open: boolean; no_entry: bigint; few_samples: bigint }>`
    select
      exists (select from contract_order
        where settled_at_ms is null and due_at_ms >= ${fromMs} and due_at_ms < ${toMs}) as open,
      count(*) filter (where void_reason = 'no_entry') as no_entry,
      count(*) filter (where void_reason = 'few_samples') as few_samples
    from contract_order
    where outcome = 'void' and due_at_ms >= ${fromMs} and due_at_ms < ${toMs}`.execute(tx);
  const { open, no_entry: noEntry, few_samples: fewSamples } = rows[0]!;
  return open ? null : { noEntry: Number(noEntry), fewSamples: Number(fewSamples) };
}
