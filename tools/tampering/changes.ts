import type pg from "pg";
/** A random whole number from 0 up to, but without, this one. */
export type Chance = (below: number) => number;

/** A change that was made to the database, and how to take it back. */
export interface Tampering {
  /** The class it is counted in. */
  kind: string;
  /** What was changed, for the report. */
  what: string;
  undo(): Promise<void>;
}

/** A column that can be changed; keys of the row among them. */
interface Column {
  name: string;
  type: string;
}

export interface Table {
  name: string;
  kind: string;
  columns: Column[];
  key: string[];
}

/** The superuser's connection, within the world's schema and past every trigger. */
export type Superuser = pg.Client;

const q = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** What a random change makes of a value of a type, as SQL; absent types are left alone. */
const changes: Record<string, (column: string, chance: Chance) => string> = {
  bigint: (column, chance) => `${column} + ${1 + chance(1_000)}`,
  integer: (column, chance) => `${column} + ${1 + chance(9)}`,
  smallint: (column) => `${column} + 1`,
  numeric: (column, chance) => `${column} + ${1 + chance(1_000)}`,
  text: (column, chance) =>
    `overlay(${column} placing '${"abcdef0123456789"[chance(16)]}' from greatest(1, length(${column})))`,
  bytea: (column, chance) => {
    const bit = chance(8);
    return `set_bit(${column}, (octet_length(${column}) - 1) * 8 + ${bit}, 1 - get_bit(${column}, (octet_length(${column}) - 1) * 8 + ${bit}))`;
  },
  boolean: (column) => `not ${column}`,
  uuid: () => "gen_random_uuid()",
  "timestamp with time zone": (column) => `${column} + interval '1 second'`,
  "bigint[]": (column) => `array_replace(${column}, ${column}[1], ${column}[1] + 1)`,
};

/** The tables with rows, with what can be changed in them. */
export async function readTables(
  client: Superuser,
  schema: string,
  kindOf: (table: string) => string | null,
): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0
       and not a.attisdropped and a.attgenerated = '' order by c.relname, a.attnum`,
    [schema],
  );
  const { rows: keys } = await client.query<{ table: string; key: string[] }>(
    `select i.indrelid::regclass::text as table,
       array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid
         and a.attnum = any(i.indkey)) as key
     from pg_index i join pg_class c on c.oid = i.indrelid
     where i.indisprimary and c.relnamespace = $1::regnamespace`,
    [schema],
  );
  const tables: Table[] = [];
  for (const name of new Set(rows.map(({ table }) => table))) {
    const kind = kindOf(name);
    if (kind === null) continue;
    const { rows: some } = await client.query(`select 1 from ${q(name)} limit 1`);
    if (some.length === 0) continue;
    const columns = rows.filter(({ table, type }) => table === name && type in changes);
    const key = keys.find(({ table }) => table === name)?.key ?? [];
    if (key.length > 0 && columns.length > 0) tables.push({ name, kind, columns, key });
  }
  return tables;
}

/** Changes one value of one row, both at random; null if the database's constraints refuse it. */
export async function changeValue(
  client: Superuser,
  table: Table,
  chance: Chance,
): Promise<Tampering | null> {
  const column = table.columns[chance(table.columns.length)]!;
  const [t, c] = [q(table.name), q(column.name)];
  const row = await pickRow(client, table, chance, `${c} is not null`);
  if (!row) return null;
  const set = changes[column.type]!(c, chance);
  try {
    const { rows: before } = await client.query(
      `select ${c}::text as value, (${set})::text as next from ${t} where ctid = $1`,
      [row],
    );
    if (before[0].value === before[0].next) return null;
    const { rows } = await client.query<Record<string, string>>(
      `update ${t} set ${c} = ${set} where ctid = $1
       returning ${table.key.map((key) => `${q(key)}::text`).join(", ")}`,
      [row],
    );
    const where = table.key.map((key, at) => `${q(key)}::text = $${at + 2}`).join(" and ");
    const values = table.key.map((key) => rows[0]![key]);
    return {
      kind: table.kind,
      what: `${table.name}.${column.name} changed`,
      undo: async () => {
        const { rowCount } = await client.query(
          `update ${t} set ${c} = $1::${column.type} where ${where}`,
          [before[0].value, ...values],
        );
        if (rowCount !== 1) throw new Error(`${table.name}.${column.name} was not put back`);
      },
    };
  } catch (error) {
    if (isConstraint(error)) return null;
    throw error;
  }
}

/** Deletes one row at random. */
export async function deleteRow(
  client: Superuser,
  table: Table,
  chance: Chance,
): Promise<Tampering | null> {
  const row = await pickRow(client, table, chance, "true");
  if (!row) return null;
  return await removing(client, table, "ctid = $1", [row], `${table.name}: a row deleted`);
}

/** Deletes what a condition selects, keeping a copy. */
async function removing(
  client: Superuser,
  { name, kind }: Pick<Table, "name" | "kind">,
  where: string,
  values: readonly unknown[],
  what: string,
): Promise<Tampering> {
  const kept = q(`kept_${name}`);
  await client.query(`drop table if exists tampering.${kept}`);
  await client.query(
    `create table tampering.${kept} as select * from ${q(name)} where ${where.replace("$1", literal(values[0]))}`,
  );
  await client.query(`delete from ${q(name)} where ${where}`, [...values]);
  return {
    kind,
    what,
    undo: async () => {
      await insertFrom(client, name, `tampering.${kept}`);
    },
  };
}

const literal = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`;

