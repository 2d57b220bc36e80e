import pg from "pg";
import type { Column } from "#server/testing/sql/describe.ts";
import type { Row } from "#server/testing/sql/rowTypes.ts";

const { builtins } = pg.types;

/**
 * How the driver maps a PostgreSQL type (`server/platform/db/database.ts` sets int8 and numeric);
 * all else is text.
 */
const classes = new Map<number, string | null>([
  [builtins.BOOL, "boolean"],
  [builtins.INT2, "number"],
  [builtins.INT4, "number"],
  [builtins.OID, "number"],
  [builtins.FLOAT4, "number"],
  [builtins.FLOAT8, "number"],
  [builtins.INT8, "bigint"],
  [builtins.NUMERIC, "bigint"],
  [builtins.BYTEA, "bytes"],
  [builtins.TIMESTAMP, "date"],
  [builtins.TIMESTAMPTZ, "date"],
  // Only the code that wrote JSON knows what it contains.
  [builtins.JSON, null],
  [builtins.JSONB, null],
]);

/** The types and columns in a database's catalogue. */
export interface Catalogue {
  arrays: ReadonlySet<number>;
  /** Nullable columns as `table.column`, by table and column number. */
  nullable: ReadonlyMap<string, string>;
}

export async function readCatalogue(client: pg.PoolClient): Promise<Catalogue> {
  const arrays = await client.query("select oid from pg_type where typcategory = 'A'");
  // Tables of the world only: PostgreSQL does not say whether a view's columns are nullable.
  const nullable = await client.query(
    `select attrelid, attnum, relname || '.' || attname as name
     from pg_attribute join pg_class c on c.oid = attrelid
     where attnum > 0 and not attnotnull and relkind in ('r', 'p')
       and relnamespace = current_schema()::regnamespace`,
  );
  return {
    arrays: new Set(arrays.rows.map(({ oid }) => oid)),
    nullable: new Map(
      nullable.rows.map(({ attrelid, attnum, name }) => [`${attrelid}.${attnum}`, name]),
    ),
  };
}

/** `select *`, `returning e.*`; not `count(*)` or a product. */
const takesAll = /(\b(select|returning|distinct)|,)\s+(\w+\.)?\*/i;

/** Where the columns that a statement returns differ from its row type. */
export function findDifferences(
  text: string,
  columns: readonly Column[],
  row: Row,
  catalogue: Catalogue,
): string[] {
  const mismatches: string[] = [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  if (byName.size < columns.length) mismatches.push("two columns have one name");
  if (!takesAll.test(text))
    for (const name of byName.keys())
      if (!row.has(name)) mismatches.push(`column ${name} is not in the row's type`);
  for (const [name, { optional, classes: expected }] of row) {
    const column = byName.get(name);
    if (!column) {
      if (!optional) mismatches.push(`no column ${name}`);
      continue;
    }
    const is = getClass(column, catalogue);
    if (expected && is && !expected.has(is))
      mismatches.push(`column ${name} is ${is}, not ${[...expected].join(" | ")}`);
  }
  return mismatches;
}

function getClass({ type }: Column, { arrays }: Catalogue): string | null {
  if (arrays.has(type)) return "array";
  const typeClass = classes.get(type);
  return typeClass === undefined ? "string" : typeClass;
}

/**
 * Nullable table columns that the row type declares non-null, as `table.column`. Skips those that
 * the statement's own conditions mention; does not detect a null from an outer join.
 */
export function findUnstatedNulls(
  text: string,
  columns: readonly Column[],
  row: Row,
  { nullable }: Catalogue,
): string[] {
  return columns.flatMap(({ name, source }) => {
    const statedClasses = row.get(name)?.classes;
    const column = source && nullable.get(`${source.table}.${source.column}`);
    const isSpokenOf = new RegExp(`\\b${name}\\s+(is not null|[=<>]|in\\b)`, "i").test(text);
    return column && statedClasses && !statedClasses.has("null") && !isSpokenOf ? [column] : [];
  });
}
