import type { WalletRecord } from "#api/records.ts";
import type { Coin } from "#core/money/coins.ts";
import { checkRange, getPrefixes, type RecordGroup } from "#core/records/record.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Db } from "#server/platform/db/database.ts";
import { writeCursor } from "#server/records/cursor.ts";
import type { Explainers } from "#server/records/explainers.ts";
import {
  type OwnAccount,
  readLegs,
  type Selection,
  type SourceContext,
  type WalkRow,
} from "#server/records/sources.ts";
import type { RecordExplanation } from "#server/records/types.ts";
import { toRecord } from "#server/records/view.ts";
import { openWalk, type Walk } from "#server/records/walk.ts";

/**
 * Maximum entries examined per call; a page with filters may then be short although there are more.
 */
const budgetMax = 20_000;
const searchLeast = 4;

/** Filters on the records of an attempt. */
export interface RecordFilters {
  coin?: Coin | undefined;
  groups?: readonly RecordGroup[] | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
  search?: string | undefined;
}

export interface RecordQuery extends RecordFilters {
  page: number;
  page_size: number;
  before?: string | undefined;
}

export interface RecordPage {
  items: WalletRecord[];
  page: number;
  page_size: number;
  has_more: boolean;
  before: string | null;
  next: string | null;
}

/** Validates the filters; throws for a range or a search that cannot be answered. */
function getSelection(filters: RecordFilters, explained: readonly string[]): Selection {
  const { fromMs, toMs, groups } = filters;
  const range = checkRange(fromMs, toMs);
  if (range === "half") {
    throw new ApiError("request.malformed", { field: fromMs === undefined ? "from_ms" : "to_ms" });
  }
  if (range !== "fine") throw new ApiError(`records.range_${range}`);
  const search = filters.search?.trim().toLowerCase() ?? "";
  if (search !== "" && search.length < searchLeast) throw new ApiError("records.search_too_short");
  return {
    prefixes: groups === undefined ? null : groups.flatMap(getPrefixes),
    kinds: null,
    fromMs: fromMs ?? null,
    toMs: toMs ?? null,
    // No id or address contains LIKE's wildcards.
    search: search === "" ? null : search.replaceAll(/[\\%_]/g, "\\$&"),
    explained: search === "" ? [] : explained,
  };
}

/**
 * Opens a walk over the matching records. It relies on positions, which the ledger needs dense and
 * indexed anyway. A table of records, or an index by kind or time, would make every order of
 * everyone pay; instead, a filter that matches little needs several calls.
 */
export function walkRecords(
  from: SourceContext,
  explainers: Explainers,
  attemptId: string,
  filters: RecordFilters & { before?: string | undefined },
  expected: number,
  budget: number,
): Promise<Walk> {
  const { coin, groups, before } = filters;
  const selection = getSelection(filters, explainers.prefixes());
  const console = groups === undefined || groups.includes("console");
  const keep = matcher(explainers, filters.search?.trim().toLowerCase() ?? "");
  const params = { attemptId, selection, coin: coin ?? null, console, before, keep };
  return openWalk(from, params, expected, budget);
}

/** One page, newest first (docs/rules/records.md). */
export async function readPage(
  from: SourceContext,
  explainers: Explainers,
  attemptId: string,
  query: RecordQuery,
): Promise<RecordPage> {
  const { page, page_size: pageSize } = query;
  const skipped = (page - 1) * pageSize;
  if (skipped + pageSize > budgetMax) throw new ApiError("records.page_too_deep");
  const walk = await walkRecords(
    from,
    explainers,
    attemptId,
    query,
    skipped + pageSize + 1,
    budgetMax,
  );
  const rows: WalkRow[] = [];
  let lookahead: WalkRow | null | "exhausted" = null;
  let next = walk.positions();
  for (let count = 0; ; count += 1) {
    next = walk.positions();
    lookahead = await walk.next();
    if (lookahead === null || lookahead === "exhausted" || count === skipped + pageSize) break;
    if (count >= skipped) rows.push(lookahead);
  }
  if (lookahead === "exhausted" && page > 1) throw new ApiError("records.page_too_deep");
  if (lookahead === "exhausted") next = walk.positions();
  return {
    items: await toRecordViews(from.db, explainers, walk.accounts, rows),
    page,
    page_size: pageSize,
    has_more: lookahead !== null,
    before: writeCursor(walk.start),
    next: lookahead === null ? null : writeCursor(next),
  };
}

/** Rows as records, with their legs and explanations. */
export async function toRecordViews(
  db: Db,
  explainers: Explainers,
  accounts: readonly OwnAccount[],
  rows: readonly WalkRow[],
): Promise<WalletRecord[]> {
  const journals = rows.filter(({ act }) => act === null);
  const accountIds = accounts.map(({ id }) => id);
  const ids = journals.map(({ journalId }) => journalId);
  const [legs, explanations] = await Promise.all([
    readLegs(db, ids, accountIds),
    explainers.explain(journals),
  ]);
  const legsOf = Map.groupBy(legs, ({ journalId }) => journalId);
  return rows.map((row) =>
    toRecord(row, legsOf.get(row.journalId) ?? [], accounts, explanations.get(row.journalId)),
  );
}

/** Keeps rows that a search matches: by an id, which the statement saw, or by their explanation. */
function matcher(explainers: Explainers, search: string) {
  return async (rows: WalkRow[]): Promise<WalkRow[]> => {
    if (search === "") return rows;
    const explanations = await explainers.explain(rows.filter(({ found }) => !found));
    const finds = (row: WalkRow) => {
      const explanation = explanations.get(row.journalId);
      return (
        explanation !== undefined && getTexts(explanation).some((text) => text.includes(search))
      );
    };
    return rows.filter((row) => row.found || finds(row));
  };
}

function getTexts({ facts, search = [] }: RecordExplanation): string[] {
  const values = Object.values(facts).filter((value) => typeof value === "string");
  return [...values, ...search].map((text) => text.toLowerCase());
}
