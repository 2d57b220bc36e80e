import { sql } from "kysely";
import type { PostOutcome } from "#core/ledger/outcomes.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Journal, PostResult } from "#server/ledger/types.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** The array parameters of `post_journals`, in order, after the time. */
interface Columns {
  ids: string[];
  bodyHashes: string[];
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
  holdIds: (string | null)[];
}

/** The row that `post_journals` returns for a batch. */
export interface PostRow {
  /** Null in the common all-posted case, to keep the answer small. */
  outcomes: PostOutcome[] | null;
  limit_keys: (string | null)[] | null;
  at_ms: string[] | null;
  tree_size: string;
}

/**
 * Calls `post_journals`; returns one result per journal, in order. See
 * server/migrations/100-ledger.sql.
 */
export async function postJournals(
  tx: Tx,
  journals: Journal[],
  atMs: number,
): Promise<PostResult[]> {
  if (journals.length === 0) return [];
  const { rows } = await sql<PostRow>`
    select case when mixed then outcomes end as outcomes, case when mixed then limit_keys end as limit_keys,
      case when mixed then at_ms::text[] end as at_ms, tree_size::text as tree_size
    from post_journals(
      ${atMs}::bigint, ${postJournalsArgs(journals)}),
      lateral (select not 'posted' = all (outcomes) as mixed) m`.execute(tx);
  return parseResults(journals, rows[0]!, atMs);
}

/** The parameters of `post_journals` after the time, for statements that call it directly. */
export function postJournalsArgs(journals: Journal[]) {
  const c = toColumns(journals);
  return sql`${arrayLiteral(c.ids)}::uuid[], ${arrayLiteral(c.bodyHashes)}::bytea[], ${textArrayLiteral(c.kinds)}::text[],
    ${textArrayLiteral(c.abouts)}::text[], ${arrayLiteral(c.legJournals)}::integer[], ${arrayLiteral(c.legAccounts)}::bigint[],
    ${arrayLiteral(c.legAmounts)}::bigint[], ${textArrayLiteral(c.legAbouts)}::text[],
    ${arrayLiteral(c.limitJournals)}::integer[], ${textArrayLiteral(c.limitKeys)}::text[], ${arrayLiteral(c.limitDeltas)}::bigint[],
    ${arrayLiteral(c.limitCaps)}::bigint[], ${arrayLiteral(c.holdJournals)}::integer[], ${textArrayLiteral(c.holdActions)}::text[],
    ${textArrayLiteral(c.holdIds)}::uuid[]`;
}

/** Maps the row of `post_journals` to one result per journal. */
export function parseResults(
  journals: Journal[],
  { outcomes, limit_keys: limitKeys, at_ms: times, tree_size }: PostRow,
  atMs: number,
): PostResult[] {
  const treeSize = Number(tree_size);
  return journals.map(({ id }, index) => {
    if (!outcomes || !times) return { id, outcome: "posted", atMs, treeSize };
    const limitKey = limitKeys?.[index];
    return {
      id,
      outcome: outcomes[index]!,
      atMs: Number(times[index]),
      treeSize,
      ...(limitKey ? { limitKey } : {}),
    };
  });
}

/**
 * An array literal of values that need no quoting. The driver's own serialiser escapes every value
 * and takes most of a batch's time.
 */
function arrayLiteral(values: (string | number | bigint)[]): string {
  return `{${values.join(",")}}`;
}

/** An array literal of texts, each quoted and escaped. */
function textArrayLiteral(values: (string | null)[]): string {
  return `{${values.map(toText).join(",")}}`;
}

function toText(value: string | null): string {
  if (value === null) return "NULL";
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, "\\$&") : value}"`;
}

function toColumns(journals: Journal[]): Columns {
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
    holdIds: [],
  };
  for (const [index, journal] of journals.entries()) {
    if (!isUuid(journal.id))
      throw new TypeError(`a journal's id must be a UUID, not ${journal.id}`);
    c.ids.push(journal.id);
    c.bodyHashes.push(`"\\\\x${Buffer.from(journal.bodyHash).toString("hex")}"`);
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
      c.holdIds.push(journal.hold.action === "place" ? null : journal.hold.of);
    }
  }
  return c;
}
