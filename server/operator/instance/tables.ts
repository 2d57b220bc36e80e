import type { ExportTable } from "#api/operator/instance.ts";
import { toCsvCell } from "#server/operator/csv.ts";
import { readErrors, scannedMax } from "#server/operator/instance/errors.ts";
import type { Instance } from "#server/operator/instance/instance.ts";
import type { AppContext } from "#server/platform/context.ts";

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/**
 * The rows of a table as the pages show it, flattened; `writeTable` adds times in UTC next to their
 * milliseconds.
 */
async function toRows(ctx: AppContext, instance: Instance, table: ExportTable): Promise<Row[]> {
  switch (table) {
    case "use":
      return (await instance.history()).use;
    case "minutes":
      return (await instance.history()).minutes;
    case "hours":
      return (await instance.history()).hours;
    case "gaps":
      return (await instance.history()).gaps;
    case "venues":
      return (await instance.view()).market.venues;
    case "index":
      return (await instance.view()).market.index;
    case "trial_balance":
      return (await instance.view()).ledger.trial;
    case "house":
      return (await instance.view()).ledger.house;
    case "exposure":
      return (await instance.view()).exposure;
    case "machines":
      return (await instance.view()).machines;
    case "pools":
      return (await instance.view()).pools;
    case "jobs":
      return (await instance.view()).jobs;
    case "storage": {
      const { before, ...now } = (await instance.view()).storage;
      return [{ ...now, before_at_ms: before?.at_ms ?? null, ...named("before", before) }];
    }
    case "processes":
      return (await instance.view()).processes;
    case "errors": {
      const params = { days: 30, page: 1, page_size: scannedMax };
      const { items } = await readErrors(ctx.database.db, params, ctx.realClock.nowMs());
      return items.map(({ versions, ...row }) => ({ ...row, versions: versions.join(" ") }));
    }
    case "settings": {
      const { chat_link: link, contracts_on, sign_up, environment } = await instance.settings();
      return [
        { name: "chat_link", value: link.link, set: link.set },
        { name: "contracts_on", value: String(contracts_on), set: true },
        { name: "sign_up", value: sign_up, set: true },
        ...environment,
      ];
    }
  }
}

function named(prefix: string, before: { database_bytes: number; log_bytes: number } | null): Row {
  return {
    [`${prefix}_database_bytes`]: before?.database_bytes ?? null,
    [`${prefix}_log_bytes`]: before?.log_bytes ?? null,
  };
}

/**
 * A table as CSV: each row carries the practice label and the world's name, and no cell can be
 * evaluated by a spreadsheet.
 */
export async function writeTable(
  ctx: AppContext,
  instance: Instance,
  table: ExportTable,
): Promise<string> {
  const rows = await toRows(ctx, instance, table);
  const columns = Object.keys(rows[0] ?? {});
  const head = ["practice_only_no_value", "world", ...columns.map(toHeading)];
  const lines = rows.map((row) => [
    "practice, backed by nothing",
    ctx.world.name,
    ...columns.map((column) => toText(column, row[column] ?? null)),
  ]);
  return [head, ...lines].map((cells) => `${cells.map(toCsvCell).join(",")}\r\n`).join("");
}

const isTime = (column: string) => column.endsWith("_ms") && !/(lag|took)_ms$/.test(column);

function toHeading(column: string): string {
  return isTime(column) ? column.replace(/_ms$/, "_utc") : column;
}

function toText(column: string, value: Cell): string {
  if (value === null) return "";
  return isTime(column) && typeof value === "number"
    ? new Date(value).toISOString()
    : String(value);
}
