import { sql } from "kysely";
import { deriveKeyJournalId } from "#core/ledger/ids.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { AcknowledgedChange } from "../record.ts";
import type { CrashReport, Expectation } from "./types.ts";

const perQuery = 5_000;

/**
 * Checks that every money call that was acknowledged is posted once under its key and moved what
 * its answer said, and that nothing is posted that was acknowledged to no one.
 */
export async function checkJournals(
  database: Database,
  { record, openKeys }: Expectation,
  report: CrashReport,
): Promise<void> {
  const postedChanges = record.filter(({ balanceChanges }) => balanceChanges !== null);
  // Kinds posted under a person's key: one of them under any other id was acknowledged to no one.
  const kinds = new Set<string>();
  for (let index = 0; index < postedChanges.length; index += perQuery)
    await compareMoves(database, postedChanges.slice(index, index + perQuery), kinds, report);
  await comparePending(database, record, report);
  const knownIds = new Set(postedChanges.map(({ userId, key }) => deriveKeyJournalId(userId, key)));
  const unanswered = new Set(
    [...openKeys]
      .filter(([, { kind }]) => !kind.startsWith("console."))
      .map(([key, { userId }]) => deriveKeyJournalId(userId, key)),
  );
  const { rows } = await sql<{ id: string; kind: string }>`
    select j.id, j.kind from journal j where j.kind = any(${[...kinds]})
      and not exists (
        select from entry e join account a on a.id = e.account
          join user_attempt t on t.attempt_id = a.attempt_id and t.number = 1
        where j.kind = 'attempt.start' and e.journal_id = j.id
      )`.execute(database.db);
  let stand = 0;
  for (const { id, kind } of rows) {
    if (unanswered.has(id)) stand += 1;
    else if (!knownIds.has(id)) report.duplicates.push(`no client was told of ${kind} ${id}`);
  }
  report.indefinite.existing += stand;
  report.indefinite.absent += unanswered.size - stand;
}

async function compareMoves(
  { db }: Database,
  recharged: readonly AcknowledgedChange[],
  kinds: Set<string>,
  report: CrashReport,
): Promise<void> {
  const ids = recharged.map(({ userId, key }) => deriveKeyJournalId(userId, key));
  const { rows } = await sql<{ id: string; kind: string; moved: Record<string, string> | null }>`
    select j.id, j.kind, (
      select jsonb_object_agg(coin, amount::text) from (
        select a.coin, sum(e.amount) as amount
        from entry e join account a on a.id = e.account
        where e.journal_id = j.id and a.kind = 'wallet' and not a.house and a.owner = asked.owner
        group by a.coin
      ) per_coin
    ) as moved
    from unnest(${ids}::uuid[], ${recharged.map(({ userId }) => userId)}::text[]) as asked (id, owner)
      join journal j on j.id = asked.id`.execute(db);
  for (const { kind } of rows) kinds.add(kind);
  const changesById = new Map(rows.map(({ id, moved }) => [id, moved ?? {}]));
  for (const [index, { kind, balanceChanges }] of recharged.entries()) {
    const id = ids[index]!;
    const actual = changesById.get(id);
    if (!actual) report.losses.push(`${kind} ${id} was acknowledged and is not posted`);
    else if (!sameAmounts(actual, balanceChanges!)) {
      const [actualText, statedText] = [JSON.stringify(actual), JSON.stringify(balanceChanges)];
      report.imbalances.push(`${kind} ${id} moved ${actualText}; its answer said ${statedText}`);
    }
  }
}

function sameAmounts(item: Record<string, string>, two: Record<string, string>): boolean {
  const coins = new Set([...Object.keys(item), ...Object.keys(two)]);
  return [...coins].every((coin) => BigInt(item[coin] ?? 0) === BigInt(two[coin] ?? 0));
}

/** A recharge posts nothing under its key: it waits for its review, and is credited once. */
async function comparePending(
  { db }: Database,
  record: readonly AcknowledgedChange[],
  report: CrashReport,
): Promise<void> {
  const recharged = record.filter(({ kind }) => kind === "recharge");
  const { rows } = await sql<{ id: string; outcome: string | null; credits: bigint }>`
    select r.id, r.outcome, (select count(*) from journal j where j.id = r.journal_id) as credits
    from recharge r`.execute(db);
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  for (const { userId, key } of recharged) {
    const id = deriveKeyJournalId(userId, key);
    if (!rowsById.has(id)) report.losses.push(`recharge ${id} was acknowledged and is missing`);
  }
  for (const { id, outcome, credits } of rows) {
    if (credits !== (outcome === "credited" ? 1n : 0n))
      report.imbalances.push(`recharge ${id} is ${outcome ?? "open"} with ${credits} credits`);
  }
}

/** Withdrawals that should have left long ago, and recharges that should have been decided. */
export async function countOverdue({ db }: Database): Promise<number> {
  const { rows } = await sql<{ overdue: bigint }>`
    with now as (
      select clock_world_ms + (extract(epoch from clock_timestamp()) * 1000 - clock_real_ms) * speed
        as world_ms from world
    )
    select (select count(*) from withdrawal, now where outcome is null and cancel_until_ms < world_ms)
      + (select count(*) from recharge, now where outcome is null and due_at_ms < world_ms)
      as overdue`.execute(db);
  return Number(rows[0]!.overdue);
}
