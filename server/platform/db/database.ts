import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";

/** Tables are not typed here: each statement says the type of its rows. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own way to say "no tables"
export type Db = Kysely<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Tx = Transaction<any>;

// Amounts and ids are bigint; the driver would hand them over as strings.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
types.setTypeParser(pg.types.builtins.NUMERIC, (text) => {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`numeric ${text} is not an integer`);
  return BigInt(text);
});

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** The world's schema, the only one on the search path. */
  readonly schema: string;
  close(): Promise<void>;
}

/**
 * Opens a pool whose every connection works inside `schema`. int8 and integer numerics arrive as bigint, and bigint
 * parameters are sent as text.
 */
export function openDatabase(options: { url: string; schema: string; max?: number }): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max ?? 16,
    options: `-c search_path=${options.schema}`,
    types,
    application_name: "drydock",
  });
  // An idle connection that breaks must not end the process; the next query reports it.
  pool.on("error", () => {});
  // Nor one that breaks while it is lent out: its query is rejected, and the client tells of it once more by itself.
  pool.on("connect", (client) => client.on("error", () => {}));
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, schema: options.schema, close: () => db.destroy() };
}

/** The key of a PostgreSQL advisory lock: those are database-wide, so the world's schema is part of it. */
export function lockKey(schema: string, name: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${schema}/${name}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return BigInt.asIntN(64, hash);
}
