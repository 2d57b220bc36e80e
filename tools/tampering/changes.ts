import type pg from "pg";
/** Returns a random integer from 0 to `below` - 1. */
export type Chance = (below: number) => number;

/** A change that was made to the database, and how to undo it. */
export interface Tampering {
  /** The class under which it is counted. */
  kind: string;
  /** A description of the change, for the report. */
  title: string;
  undo(): Promise<void>;
}

/** A column that can be changed; keys of the row among them. */
export interface Column {
  name: string;
  type: string;
}

export interface Table {
  name: string;
  kind: string;
  columns: Column[];
  key: string[];
  /** Which of its rows are changed, and which are deleted. */
  condition: string;
  deleteCondition: string;
}

/** Which tables, columns and rows are changed. */
export interface Choice {
  getKind: (table: string) => string;
  getExemptReason: (name: string) => string | null;
  rows: Readonly<Record<string, string>>;
  deleteConditions: Readonly<Record<string, string>>;
}

/** The superuser's connection, within the world's schema and past every trigger. */
export type Superuser = pg.Client;

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Changes the last digit of a JSON text; without a digit, adds a member or element. */
function changeJson(column: string, type: string, chance: Chance): string {
  const text = `${column}::text`;
  return `(case when ${text} ~ '\\d'
      then regexp_replace(${text}, '\\d(?=\\D*$)', '${chance(10)}')
    when jsonb_typeof(${column}::jsonb) = 'object' then (${column}::jsonb || '{"0":"0"}')::text
    else jsonb_build_array(${column}::jsonb)::text end)::${type}`;
}

/** Changes one element of an array, or adds one to an empty array. */
function changeArray(column: string, changeElement: string, chance: Chance): string {
  const position = `1 + ${chance(1_000)} % greatest(1, cardinality(${column}))`;
  return `(select array_agg(case when n = ${position} then ${changeElement} else v end order by n)
    from unnest(case when cardinality(${column}) = 0 then array_append(${column}, null)
      else ${column} end) with ordinality u (v, n))`;
}

/** The random change to a value of a type, as SQL; other types are refused by name. */
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
  "bigint[]": (column, chance) => changeArray(column, "coalesce(v, 0) + 1", chance),
  "text[]": (column, chance) => changeArray(column, "coalesce(v, '') || 'x'", chance),
  "uuid[]": (column, chance) => changeArray(column, "gen_random_uuid()", chance),
  json: (column, chance) => changeJson(column, "json", chance),
  jsonb: (column, chance) => changeJson(column, "jsonb", chance),
  // The transaction of another posting, and what was visible before all of them.
  xid8: () => "'3'::xid8",
  pg_snapshot: () => "'1:1:'::pg_snapshot",
};

/** The tables and columns that can be changed, and those that cannot, with the reason. */
export interface Changeable {
  tables: Table[];
  exemptTables: readonly (readonly [name: string, reason: string])[];
}

/** Reads the changeable tables and columns; all others are named with the reason. */
export async function readTables(
  client: Superuser,
  schema: string,
  { getKind, getExemptReason, rows: rowsOf, deleteConditions }: Choice,
): Promise<Changeable> {
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
  await openIdentities(client, schema);
  const tables: Table[] = [];
  const unchanged: [string, string][] = [];
  for (const [name, columns] of Map.groupBy(rows, ({ table }) => table)) {
    if (getExemptReason(name) !== null) continue;
    const condition = rowsOf[name] ?? "true";
    const key = keys.find(({ table }) => table === name)?.key ?? [];
    const table = { name, kind: getKind(name), columns: [], key, condition };
    const { rows: match } = await client.query(
      `select 1 from ${quoteIdentifier(name)} where ${condition} limit 1`,
    );
    if (match.length === 0 || key.length === 0) {
      unchanged.push([name, key.length === 0 ? "has no key to find a row by" : "has no row here"]);
      continue;
    }
    const changeable: Column[] = [];
    for (const column of columns) {
      if (getExemptReason(`${name}.${column.name}`) !== null) continue;
      const reason = await getRefusal(client, table, column);
      if (reason === null) changeable.push(column);
      else unchanged.push([`${name}.${column.name}`, reason]);
    }
    tables.push({
      ...table,
      columns: changeable,
      deleteCondition: deleteConditions[name] ?? condition,
    });
  }
  return { tables, exemptTables: unchanged };
}

/** Why a column cannot be changed; null if it can. Determined by a change that is rolled back. */
async function getRefusal(
  client: Superuser,
  table: Omit<Table, "deleteCondition">,
  column: Column,
): Promise<string | null> {
  if (!(column.type in changes)) return `has the type ${column.type}, which nothing here changes`;
  const { rows } = await client.query(
    `select 1 from ${quoteIdentifier(table.name)} where ${table.condition} and ${quoteIdentifier(column.name)} is not null limit 1`,
  );
  if (rows.length === 0) return "has no value here";
  for (let tries = 0; tries < 5; tries += 1) {
    await client.query("begin");
    const chance = (below: number) => Math.floor(Math.random() * below);
    const tampering = await changeValue(client, { ...table, deleteCondition: "" }, chance, column);
    await client.query("rollback");
    if (tampering) return null;
  }
  return "can have no other value by the table's own constraints";
}

