import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { quoteExchange } from "#core/exchange/exchange.ts";
import type { Coin } from "#core/money/coins.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { toStepView } from "#server/exchange/views.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { readWorldLeaf } from "#server/transparency-log/boundRows.ts";

/**
 * Compares exchanges with their journals, and their terms with the rule applied to the logged index
 * of their second. Reads every row.
 */
export const reconcileExchanges =
  (world: string): AuditCheck =>
  async (tx, report) => {
    await comparePostings(
      tx,
      report,
      ["exchange.execute"],
      sql`select 'exchange.execute' as kind, quote_id::text as ref, attempt_id,
        'wallet' as account_kind, from_coin as coin, -given as amount from exchange
      union all select 'exchange.execute', quote_id::text, attempt_id, 'wallet', to_coin, received
        from exchange`,
    );
    const { rows } = await sql<{ id: string }>`
    select x.journal_id as id from exchange x join journal j on j.id = x.journal_id
    where j.at_ms <> x.at_ms or (
      select array_agg((t.coin, t.sum) order by t.coin) from (
        select a.coin, sum(e.amount) as sum from entry e join account a on a.id = e.account
        where e.journal_id = x.journal_id and (a.owner, a.attempt_id) = (x.user_id, x.attempt_id)
        group by a.coin) t)
      is distinct from (
      select array_agg((t.coin, t.sum) order by t.coin)
      from (values (x.from_coin, -x.given::numeric), (x.to_coin, x.received::numeric)) t (coin, sum))
    union all
    select x.journal_id from exchange x
      where not exists (select from journal j where j.id = x.journal_id)
    union all
    select j.id from journal j where j.kind = 'exchange.execute'
      and not exists (select from exchange x where x.journal_id = j.id)`.execute(tx);
    for (const { id } of rows) report("exchange.exchange", `${id} is not what was posted`);
    await compareTerms(tx, report, world);
  };

async function compareTerms(tx: Tx, report: ReportFinding, world: string): Promise<void> {
  const leaf = await readWorldLeaf(tx);
  if (!leaf) return;
  const places = leaf.symbols.map(({ name }) => name as string);
  const { rows } = await sql<{
    journal_id: string;
    from_coin: Coin;
    to_coin: Coin;
    given: bigint;
    received: bigint;
    at_index: bigint;
    steps: unknown;
    index_second_ms: bigint;
    bytes: Buffer | null;
  }>`select x.*, l.bytes from exchange x left join log_leaf l on l.leaf = x.index_leaf`.execute(tx);
  for (const row of rows) {
    const second = row.bytes && decodeSecond(new Uint8Array(row.bytes), worldTag(world));
    const params = { from: row.from_coin, to: row.to_coin, given: row.given };
    const result = second?.ok
      ? quoteExchange(params, (name) => second.value.index[places.indexOf(name)] ?? null)
      : null;
    const matches =
      second?.ok &&
      second.value.secondMs === Number(row.index_second_ms) &&
      result?.ok &&
      result.quote.received === row.received &&
      result.quote.atIndex === row.at_index &&
      isDeepStrictEqual(result.quote.steps.map(toStepView), row.steps);
    if (!matches)
      report("exchange.terms", `${row.journal_id} is not what its second's index gives`);
  }
}