async function insertFrom(client: Superuser, name: string, source: string): Promise<void> {
  const { rows } = await client.query<{ list: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [q(name)],
  );
  const { list } = rows[0]!;
  await client.query(
    `insert into ${q(name)} (${list}) overriding system value select ${list} from ${source}`,
  );
}

/** Replaces all rows of some tables by an older copy of them, as a swapped backup would. */
export async function swapTables(
  client: Superuser,
  names: readonly string[],
  older: string,
  kind: string,
): Promise<Tampering> {
  for (const name of names) {
    const kept = `tampering.${q(`kept_${name}`)}`;
    await client.query(`drop table if exists ${kept}`);
    await client.query(`create table ${kept} as select * from ${q(name)}`);
    await client.query(`delete from ${q(name)}`);
    await insertFrom(client, name, `tampering.${q(`${older}_${name}`)}`);
  }
  return {
    kind,
    what: `${names.join(" and ")}: swapped for an older copy`,
    undo: async () => {
      for (const name of names) {
        await client.query(`delete from ${q(name)}`);
        await insertFrom(client, name, `tampering.${q(`kept_${name}`)}`);
      }
    },
  };
}

/** Keeps a copy of tables under a name, for `swapTables`. */
export async function copyTables(
  client: Superuser,
  names: readonly string[],
  as: string,
): Promise<void> {
  for (const name of names)
    await client.query(`create table tampering.${q(`${as}_${name}`)} as select * from ${q(name)}`);
}

/** Exchanges one column of two rows, both at random. */
export async function swapRows(
  client: Superuser,
  table: Table,
  column: string,
  chance: Chance,
): Promise<Tampering | null> {
  const [t, c] = [q(table.name), q(column)];
  const type = table.columns.find(({ name }) => name === column)!.type;
  const key = table.key.map((name) => `${q(name)}::text`).join(` || ' ' || `);
  const { rows: all } = await client.query<{ key: string; value: string }>(
    `select ${key} as key, ${c}::text as value from ${t} where ${c} is not null order by 1`,
  );
  const one = all[chance(all.length)]!;
  const others = all.filter(({ value }) => value !== one.value);
  const other = others[chance(Math.max(1, others.length))];
  if (!other) return null;
  const put = (from: string, value: string) =>
    client.query(`update ${t} set ${c} = $1::${type} where ${key} = $2`, [value, from]);
  const exchange = async (first: string, second: string) => {
    await client.query("begin");
    try {
      await put(one.key, first);
      await put(other.key, second);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  };
  try {
    await exchange(other.value, one.value);
  } catch (error) {
    if (isConstraint(error)) return null;
    throw error;
  }
  return {
    kind: table.kind,
    what: `${table.name}.${column} of two rows exchanged`,
    undo: () => exchange(one.value, other.value),
  };
}

async function pickRow(
  client: Superuser,
  { name, key }: Table,
  chance: Chance,
  where: string,
): Promise<string | null> {
  const order = key.map((one) => q(one)).join(", ");
  const { rows: counted } = await client.query<{ n: number }>(
    `select count(*)::int as n from ${q(name)} where ${where}`,
  );
  const { n } = counted[0]!;
  if (n === 0) return null;
  const { rows } = await client.query<{ row: string }>(
    `select ctid::text as row from ${q(name)} where ${where} order by ${order} offset $1 limit 1`,
    [chance(n)],
  );
  return rows[0]?.row ?? null;
}

/** Refused by what the table itself requires, or no such value exists. */
function isConstraint(error: unknown): boolean {
  return /^(22|23)/.test((error as { code?: string }).code ?? "");
}
