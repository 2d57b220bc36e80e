import type pg from "pg";

interface TableSize {
  name: string;
  /** Including indexes and TOAST. */
  bytes: number;
  live: number;
  dead: number;
  vacuums: number;
  /** Rows read by sequential scans. */
  scanned: number;
}

export interface DatabaseState {
  tables: TableSize[];
  databaseBytes: number;
  leaves: number;
  /** Bytes of all log entries, as published. */
  logBytes: number;
  orders: number;
  open: number;
  /** Total bytes of write-ahead log written. */
  walBytes: number;
  checkpoints: { timed: number; requested: number };
}

/**
 * Reads the database as the role that owns the tables. A plain client returns `bigint`s as strings.
 * Of the log, reads only what was added since `before`, so that a long run does not mostly measure
 * its own measuring.
 */
export async function readDatabase(
  client: pg.Client,
  schema: string,
  before: DatabaseState | null,
): Promise<DatabaseState> {
  const item = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0]!;
  const { rows: tables } = await client.query<Record<string, string>>(
    `select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as live, n_dead_tup as dead,
       autovacuum_count as vacuums, seq_tup_read as scanned
     from pg_stat_user_tables where schemaname = $1::text order by 2 desc`,
    [schema],
  );
  const state = await item(`select
    pg_database_size(current_database()) as database,
    coalesce((select max(leaf) + 1 from ${schema}.log_leaf), 0) as leaves,
    (select coalesce(sum(length(bytes)), 0) from ${schema}.log_leaf where leaf >= ${before?.leaves ?? 0}) as log,
    (select count(*) from ${schema}.contract_order) as orders,
    (select count(*) from ${schema}.contract_order where settled_at_ms is null) as open,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal`);
  const { num_timed: timed, num_requested: requested } = await item(
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
