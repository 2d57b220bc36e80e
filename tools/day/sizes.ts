import type pg from "pg";

interface TableSize {
  name: string;
  /** With indexes and what is stored out of line. */
  bytes: number;
  live: number;
  dead: number;
  vacuums: number;
  /** Rows read by scans of the whole table. */
  scanned: number;
}

export interface DatabaseState {
  tables: TableSize[];
  databaseBytes: number;
  leaves: number;
  /** Bytes of all entries of the log, as they are published. */
  logBytes: number;
  orders: number;
  open: number;
  /** Bytes of write-ahead log ever written. */
  walBytes: number;
  checkpoints: { timed: number; requested: number };
}

/**
 * Reads the database as the role that owns the tables. `bigint`s come as texts from a plain client.
 * Of the log only what came since `before` is read, so that a long run is not measured measuring.
 */
export async function readDatabase(
  client: pg.Client,
  schema: string,
  before: DatabaseState | null,
): Promise<DatabaseState> {
  const one = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0]!;
  const { rows: tables } = await client.query<Record<string, string>>(
    `select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as live, n_dead_tup as dead,
       autovacuum_count as vacuums, seq_tup_read as scanned
     from pg_stat_user_tables where schemaname = $1::text order by 2 desc`,
    [schema],
  );
  const state = await one(`select
    pg_database_size(current_database()) as database,
    coalesce((select max(leaf) + 1 from ${schema}.log_leaf), 0) as leaves,
    (select coalesce(sum(length(bytes)), 0) from ${schema}.log_leaf where leaf >= ${before?.leaves ?? 0}) as log,
    (select count(*) from ${schema}.contract_order) as orders,
    (select count(*) from ${schema}.contract_order where settled_at_ms is null) as open,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal`);
  const { num_timed: timed, num_requested: requested } = await one(
    "select num_timed, num_requested from pg_stat_checkpointer",
  );
  return {
    tables: tables.map(({ name, ...row }) => ({
      name: name!,
      bytes: Number(row.bytes),
      live: Number(row.live),
      dead: Number(row.dead),
      vacuums: Number(row.vacuums),
      scanned: Number(row.scanned),
    })),
    databaseBytes: Number(state.database),
    leaves: Number(state.leaves),
    logBytes: Number(state.log) + (before?.logBytes ?? 0),
    orders: Number(state.orders),
    open: Number(state.open),
    walBytes: Number(state.wal),
    checkpoints: { timed: Number(timed), requested: Number(requested) },
  };
}
