import { type RawBuilder, sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Rows held in memory at a time. */
const chunkRows = 500;

/** Rows of a potentially long list, in chunks. */
export type ExportChunks = AsyncIterable<readonly object[]>;

export interface PersonTable {
  table: string;
  /**
   * Columns unique per person, in reading order. `by`: the person's column if it is not `user_id`.
   */
  order: string | readonly string[];
  by?: string;
  /** Columns to omit because they are meaningless to a reader, such as digests. */
  without?: readonly string[];
  /** Encrypted columns, and their names once decrypted. */
  opened?: Readonly<Record<string, string>>;
}

type Row = Record<string, unknown>;

/** A person's rows of one table, in chunks, with encrypted texts decrypted. */
async function* readRows(
  { db, fieldEncryption }: { db: Db; fieldEncryption: FieldEncryption },
  userId: string,
  { table, order, by = "user_id", without = [], opened = {} }: PersonTable,
): ExportChunks {
  const columns = [order].flat();
  const columnList = sql.join(columns.map((column) => sql.ref(column)));
  let condition: RawBuilder<unknown> = sql`true`;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${sql.ref(by)} = ${userId} and ${condition}
      order by ${columnList} limit ${chunkRows}`.execute(db);
    if (rows.length === 0) return;
    const last = rows.at(-1)!;
    condition = sql`(${columnList}) > (${sql.join(columns.map((column) => last[column]))})`;
    yield await Promise.all(
      rows.map((row) => exportableRow(fieldEncryption, userId, row, without, opened)),
    );
    if (rows.length < chunkRows) return;
  }
}

async function exportableRow(
  fieldEncryption: FieldEncryption,
  userId: string,
  row: Row,
  without: readonly string[],
  decryptedTexts: Readonly<Record<string, string>>,
): Promise<Row> {
  const result: Row = {};
  for (const [name, value] of Object.entries(row)) {
    if (without.includes(name)) continue;
    const openedName = decryptedTexts[name];
    if (openedName === undefined) result[name] = value;
    else result[openedName] = await fieldEncryption.decryptText(userId, value as Buffer | null);
  }
  return result;
}

/** Reads all rows of a short table. */
async function readAll(
  from: { db: Db; fieldEncryption: FieldEncryption },
  userId: string,
  table: PersonTable,
): Promise<object[]> {
  const rows: object[] = [];
  for await (const batch of readRows(from, userId, table)) rows.push(...batch);
  return rows;
}

/** A person's own rows, as a domain's `personalData` reads and removes them. */
export function createPersonRows({
  database: { db },
  fieldEncryption,
}: Pick<AppContext, "database" | "fieldEncryption">) {
  const from = { db, fieldEncryption };
  return {
    /** All rows of a short table. */
    all: (userId: string, table: PersonTable) => readAll(from, userId, table),
    /** A reader of a potentially long table. */
    list: (table: PersonTable) => (userId: string) => readRows(from, userId, table),
    remove: async (userId: string, tables: readonly string[]): Promise<void> => {
      for (const table of tables) {
        await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(db);
      }
    },
  };
}
