import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares the stock limit rows of machines with the open leases. */
export const checkStock: AuditCheck = async (tx, report) => {
  const { rows } = await sql<{ product_id: string; used: bigint; leased: bigint }>`
    select m.product_id, coalesce(k.used, 0) as used, coalesce(o.leased, 0)::bigint as leased
    from mining_machine m
      left join ledger_limit k on k.key = 'mining.stock:' || m.product_id
      left join (select product_id, sum(quantity) as leased from mining_lease where next_due_ms is not null group by product_id) o
        on o.product_id = m.product_id
    where coalesce(k.used, 0) <> coalesce(o.leased, 0)`.execute(tx);
  for (const { product_id: productId, used, leased } of rows)
    report("mining.stock", `${productId}: ${used} counted as leased, ${leased} are`);
};
