import { sql } from "kysely";
import { uuidPattern } from "#core/ledger/uuid.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Facts about a person's records; server/records/types.ts defines them. */
export interface HostingExplanation {
  facts: Record<string, string | number | null>;
  link: string;
}

interface Row {
  journal_id: string;
  pool_id: string;
  kind: string;
  nav: bigint | null;
  mark_at_ms: bigint | null;
}

/**
 * Explains hosting's journals in records: the pool and, for payments at a mark, its time and NAV.
 * Uses one statement.
 */
export async function explainHosting(
  db: Db,
  journalIds: string[],
): Promise<Map<string, HostingExplanation>> {
  const { rows } = await sql<Row>`
    select j.id as journal_id, j.kind, o.pool_id, o.nav, o.mark_at_ms
    from journal j
      cross join lateral (
        select o.pool_id, case when j.kind = 'hosting.redeem' then o.nav end as nav,
          case when j.kind = 'hosting.redeem' then o.mark_at_ms end as mark_at_ms
        from hosting_order o
        where o.id = case when j.kind in ('hosting.subscribe', 'hosting.ask') then j.id
          else (select e.about::uuid from entry e where e.journal_id = j.id and e.about ~ ${uuidPattern.source} limit 1) end) o
    where j.id = any(${journalIds}::uuid[]) and j.kind in ('hosting.subscribe', 'hosting.ask', 'hosting.redeem', 'hosting.return')`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.journal_id,
      {
        facts: {
          pool: row.pool_id,
          ...(row.nav === null ? {} : { nav: formatDecimal(row.nav, 8, true) }),
          ...(row.mark_at_ms === null ? {} : { mark_at_ms: Number(row.mark_at_ms) }),
        },
        link: `/ai/product?product_id=${row.pool_id}`,
      },
    ]),
  );
}
