import { sql } from "kysely";
import { readJobs } from "#server/operator/instance/jobStates.ts";
import { readDisk, readProcesses, readSizes } from "#server/operator/instance/storage.ts";
import type { AppContext } from "#server/platform/context.ts";
import { readLastBackup } from "#server/platform/lastBackup.ts";
import {
  timestamp,
  toSingleValue,
  type WorldMetrics,
} from "#server/platform/metrics/worldMetrics.ts";

const jobStates = ["fine", "running", "waiting", "late", "failing"] as const;

interface Replication {
  standbys: number;
  synchronous: number;
  lag_bytes: bigint | null;
}

/**
 * Standbys of the database; null if it does not show them: its owner lacks `pg_read_all_stats`.
 */
async function readReplication({
  database,
}: Pick<AppContext, "database">): Promise<Replication | null> {
  const { rows } = await sql<Replication>`
    select standbys, synchronous, lag_bytes from replication_state() where seen`.execute(
    database.db,
  );
  return rows[0] ?? null;
}

/** Null if the database has no archive. */
async function readArchiver({
  database,
}: Pick<AppContext, "database">): Promise<{ archived_ms: number | null; failed: bigint } | null> {
  const { rows } = await sql<{ archived_ms: number | null; failed: bigint }>`
    select extract(epoch from last_archived_time)::float8 * 1000 as archived_ms,
      failed_count as failed
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`.execute(database.db);
  return rows[0] ?? null;
}

/** Processes, jobs, sizes, standbys and backups of the instance. */
export function instanceMetrics(ctx: AppContext): WorldMetrics {
  const { config, realClock } = ctx;
  return {
    drydock_processes: {
      help: "Processes of this world that reported in the last minute, by their services.",
      kind: "gauge",
      labels: ["running"],
      read: async () => {
        const groups = Map.groupBy(await readProcesses(ctx), ({ services }) => services);
        return [...groups].map(([running, { length }]) => ({ labels: { running }, value: length }));
      },
    },
    drydock_jobs: {
      help: "Jobs of the world by state: failing ones failed last, late ones missed their time.",
      kind: "gauge",
      labels: ["state"],
      read: async () => {
        const jobs = await readJobs(ctx);
        return jobStates.map((state) => ({
          labels: { state },
          value: jobs.filter((job) => job.state === state).length,
        }));
      },
    },
    drydock_job_oldest_due_seconds: {
      help: "How long the job that waits longest has been due; 0 if none is.",
      kind: "gauge",
      read: async () => {
        const nowMs = realClock.nowMs();
        const problems = (await readJobs(ctx))
          .filter(({ state }) => state === "late" || state === "failing")
          .map(({ next_ms: nextMs }) => nowMs - (nextMs ?? nowMs));
        return toSingleValue(Math.max(0, ...problems) / 1_000);
      },
    },
    drydock_database_bytes: {
      help: "Size of the world's tables with their indexes, by purpose.",
      kind: "gauge",
      labels: ["part"],
      read: async () => {
        const { database_bytes: databaseBytes, ...parts } = await readSizes(ctx);
        const { log_bytes: log, ledger_bytes: ledger, market_bytes: market } = parts;
        const sizes = { log, ledger, market, other: databaseBytes - log - ledger - market };
        return Object.entries(sizes).map(([part, value]) => ({ labels: { part }, value }));
      },
    },
    drydock_disk_free_bytes: {
      help: "Free space on the disk of the data directory.",
      kind: "gauge",
      read: async () => toSingleValue((await readDisk(config.dataDirectory))?.freeBytes ?? null),
    },
    drydock_disk_bytes: {
      help: "Size of that disk.",
      kind: "gauge",
      read: async () => toSingleValue((await readDisk(config.dataDirectory))?.totalBytes ?? null),
    },
    drydock_backup_timestamp_seconds: {
      help: "When the last complete backup was begun, in seconds since 1970; 0 if there is none.",
      kind: "gauge",
      read: async () => timestamp((await readLastBackup(config.dataDirectory))?.atMs ?? 0),
    },
    drydock_wal_archived_timestamp_seconds: {
      help: "When a segment was last archived, in seconds since 1970; none without an archive.",
      kind: "gauge",
      read: async () => {
        const archiver = await readArchiver(ctx);
        return archiver ? timestamp(archiver.archived_ms ?? 0) : [];
      },
    },
    drydock_wal_archive_failures_total: {
      help: "Times that a segment could not be archived.",
      kind: "counter",
      read: async () => {
        const archiver = await readArchiver(ctx);
        return toSingleValue(archiver && Number(archiver.failed));
      },
    },
    drydock_standbys: {
      help: "Standbys that follow the database, by whether a commit waits for them.",
      kind: "gauge",
      labels: ["waited_for"],
      read: async () => {
        const replication = await readReplication(ctx);
        if (!replication) return [];
        const { standbys, synchronous } = replication;
        return [
          { labels: { waited_for: "yes" }, value: synchronous },
          { labels: { waited_for: "no" }, value: standbys - synchronous },
        ];
      },
    },
    drydock_standby_lag_bytes: {
      help: "Write-ahead log that the slowest standby has not yet replayed.",
      kind: "gauge",
      read: async () => {
        const lag = (await readReplication(ctx))?.lag_bytes ?? null;
        return toSingleValue(lag === null ? null : Number(lag));
      },
    },
  };
}
