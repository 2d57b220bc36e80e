import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";
import { getErrorKind } from "#server/platform/errorKind.ts";
import type { JobEvent } from "#server/platform/jobs.ts";

/** Minimum interval between writes, in real time: some jobs run each second. */
const restMs = 10_000;
/** A process without a heartbeat for this long is considered gone. */
const goneMs = 60_000;

interface Tally {
  beganMs: number | null;
  endedMs: number | null;
  tookMs: number | null;
  failedMs: number | null;
  error: string | null;
  runs: number;
  failures: number;
}

export interface Runs {
  /** Writes the runs recorded since, and a heartbeat of this process. */
  write(): Promise<void>;
  /**
   * The same, unless done recently: a process without jobs writes its heartbeat when it is queried.
   */
  seen(): Promise<void>;
  /**
   * The same before the process ends, after which it is no longer listed. Never fails: a process
   * that stops because its database is gone has nowhere to write.
   */
  stop(): Promise<void>;
}

/** Records what jobs of this process do, and writes it asynchronously. */
export function recordRuns(ctx: AppContext, version: string): Runs {
  const { jobs, realClock, database, config, logger } = ctx;
  const { db } = database;
  const id = randomUUID();
  const startedMs = realClock.nowMs();
  let tallies = new Map<string, Tally>();
  let wroteMs = 0;
  let writing: Promise<void> | null = null;
  let stopped = false;

  const writeNow = async () => {
    const rows = [...tallies].map(([name, tally]) => ({ name, ...tally }));
    tallies = new Map();
    const { rss, heapUsed } = process.memoryUsage();
    const nowMs = realClock.nowMs();
    if (rows.length > 0) await addRuns(ctx, rows);
    await sql`
      insert into instance_process (id, pid, services, version, started_at_ms, seen_at_ms, memory_bytes, heap_bytes)
      values (${id}, ${process.pid}, ${config.services.join(" ")}, ${version}, ${startedMs}, ${nowMs}, ${rss}, ${heapUsed})
      on conflict (id) do update set seen_at_ms = excluded.seen_at_ms, memory_bytes = excluded.memory_bytes,
        heap_bytes = excluded.heap_bytes`.execute(db);
    await sql`delete from instance_process where seen_at_ms < ${nowMs - goneMs}`.execute(db);
  };
  // One write at a time: runs recorded during a write wait for the next.
  const write = async () => {
    while (writing) await writing.catch(() => {});
    wroteMs = realClock.nowMs();
    writing = writeNow().finally(() => {
      writing = null;
    });
    await writing;
  };
  jobs.watch((event) => {
    note(tallies, event, realClock.nowMs());
    if (stopped || writing || realClock.nowMs() - wroteMs < restMs) return;
    write().catch((error: unknown) => logger.error({ err: error }, "job runs were not recorded"));
  });
  return {
    write,
    seen: async () => {
      if (realClock.nowMs() - wroteMs >= restMs) await write();
    },
    stop: async () => {
      stopped = true;
      // A process that wrote nothing has nothing to delete.
      if (tallies.size === 0 && wroteMs === 0) return;
      try {
        await write();
        await sql`delete from instance_process where id = ${id}`.execute(db);
      } catch (error) {
        logger.warn({ err: error }, "the last job runs were not recorded");
      }
    },
  };
}

function note(tallies: Map<string, Tally>, { name, what, tookMs, error }: JobEvent, nowMs: number) {
  const emptyTally: Tally = {
    beganMs: null,
    endedMs: null,
    tookMs: null,
    failedMs: null,
    error: null,
    runs: 0,
    failures: 0,
  };
  const tally = tallies.get(name) ?? emptyTally;
  tallies.set(name, tally);
  if (what === "began") tally.beganMs = nowMs;
  else if (what === "ended") {
    tally.endedMs = nowMs;
    tally.tookMs = tookMs;
    tally.runs += 1;
  } else {
    tally.failedMs = nowMs;
    tally.failures += 1;
    tally.error = getErrorKind(error);
  }
}

async function addRuns(
  { database }: AppContext,
  rows: readonly (Tally & { name: string })[],
): Promise<void> {
  // Sorted by name, so that two processes lock rows in the same order.
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const column = (getValue: (row: Tally) => number | string | null) => sorted.map(getValue);
  await sql`
    insert into instance_job as j (name, began_at_ms, ended_at_ms, took_ms, failed_at_ms, error, runs, failures)
    select * from unnest(${sorted.map(({ name }) => name)}::text[], ${column((r) => r.beganMs)}::bigint[],
      ${column((r) => r.endedMs)}::bigint[], ${column((r) => r.tookMs)}::integer[], ${column((r) => r.failedMs)}::bigint[],
      ${column((r) => r.error)}::text[], ${column((r) => r.runs)}::bigint[], ${column((r) => r.failures)}::bigint[])
    on conflict (name) do update set
      began_at_ms = coalesce(excluded.began_at_ms, j.began_at_ms), ended_at_ms = coalesce(excluded.ended_at_ms, j.ended_at_ms),
      took_ms = coalesce(excluded.took_ms, j.took_ms), failed_at_ms = coalesce(excluded.failed_at_ms, j.failed_at_ms),
      error = coalesce(excluded.error, j.error), runs = j.runs + excluded.runs, failures = j.failures + excluded.failures`.execute(
    database.db,
  );
}