/** Drops the constraints that check values, so that a superuser can change every value. */
export async function dropChecks(client: Superuser, schema: string): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select c.relname as table, o.conname as name
     from pg_constraint o join pg_class c on c.oid = o.conrelid
     where c.relnamespace = $1::regnamespace and o.contype = 'c'`,
    [schema],
  );
  for (const { table, name } of rows)
    await client.query(
      `alter table ${quoteIdentifier(table)} drop constraint ${quoteIdentifier(name)}`,
    );
}

/** A column that PostgreSQL numbers itself refuses changes unless it is overridden. */
async function openIdentities(client: Superuser, schema: string): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select c.relname as table, a.attname as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = $1::regnamespace and a.attidentity = 'a'`,
    [schema],
  );
  for (const { table, name } of rows)
    await client.query(
      `alter table ${quoteIdentifier(table)} alter ${quoteIdentifier(name)} set generated by default`,
    );
}

/** Changes one value of one row, both at random; null if the database's constraints refuse it. */
export async function changeValue(
  client: Superuser,
  table: Table,
  chance: Chance,
  column: Column | undefined = table.columns[chance(table.columns.length)],
): Promise<Tampering | null> {
  if (!column) return null;
  const [t, c] = [quoteIdentifier(table.name), quoteIdentifier(column.name)];
  const row = await pickRow(client, table, chance, `${table.condition} and ${c} is not null`);
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
       returning ${table.key.map((key) => `${quoteIdentifier(key)}::text`).join(", ")}`,
      [row],
    );
    const condition = table.key
      .map((key, index) => `${quoteIdentifier(key)}::text = $${index + 2}`)
      .join(" and ");
    const values = table.key.map((key) => rows[0]![key]);
    return {
      kind: table.kind,
      title: `${table.name}.${column.name} changed`,
      undo: async () => {
        const { rowCount } = await client.query(
          `update ${t} set ${c} = $1::${column.type} where ${condition}`,
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
  const row = await pickRow(client, table, chance, table.deleteCondition);
  if (!row) return null;
  return await removeRows(client, table, "ctid = $1", [row], `${table.name}: a row deleted`);
}

/** Adds a copy of one row at random, with another key. */
export async function insertRow(
  client: Superuser,
  table: Table,
  chance: Chance,
): Promise<Tampering | null> {
  const row = await pickRow(client, table, chance, table.condition);
  if (!row) return null;
  const t = quoteIdentifier(table.name);
  const copy = quoteIdentifier(`copy_${table.name}`);
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' and exists (select from pg_index i
         where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey))`,
    [t],
  );
  try {
    await client.query(`drop table if exists tampering.${copy}`);
    await client.query(`create table tampering.${copy} as select * from ${t} where ctid = $1`, [
      row,
    ]);
    for (const { name, type } of columns) {
      if (!(type in changes)) return null;
      await client.query(
        `update tampering.${copy} set ${quoteIdentifier(name)} = ${changes[type]!(quoteIdentifier(name), chance)}`,
      );
    }
    const keys = table.key
      .map((key) => `t.${quoteIdentifier(key)}::text = c.${quoteIdentifier(key)}::text`)
      .join(" and ");
    await insertFrom(client, table.name, `tampering.${copy}`);
    return {
      kind: table.kind,
      title: `${table.name}: a row added`,
      undo: async () => {
        const { rowCount } = await client.query(
          `delete from ${t} t using tampering.${copy} c where ${keys}`,
        );
        if (rowCount !== 1) throw new Error(`the row added to ${table.name} was not removed`);
      },
    };
  } catch (error) {
    if (isConstraint(error)) return null;
    throw error;
  }
}

/** Deletes the rows that a condition selects, keeping a copy. */
async function removeRows(
  client: Superuser,
  { name, kind }: Pick<Table, "name" | "kind">,
  condition: string,
  values: readonly unknown[],
  title: string,
): Promise<Tampering> {
  const copyName = quoteIdentifier(`kept_${name}`);
  await client.query(`drop table if exists tampering.${copyName}`);
  await client.query(
    `create table tampering.${copyName} as select * from ${quoteIdentifier(name)} where ${condition.replace("$1", literal(values[0]))}`,
  );
  await client.query(`delete from ${quoteIdentifier(name)} where ${condition}`, [...values]);
  return {
    kind,
    title,
    undo: async () => {
      await insertFrom(client, name, `tampering.${copyName}`);
    },
  };
}

