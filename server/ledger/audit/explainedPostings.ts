import { type RawBuilder, sql } from "kysely";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * The postings on people's accounts that a domain's rows explain, as a query of `kind` and `ref`
 * (text), `attempt_id`, `account_kind`, `coin` and `amount`. `ref` is the subject of a leg; without
 * one the subject of its journal; without that the journal's id.
 */
export type ExpectedPostings = RawBuilder<unknown>;

/**
 * Compares every posting of these kinds on people's accounts with the rows, in both directions: a
 * balanced journal written past the ledger has no row that explains it. An empty query says that
 * these kinds move no person's money.
 */
export async function comparePostings(
  tx: Tx,
  report: ReportFinding,
  kinds: readonly string[],
  postings: ExpectedPostings | null,
): Promise<void> {
  const { rows } = await sql<{ kind: string; ref: string; posted: string; stated: string }>`
    with posted as (
      select j.kind, coalesce(e.about, j.about, j.id::text) as ref, a.attempt_id,
        a.kind as account_kind, a.coin, sum(e.amount)::numeric as amount
      from entry e join journal j on j.id = e.journal_id join account a on a.id = e.account
      where not a.house and j.kind = any(${[...kinds]}::text[])
      group by 1, 2, 3, 4, 5),
    stated as (
      select kind, ref, attempt_id, account_kind, coin, sum(amount)::numeric as amount
      from (${postings ?? noRows}) s group by 1, 2, 3, 4, 5)
    select coalesce(p.kind, s.kind) as kind, coalesce(p.ref, s.ref) as ref,
      coalesce(p.amount, 0)::text as posted, coalesce(s.amount, 0)::text as stated
    from posted p full join stated s using (kind, ref, attempt_id, account_kind, coin)
    where coalesce(p.amount, 0) <> coalesce(s.amount, 0)`.execute(tx);
  for (const row of rows)
    report(
      "posting.explained",
      `${row.kind} ${row.ref}: ${row.posted} was posted, its rows say ${row.stated}`,
    );
}

const noRows = sql`select ''::text as kind, ''::text as ref, ''::text as attempt_id,
  ''::text as account_kind, ''::text as coin, 0::bigint as amount where false`;
