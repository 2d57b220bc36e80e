import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import { dayMs } from "#core/money/time.ts";
import type { AppContext } from "#server/platform/context.ts";

type StorageView = InstanceView["storage"];

export interface Disk {
  freeBytes: number;
  totalBytes: number;
}

/** The disk of the data directory; null where it cannot be queried. */
export async function readDisk(directory: string): Promise<Disk | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Sizes of the world's schema by purpose. Reads file sizes only, no contents. */
export async function readSizes({ database }: Pick<AppContext, "database">) {
  const { rows } = await sql<{ all: bigint; log: bigint; ledger: bigint; market: bigint }>`
    select coalesce(sum(size), 0)::bigint as all,
      coalesce(sum(size) filter (where relname like 'log\\_%'), 0)::bigint as log,
      coalesce(sum(size) filter (where relname in
        ('account', 'journal', 'entry', 'hold', 'used_key', 'chain_batch', 'chain_head', 'ledger_limit', 'ledger_audit')), 0)::bigint as ledger,
      coalesce(sum(size) filter (where relname like 'market\\_%' or relname = 'kline'), 0)::bigint as market
    from (select c.relname, pg_total_relation_size(c.oid) as size from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${database.schema} and c.relkind = 'r') t`.execute(database.db);
  const row = rows[0]!;
  return {
    database_bytes: Number(row.all),
    log_bytes: Number(row.log),
    ledger_bytes: Number(row.ledger),
    market_bytes: Number(row.market),
  };
}

/** The oldest sample of the last real day. */
export async function readBefore({
  database,
  realClock,
}: Pick<AppContext, "database" | "realClock">): Promise<StorageView["before"]> {
  const { rows } = await sql<{ at_ms: bigint; database_bytes: bigint; log_bytes: bigint }>`
    select at_ms, database_bytes, log_bytes from instance_sample
    where at_ms >= ${realClock.nowMs() - dayMs} order by at_ms limit 1`.execute(database.db);
  const row = rows[0];
  if (!row) return null;
  return {
    at_ms: Number(row.at_ms),
    database_bytes: Number(row.database_bytes),
    log_bytes: Number(row.log_bytes),
  };
}

export async function readProcesses({
  database,
}: Pick<AppContext, "database">): Promise<InstanceView["processes"]> {
  const { rows } = await sql<{
    pid: number;
    services: string;
    version: string;
    started_at_ms: bigint;
    seen_at_ms: bigint;
    memory_bytes: bigint;
    heap_bytes: bigint;
  }>`select * from instance_process order by started_at_ms, pid`.execute(database.db);
  return rows.map((row) => ({
    pid: row.pid,
    services: row.services,
    version: row.version,
    started_ms: Number(row.started_at_ms),
    seen_ms: Number(row.seen_at_ms),
    memory_bytes: Number(row.memory_bytes),
    heap_bytes: Number(row.heap_bytes),
  }));
}