const literal = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`;

async function insertFrom(client: Superuser, name: string, source: string): Promise<void> {
  const { rows } = await client.query<{ list: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [quoteIdentifier(name)],
  );
  const { list } = rows[0]!;
  await client.query(
    `insert into ${quoteIdentifier(name)} (${list}) overriding system value select ${list} from ${source}`,
  );
}

/** Replaces all rows of some tables by an older copy of them, as a swapped backup would. */
export async function swapTables(
  client: Superuser,
  names: readonly string[],
  copyPrefix: string,
  kind: string,
): Promise<Tampering> {
  for (const name of names) {
    const copyTable = `tampering.${quoteIdentifier(`kept_${name}`)}`;
    await client.query(`drop table if exists ${copyTable}`);
    await client.query(`create table ${copyTable} as select * from ${quoteIdentifier(name)}`);
    await replaceRows(client, name, `tampering.${quoteIdentifier(`${copyPrefix}_${name}`)}`);
  }
  return {
    kind,
    title: `${names.join(" and ")}: swapped for an older copy`,
    undo: async () => {
      for (const name of names)
        await replaceRows(client, name, `tampering.${quoteIdentifier(`kept_${name}`)}`);
    },
  };
}

/** Runs in one transaction, because the server rewrites its key when it finds none. */
async function replaceRows(client: Superuser, name: string, source: string): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`lock table ${quoteIdentifier(name)} in exclusive mode`);
    await client.query(`delete from ${quoteIdentifier(name)}`);
    await insertFrom(client, name, source);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Returns true if any of these tables differs from its older copy. */
export async function haveTablesChanged(
  client: Superuser,
  names: readonly string[],
  copyPrefix: string,
): Promise<boolean> {
  for (const name of names) {
    const texts = (from: string) => `select t::text from ${from} t`;
    const [currentQuery, copyQuery] = [
      texts(quoteIdentifier(name)),
      texts(`tampering.${quoteIdentifier(`${copyPrefix}_${name}`)}`),
    ];
    const { rows } = await client.query(
      `(${currentQuery} except ${copyQuery}) union all (${copyQuery} except ${currentQuery}) limit 1`,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

/** Keeps a copy of tables under a name, for `swapTables`. */
export async function copyTables(
  client: Superuser,
  names: readonly string[],
  as: string,
): Promise<void> {
  for (const name of names)
    await client.query(
      `create table tampering.${quoteIdentifier(`${as}_${name}`)} as select * from ${quoteIdentifier(name)}`,
    );
}

/** Exchanges one column of two rows, both at random. */
export async function swapRows(
  client: Superuser,
  table: Table,
  column: string,
  chance: Chance,
): Promise<Tampering | null> {
  const [t, c] = [quoteIdentifier(table.name), quoteIdentifier(column)];
  const type = table.columns.find(({ name }) => name === column)!.type;
  const key = table.key.map((name) => `${quoteIdentifier(name)}::text`).join(` || ' ' || `);
  const { rows } = await client.query<{ key: string; value: string }>(
    `select ${key} as key, ${c}::text as value from ${t} where ${c} is not null order by 1`,
  );
  const item = rows[chance(rows.length)]!;
  const others = rows.filter(({ value }) => value !== item.value);
  const otherRow = others[chance(Math.max(1, others.length))];
  if (!otherRow) return null;
  const writeValue = (from: string, value: string) =>
    client.query(`update ${t} set ${c} = $1::${type} where ${key} = $2`, [value, from]);
  const exchangeValues = async (first: string, second: string) => {
    await client.query("begin");
    try {
      await writeValue(item.key, first);
      await writeValue(otherRow.key, second);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  };
  try {
    await exchangeValues(otherRow.value, item.value);
  } catch (error) {
    if (isConstraint(error)) return null;
    throw error;
  }
  return {
    kind: table.kind,
    title: `${table.name}.${column} of two rows exchanged`,
    undo: () => exchangeValues(item.value, otherRow.value),
  };
}

async function pickRow(
  client: Superuser,
  { name, key }: Table,
  chance: Chance,
  condition: string,
): Promise<string | null> {
  const order = key.map((column) => quoteIdentifier(column)).join(", ");
  const { rows: countRows } = await client.query<{ n: number }>(
    `select count(*)::int as n from ${quoteIdentifier(name)} where ${condition}`,
  );
  const { n } = countRows[0]!;
  if (n === 0) return null;
  const { rows } = await client.query<{ row: string }>(
    `select ctid::text as row from ${quoteIdentifier(name)} where ${condition} order by ${order} offset $1 limit 1`,
    [chance(n)],
  );
  return rows[0]?.row ?? null;
}

/** Returns true if a constraint of the table refused the change, or no such value exists. */
function isConstraint(error: unknown): boolean {
  return /^(22|23)/.test((error as { code?: string }).code ?? "");
}
