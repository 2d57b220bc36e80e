import { sql } from "kysely";
import type { Catalogue } from "#server/mining/catalogue.ts";
import type { Db } from "#server/platform/db/database.ts";

/** As defined in server/records; domains do not import each other. */
type Fact = string | number | boolean | null | { amount: string; coin: "pUSDT" | "pBTC" };
export interface Explanation {
  facts: Record<string, Fact>;
  link?: string;
}

interface Row {
  journal_id: string;
  what: "lease" | "refund" | "payout";
  lease_id: string | null;
  terms_hash: string;
  quantity: number | null;
  days: number | null;
  price: bigint | null;
  power: bigint | null;
}

const usdt = (amount: bigint) => ({ amount: String(amount), coin: "pUSDT" as const });

/**
 * Explains mining's journals. A payout's journal pays many leases, so its explanation names only
 * the machine; each leg names its lease.
 */
export async function explainMining(
  db: Db,
  catalogue: Catalogue,
  journalIds: string[],
): Promise<Map<string, Explanation>> {
  const { rows } = await sql<Row>`
    select id as journal_id, 'lease' as what, id::text as lease_id, encode(terms_hash, 'hex') as terms_hash, quantity, days,
      price_per_day * days as price, power_per_day * days as power
    from mining_lease where id = any(${journalIds}::uuid[])
    union all
    select refund_id, 'refund', id::text, encode(terms_hash, 'hex'), quantity, days - days_to_work, refund_price, refund_power
    from mining_lease where refund_id = any(${journalIds}::uuid[])
    union all
    select p.journal_id, 'payout', null, encode(l.terms_hash, 'hex'), null, null, null, null
    from (select journal_id, min(lease) as lease from mining_payout where journal_id = any(${journalIds}::uuid[]) group by journal_id) p
      join mining_lease l on l.seq = p.lease`.execute(db);
  const explanations = new Map<string, Explanation>();
  for (const row of rows) {
    const terms = (await catalogue.termsOf(row.terms_hash))?.terms;
    const machine = terms ? `${terms.maker} ${terms.model}` : row.terms_hash;
    if (row.what === "payout") {
      explanations.set(row.journal_id, { facts: { machine }, link: "/miningrecord" });
      continue;
    }
    const facts: Record<string, Fact> = { machine, quantity: row.quantity };
    facts[row.what === "lease" ? "days" : "unused_days"] = row.days;
    facts[row.what === "lease" ? "lease_price" : "refund_price"] = usdt(row.price ?? 0n);
    facts[row.what === "lease" ? "lease_power" : "refund_power"] = usdt(row.power ?? 0n);
    facts.terms_hash = row.terms_hash;
    explanations.set(row.journal_id, { facts, link: `/mining/record?lease_id=${row.lease_id}` });
  }
  return explanations;
}
