import type { WalletRecord } from "#api/records.ts";
import type { exportFormats } from "#core/records/exportFormats.ts";
import type { Explainers } from "#server/records/explainers.ts";
import { type RecordFilters, toRecordViews, walkRecords } from "#server/records/list.ts";
import type { SourceContext, WalkRow } from "#server/records/sources.ts";
import type { Walk } from "#server/records/walk.ts";

export interface ExportParams extends RecordFilters {
  attemptId?: string | undefined;
  format: (typeof exportFormats)[number];
}

/** Records held in memory at a time. */
const chunkSize = 500;

/**
 * Streams a file of all records that match the filters, newest first, in chunks: only one chunk is
 * ever in memory. A whole attempt may be exported, however old; only explicit ranges are limited to
 * six months.
 */
export async function exportRecords(
  from: SourceContext,
  explainers: Explainers,
  world: string,
  attemptId: string,
  params: ExportParams,
): Promise<AsyncGenerator<string>> {
  const walk = await walkRecords(
    from,
    explainers,
    attemptId,
    params,
    chunkSize,
    Number.POSITIVE_INFINITY,
  );
  const parts = readParts(from.db, explainers, walk);
  return params.format === "csv"
    ? writeCsv(world, attemptId, parts)
    : writeJson(world, attemptId, parts);
}

async function* readParts(
  db: SourceContext["db"],
  explainers: Explainers,
  walk: Walk,
): AsyncGenerator<WalletRecord[]> {
  let rows: WalkRow[] = [];
  for (;;) {
    const row = await walk.next();
    if (row !== null && row !== "exhausted") rows.push(row);
    if (rows.length === chunkSize || (row === null && rows.length > 0)) {
      yield await toRecordViews(db, explainers, walk.accounts, rows);
      rows = [];
    }
    if (row === null) return;
  }
}

async function* writeJson(
  world: string,
  attemptId: string,
  parts: AsyncGenerator<WalletRecord[]>,
): AsyncGenerator<string> {
  const head = { practice: true, backing: "none", world };
  yield `${JSON.stringify({ format: "drydock.export.records/1", ...head, attempt_id: attemptId }).slice(0, -1)},"records":[`;
  let first = true;
  for await (const records of parts) {
    const texts = records.map((record) =>
      JSON.stringify({ ...head, attempt_id: attemptId, ...record }),
    );
    yield `${first ? "\n" : ",\n"}${texts.join(",\n")}`;
    first = false;
  }
  yield "\n]}\n";
}

/** The practice label of every row, so that a row copied out of the file keeps it. */
const csvMark = "practice, backed by nothing";
const csvHead = [
  "practice_only_no_value",
  "world",
  "attempt_id",
  "journal_id",
  "group",
  "type",
  "world_time_utc",
  "recorded_utc",
  "account",
  "coin",
  "amount",
  "balance_after",
  "order_id",
  "details",
];

/** One row per posting; an operator action has no account and no amount. */
async function* writeCsv(
  world: string,
  attemptId: string,
  parts: AsyncGenerator<WalletRecord[]>,
): AsyncGenerator<string> {
  // The byte order mark by which spreadsheets recognise UTF-8.
  yield `\uFEFF${csvHead.join(",")}\r\n`;
  for await (const records of parts) {
    yield records.map((record) => toRows(world, attemptId, record)).join("");
  }
}

function toRows(world: string, attemptId: string, record: WalletRecord): string {
  const time = (atMs: number) => new Date(atMs).toISOString();
  const { act } = record;
  const details = act
    ? `${act.role}: ${act.what} (${act.why})`
    : Object.entries(record.facts)
        .map(([name, value]) => `${name}=${factText(value)}`)
        .join("; ");
  const before = [
    csvMark,
    world,
    attemptId,
    record.journal_id,
    record.group,
    record.type,
    time(record.at_ms),
    time(record.recorded_at_ms),
  ];
  const legs = record.legs.length > 0 ? record.legs : [null];
  return legs
    .map((leg) => [
      ...before,
      leg?.account ?? "",
      leg?.coin ?? "",
      leg?.amount ?? "",
      leg?.balance_after ?? "",
      leg?.order_id ?? "",
      details,
    ])
    .map((cells) => `${cells.map(toCsvCell).join(",")}\r\n`)
    .join("");
}

function factText(value: WalletRecord["facts"][string]): string {
  return typeof value === "object" && value !== null
    ? `${value.amount} ${value.coin}`
    : String(value);
}

/**
 * A cell that no spreadsheet evaluates as a formula: text that starts like one is prefixed with an
 * apostrophe; a number, minus sign included, stays a number.
 */
export function toCsvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe =
    !isNumber && /^[=+\-@\t\r\n|%]/.test(text.trimStart() === text ? text : text.trimStart())
      ? `'${text}`
      : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
