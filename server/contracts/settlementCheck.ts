import { sql } from "kysely";
import { computeSettlementPrice } from "#core/contracts/settlementWindow.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Recomputes every settlement price from the seconds of its window, while these are kept, and
 * compares the orders with it.
 */
export async function compareSettlements(tx: Tx, report: ReportFinding): Promise<void> {
  const windows = await sql<{
    contract_id: string;
    delivery_at_ms: bigint;
    window_seconds: number;
    samples: (string | bigint)[] | null;
  }>`
    select d.contract_id, d.delivery_at_ms, d.window_seconds,
      array_agg(s.index[c.ordinal]) filter (where s.index[c.ordinal] is not null) as samples
    from (select distinct contract_id, delivery_at_ms, window_seconds from contract_order
        where settled_at_ms is not null and delivery_at_ms is not null) d
      join contract c on c.id = d.contract_id
      left join market_second s on s.second_ms > d.delivery_at_ms - d.window_seconds * 1000
        and s.second_ms <= d.delivery_at_ms
    where d.delivery_at_ms - d.window_seconds * 1000 >= (select min(second_ms) from market_second)
    group by 1, 2, 3`.execute(tx);
  const key = (contract: string, deliveryMs: bigint, seconds: number) =>
    `${contract} ${deliveryMs} ${seconds}`;
  const priceOf = new Map(
    windows.rows.map((row) => {
      const samples = (row.samples ?? []).map(BigInt);
      const price = computeSettlementPrice(samples, row.window_seconds);
      const { contract_id: contract, delivery_at_ms: deliveryMs, window_seconds: seconds } = row;
      return [key(contract, deliveryMs, seconds), price.ok ? price.price : null];
    }),
  );
  const { rows } = await sql<{
    id: string;
    contract_id: string;
    delivery_at_ms: bigint | null;
    window_seconds: number;
    selling_price: bigint | null;
    outcome: string;
    void_reason: string | null;
  }>`
    select id, contract_id, delivery_at_ms, window_seconds, selling_price, outcome, void_reason
    from contract_order where settled_at_ms is not null`.execute(tx);
  for (const row of rows) {
    const { contract_id: contract, delivery_at_ms: deliveryMs, window_seconds: seconds } = row;
    const price = deliveryMs === null ? null : priceOf.get(key(contract, deliveryMs, seconds));
    if (price === undefined) continue;
    const reason = deliveryMs === null ? "no_entry" : price === null ? "few_samples" : null;
    const matches =
      row.selling_price === price &&
      row.void_reason === reason &&
      (row.outcome === "void") === (price === null);
    if (!matches) report("contracts.settlement", `order ${row.id} is not what its window gives`);
  }
}
