import { type RawBuilder, sql } from "kysely";
import type { Portions } from "#server/account/personalData.ts";
import type { Sealing } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Rows that are in memory at once. */
const portion = 500;

export interface TableWish {
  table: string;
  /** Columns that no two rows of a person share: the order of reading. `by`: the person's column where it is not `user_id`. */
  order: string | readonly string[];
  by?: string;
  /** Columns that are left out: what is of no meaning to anyone, such as digests. */
  without?: readonly string[];
  /** Sealed columns, and the names they have once opened. */
  opened?: Readonly<Record<string, string>>;
}

type Row = Record<string, unknown>;

/** A person's rows of one table, in portions; sealed texts opened. */
export async function* readRows(
  { db, sealing }: { db: Db; sealing: Sealing },
  userId: string,
  { table, order, by = "user_id", without = [], opened = {} }: TableWish,
): Portions {
  const columns = [order].flat();
  const ordered = sql.join(columns.map((column) => sql.ref(column)));
  let where: RawBuilder<unknown> = sql`true`;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${sql.ref(by)} = ${userId} and ${where}
      order by ${ordered} limit ${portion}`.execute(db);
    if (rows.length === 0) return;
    const last = rows.at(-1)!;
    where = sql`(${ordered}) > (${sql.join(columns.map((column) => last[column]))})`;
    yield await Promise.all(rows.map((row) => cleaned(sealing, userId, row, without, opened)));
    if (rows.length < portion) return;
  }
}

async function cleaned(
  sealing: Sealing,
  userId: string,
  row: Row,
  without: readonly string[],
  opened: Readonly<Record<string, string>>,
): Promise<Row> {
  const result: Row = {};
  for (const [name, value] of Object.entries(row)) {
    if (without.includes(name)) continue;
    const openedName = opened[name];
    if (openedName === undefined) result[name] = value;
    else result[openedName] = await sealing.openText(userId, value as Buffer | null);
  }
  return result;
}

/** All of a short table at once. */
export async function readAll(
  from: { db: Db; sealing: Sealing },
  userId: string,
  wish: TableWish,
): Promise<object[]> {
  const rows: object[] = [];
  for await (const some of readRows(from, userId, wish)) rows.push(...some);
  return rows;
}

/** JSON with integers as they are: milliseconds as numbers, other bigints as decimal strings, bytes in hex. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    function write(this: Record<string, unknown>, name, given) {
      // Buffer has a toJSON of its own, which comes first.
      const raw = this[name];
      if (raw instanceof Uint8Array) return Buffer.from(raw).toString("hex");
      if (typeof raw === "bigint") return name.endsWith("_ms") ? Number(raw) : raw.toString();
      return given;
    },
    indent,
  );
}
