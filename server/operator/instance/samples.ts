import { sql } from "kysely";
import type { InstanceHistory } from "#api/operator/instance.ts";
import { dayMs, hourMs, minuteMs } from "#core/money/time.ts";
import { readDisk, readSizes } from "#server/operator/instance/storage.ts";
import type { AppContext } from "#server/platform/context.ts";

type Sample = InstanceHistory["minutes"][number];

/**
 * A job samples into tables, because one process cannot show what another has in memory, and an
 * instance that one teacher runs has no second program that collects `/metrics`.
 */
const minutesRetentionMs = dayMs;
const hoursRetentionMs = 400 * dayMs;
const minutesShownMs = 3 * hourMs;
const hoursShownMs = 14 * dayMs;

interface Lags {
  feedLagMs: number | null;
  logLagMs: number;
}

/**
 * Takes a sample now and deletes old ones. Once per minute: a second call within it changes
 * nothing.
 */
export async function takeSample(ctx: AppContext, { feedLagMs, logLagMs }: Lags): Promise<void> {
  const { database, realClock, config } = ctx;
  const { db } = database;
  const atMs = Math.floor(realClock.nowMs() / minuteMs) * minuteMs;
  const [sizes, disk, memory] = await Promise.all([
    readSizes(ctx),
    readDisk(config.dataDirectory),
    sql<{ bytes: bigint }>`
      select coalesce(sum(memory_bytes), 0)::bigint as bytes from instance_process`.execute(db),
  ]);
  const hourFromMs = atMs - (atMs % hourMs);
  await sql`
    insert into instance_sample (at_ms, hourly, feed_lag_ms, log_lag_ms, database_bytes, log_bytes, memory_bytes, disk_free_bytes)
    values (${atMs}, not exists (select from instance_sample where hourly and at_ms >= ${hourFromMs}), ${feedLagMs}, ${logLagMs},
      ${sizes.database_bytes}, ${sizes.log_bytes}, ${memory.rows[0]!.bytes}, ${disk?.freeBytes ?? null})
    on conflict do nothing`.execute(db);
  await sql`
    delete from instance_sample
    where (not hourly and at_ms < ${atMs - minutesRetentionMs}) or at_ms < ${atMs - hoursRetentionMs}`.execute(
    db,
  );
}

export async function readSamples({
  database,
  realClock,
}: Pick<AppContext, "database" | "realClock">): Promise<
  Pick<InstanceHistory, "minutes" | "hours">
> {
  const nowMs = realClock.nowMs();
  const { rows } = await sql<Row>`
    select * from instance_sample
    where at_ms >= ${nowMs - minutesShownMs} or (hourly and at_ms >= ${nowMs - hoursShownMs})
    order by at_ms`.execute(database.db);
  const minutes = rows.filter(({ at_ms: atMs }) => Number(atMs) >= nowMs - minutesShownMs);
  return {
    minutes: minutes.map(toSample),
    hours: rows.filter(({ hourly }) => hourly).map(toSample),
  };
}

interface Row {
  at_ms: bigint;
  hourly: boolean;
  feed_lag_ms: bigint | null;
  log_lag_ms: bigint;
  database_bytes: bigint;
  log_bytes: bigint;
  memory_bytes: bigint;
  disk_free_bytes: bigint | null;
}

function toSample(row: Row): Sample {
  return {
    at_ms: Number(row.at_ms),
    feed_lag_ms: row.feed_lag_ms === null ? null : Number(row.feed_lag_ms),
    log_lag_ms: Number(row.log_lag_ms),
    database_bytes: Number(row.database_bytes),
    log_bytes: Number(row.log_bytes),
    memory_bytes: Number(row.memory_bytes),
    disk_free_bytes: row.disk_free_bytes === null ? null : Number(row.disk_free_bytes),
  };
}
