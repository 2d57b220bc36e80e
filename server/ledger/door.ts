import { sql } from "kysely";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import type { Journal, PostResult } from "#server/ledger/types.ts";
import type { Tx } from "#server/platform/db.ts";

/** The arrays of `post_journals` in the order of its parameters, after the time. */
interface Columns {
  ids: string[];
  bodyHashes: Uint8Array[];
  kinds: string[];
  abouts: (string | null)[];
  legJournals: number[];
  legAccounts: bigint[];
  legAmounts: bigint[];
  legAbouts: (string | null)[];
  limitJournals: number[];
  limitKeys: string[];
  limitDeltas: bigint[];
  limitCaps: bigint[];
  holdJournals: number[];
  holdActions: string[];
  holdOfs: (string | null)[];
}

/** Calls the SQL door: one result per journal, in order. See server/migrations/100-ledger.sql. */
export async function postJournals(
  tx: Tx,
  journals: Journal[],
  atMs: number,
): Promise<PostResult[]> {
  if (journals.length === 0) return [];
  const c = columnsOf(journals);
  const bytes = c.bodyHashes.map((hash) => `\\x${Buffer.from(hash).toString("hex")}`);
  const { rows } = await sql<{
    outcomes: PostOutcome[];
    limit_keys: (string | null)[];
    at_ms: string[];
  }>`
    select outcomes, limit_keys, at_ms::text[] as at_ms from post_journals(
      ${atMs}::bigint, ${c.ids}::uuid[], ${bytes}::bytea[], ${c.kinds}::text[], ${c.abouts}::text[],
      ${c.legJournals}::integer[], ${c.legAccounts}::bigint[], ${c.legAmounts}::bigint[], ${c.legAbouts}::text[],
      ${c.limitJournals}::integer[], ${c.limitKeys}::text[], ${c.limitDeltas}::bigint[], ${c.limitCaps}::bigint[],
      ${c.holdJournals}::integer[], ${c.holdActions}::text[], ${c.holdOfs}::uuid[])`.execute(tx);
  const { outcomes, limit_keys: limitKeys, at_ms: times } = rows[0]!;
  return journals.map(({ id }, index) => {
    const limitKey = limitKeys[index];
    return {
      id,
      outcome: outcomes[index]!,
      atMs: Number(times[index]),
      ...(limitKey ? { limitKey } : {}),
    };
  });
}

function columnsOf(journals: Journal[]): Columns {
  const c: Columns = {
    ids: [],
    bodyHashes: [],
    kinds: [],
    abouts: [],
    legJournals: [],
    legAccounts: [],
    legAmounts: [],
    legAbouts: [],
    limitJournals: [],
    limitKeys: [],
    limitDeltas: [],
    limitCaps: [],
    holdJournals: [],
    holdActions: [],
    holdOfs: [],
  };
  for (const [index, journal] of journals.entries()) {
    c.ids.push(journal.id);
    c.bodyHashes.push(journal.bodyHash);
    c.kinds.push(journal.kind);
    c.abouts.push(journal.about ?? null);
    for (const leg of journal.legs) {
      c.legJournals.push(index + 1);
      c.legAccounts.push(leg.account);
      c.legAmounts.push(leg.amount);
      c.legAbouts.push(leg.about ?? null);
    }
    for (const limit of journal.limits ?? []) {
      c.limitJournals.push(index + 1);
      c.limitKeys.push(limit.key);
      c.limitDeltas.push(limit.delta);
      c.limitCaps.push(limit.cap);
    }
    if (journal.hold) {
      c.holdJournals.push(index + 1);
      c.holdActions.push(journal.hold.action);
      c.holdOfs.push(journal.hold.action === "place" ? null : journal.hold.of);
    }
  }
  return c;
}
