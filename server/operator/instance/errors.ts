import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { ErrorGroup, getErrors } from "#api/operator/instance.ts";
import { dayMs } from "#core/money/time.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** How many of the most recent reports are examined; at most 1 000 are stored per hour. */
export const scannedMax = 20_000;

export interface ErrorQuery {
  search?: string | undefined;
  type?: string | undefined;
  days: number;
  page: number;
  page_size: number;
}

interface Row {
  type: string;
  code: string;
  message: string;
  page_url: string;
  count: bigint;
  first_ms: bigint;
  last_ms: bigint;
  versions: string[];
}

/** Groups identical reports, most recent first. */
export async function readErrors(
  db: Db,
  params: ErrorQuery,
  nowMs: number,
): Promise<AnswerOf<typeof getErrors>> {
  const { search, type, page, page_size: size } = params;
  const fromMs = nowMs - params.days * dayMs;
  const rawBuilder = sql`
    (select * from error_log where at_ms >= ${fromMs} order by at_ms desc, id desc limit ${scannedMax}) e`;
  const condition = sql`
    (${type ?? null}::text is null or e.type = ${type ?? null})
    and (${search ?? null}::text is null
      or position(lower(${search ?? ""}) in lower(concat_ws(' ', e.type, e.code, e.message, e.page_url, e.version))) > 0)`;
  const [groups, totals] = await Promise.all([
    sql<Row>`
      select e.type, e.code, e.message, e.page_url, count(*) as count, min(e.at_ms) as first_ms, max(e.at_ms) as last_ms,
        (array_agg(distinct e.version))[1:5] as versions
      from ${rawBuilder} where ${condition}
      group by 1, 2, 3, 4 order by max(e.at_ms) desc, max(e.id) desc limit ${size + 1} offset ${(page - 1) * size}`.execute(
      db,
    ),
    sql<{ type: string; count: bigint }>`
      select e.type, count(*) as count from ${rawBuilder} group by e.type order by e.type`.execute(
      db,
    ),
  ]);
  const reports = totals.rows.reduce((sum, { count }) => sum + Number(count), 0);
  return {
    items: groups.rows.slice(0, size).map(toView),
    page,
    page_size: size,
    has_more: groups.rows.length > size,
    types: totals.rows.map((row) => row.type),
    reports,
    cut: reports >= scannedMax,
  };
}

function toView(row: Row): ErrorGroup {
  return {
    type: row.type,
    code: row.code,
    message: row.message,
    page_url: row.page_url,
    count: Number(row.count),
    first_ms: Number(row.first_ms),
    last_ms: Number(row.last_ms),
    versions: row.versions,
  };
}

/** Deletes reports by age alone; returns how many. */
export async function clearErrors(tx: Tx, olderThanDays: number, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from error_log where at_ms < ${nowMs - olderThanDays * dayMs}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
