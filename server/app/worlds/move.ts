import type pg from "pg";
import { migrate, quoteName } from "#server/platform/db/migrate.ts";
import { StartError } from "#server/platform/startError.ts";
import { forgetWorld } from "#server/platform/worlds/directory.ts";
import { requireClosed, withSchema } from "./removal.ts";

/** Rows that are read and written at a time. */
const rowsAtOnce = 500;

interface DatabaseUrls {
  owner: string;
  app: string;
}

interface MovedWorld {
  tables: number;
  rows: number;
}

/**
 * Moves a closed world to another database: creates its schema there by this version's migrations,
 * copies every row in one transaction, compares all tables, and removes the source schema together
 * with the directory's entry. Repeating the call after an interruption resumes it. Throws a
 * StartError, and changes nothing, if the world is open here or if the target has another world of
 * its name.
 */
export async function moveWorld(
  fromOwnerUrl: string,
  to: DatabaseUrls,
  worldName: string,
): Promise<MovedWorld> {
  return withSchema(fromOwnerUrl, worldName, async (from, schema) => {
    await requireClosed(from, schema, worldName);
    const name = quoteName(schema);
    if (!(await isSchema(from, name)))
      throw new StartError(`The world ${worldName} was never opened: there is nothing to move.`);
    const appRole = decodeURIComponent(new URL(to.app).username);
    await migrate({ ownerUrl: to.owner, schema, appRole });
    const copied = await withSchema(to.owner, worldName, async (target) => {
      for (const client of [from, target]) await client.query(`set search_path to ${name}`);
      const tables = await readTables(from, schema);
      // A schema with a log is either this world, left by an interrupted move, or another one.
      const { rowCount: leaves } = await target.query("select 1 from log_leaf limit 1");
      if (leaves === 0) await inTransaction(target, () => copy(from, target, { schema, tables }));
      const rows = await compare(from, target, tables, worldName);
      return { tables: tables.length, rows };
    });
    // The move takes effect here. Schema and entry are removed in one transaction: with an entry
    // but no schema, `remove` would delete the keys that the moved world needs.
    await inTransaction(from, async () => {
      await from.query(`drop schema ${name} cascade`);
      await forgetWorld(from, worldName);
    });
    return copied;
  });
}

async function isSchema(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query("select to_regnamespace($1) is not null as is_there", [name]);
  return rows[0].is_there;
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {}); // the original error matters more
    throw error;
  }
}

interface Table {
  /** Quoted. */
  name: string;
  /** Quoted names of all stored columns, without those that PostgreSQL generates. */
  columns: string[];
}

async function readTables(client: pg.Client, schema: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select quote_ident(c.relname) as name,
       array_agg(quote_ident(a.attname) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid order by c.relname`,
    [quoteName(schema)],
  );
  return rows;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Replaces the target's rows, including those from migrations, without checking foreign keys. */
async function copy(
  from: pg.Client,
  target: pg.Client,
  { schema, tables }: { schema: string; tables: readonly Table[] },
): Promise<void> {
  const { rows: keys } = await target.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint where connamespace = to_regnamespace($1) and contype = 'f'`,
    [quoteName(schema)],
  );
  for (const { table, name } of keys)
    await target.query(`alter table ${table} drop constraint ${name}`);
  await target.query(`truncate ${tables.map(({ name }) => name).join(", ")}`);
  for (const table of tables) {
    // A trigger guards what people do; these rows have passed it.
    await target.query(`alter table ${table.name} disable trigger user`);
    await copyRows(from, target, table);
    await target.query(`alter table ${table.name} enable trigger user`);
  }
  for (const { table, name, definition } of keys)
    await target.query(`alter table ${table} add constraint ${name} ${definition}`);
  await copySequences(from, target, schema);
}

/** Copies rows in PostgreSQL's text form of a whole row, which preserves every type. */
async function copyRows(
  from: pg.Client,
  target: pg.Client,
  { name, columns }: Table,
): Promise<void> {
  const values = columns.map((column) => `(x).${column}`).join(", ");
  const insert = `insert into ${name} (${columns.join(", ")}) overriding system value
    select ${values} from (select r::${name} as x from unnest($1::text[]) r offset 0) y`;
  await from.query("begin isolation level repeatable read read only");
  try {
    await from.query(`declare rows no scroll cursor for select t::text as r from ${name} t`);
    for (;;) {
      const { rows } = await from.query<{ r: string }>(`fetch ${rowsAtOnce} from rows`);
      if (rows.length === 0) return;
      await target.query(insert, [rows.map(({ r }) => r)]);
    }
  } finally {
    await from.query("rollback");
  }
}

async function copySequences(from: pg.Client, target: pg.Client, schema: string): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'S'`,
    [quoteName(schema)],
  );
  for (const { name } of rows) {
    const { rows: sequenceRows } = await from.query(`select last_value, is_called from ${name}`);
    const { last_value: last, is_called: isCalled } = sequenceRows[0];
    await target.query("select setval($1::regclass, $2::bigint, $3)", [name, last, isCalled]);
  }
}

/** Counts the rows of all tables; throws a StartError unless both databases have the same. */
async function compare(
  from: pg.Client,
  target: pg.Client,
  tables: readonly Table[],
  worldName: string,
): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    // A digest of whole rows, independent of their order.
    const sums = `select count(*)::integer as count,
      coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint::numeric), 0)::text as sum
      from ${name} t`;
    const [ownColumns, other] = await Promise.all(
      [from, target].map(async (client) => (await client.query(sums)).rows[0]),
    );
    if (ownColumns.count !== other.count || ownColumns.sum !== other.sum)
      throw new StartError(
        `The target has another world ${worldName} (${name} differs): nothing was moved, and both are as they were.`,
      );
    total += ownColumns.count;
  }
  return total;
}
