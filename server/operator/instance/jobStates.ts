import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import type { AppContext } from "#server/platform/context.ts";

type JobView = InstanceView["jobs"][number];

/** Tolerance before a due run counts as late: runs are recorded every ten seconds. */
const lateMs = 60_000;

interface Row {
  name: string;
  began_at_ms: bigint | null;
  ended_at_ms: bigint | null;
  took_ms: number | null;
  failed_at_ms: bigint | null;
  error: string | null;
  runs: bigint;
  failures: bigint;
}

/** Every job of the world: when it last ran and next runs, in any process. */
export async function readJobs({
  jobs,
  database,
  realClock,
}: Pick<AppContext, "jobs" | "database" | "realClock">): Promise<JobView[]> {
  const { rows } = await sql<Row>`select * from instance_job`.execute(database.db);
  const rowsByName = new Map(rows.map((row) => [row.name, row]));
  const nowMs = realClock.nowMs();
  return jobs
    .list()
    .map(({ name, everySeconds }) =>
      toView(name, everySeconds, rowsByName.get(name) ?? null, nowMs),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const number = (value: bigint | null | undefined) => (value == null ? null : Number(value));

function toView(
  name: string,
  everySeconds: number | null,
  row: Row | null,
  nowMs: number,
): JobView {
  const [began, endedAtMs, failedAtMs] = [
    number(row?.began_at_ms),
    number(row?.ended_at_ms),
    number(row?.failed_at_ms),
  ];
  const last = everySeconds === null ? began : endedAtMs;
  // From its last end, successful or not; lateness is judged by that alone.
  const from = Math.max(endedAtMs ?? 0, failedAtMs ?? 0);
  const next = from === 0 || everySeconds === null ? null : from + everySeconds * 1000;
  return {
    name,
    schedule: everySeconds,
    state: getState({ everySeconds, began, ended: endedAtMs, failed: failedAtMs, next, nowMs }),
    last_ms: last,
    took_ms: row?.took_ms ?? null,
    next_ms: next,
    runs: Number(row?.runs ?? 0),
    failures: Number(row?.failures ?? 0),
    failed_ms: failedAtMs,
    error: row?.error ?? null,
  };
}

interface Times {
  everySeconds: number | null;
  began: number | null;
  ended: number | null;
  failed: number | null;
  next: number | null;
  nowMs: number;
}

/** A failed loop counts as failing until it starts again; any other job until it next succeeds. */
function getState({ everySeconds, began, ended, failed, next, nowMs }: Times): JobView["state"] {
  if (began === null && ended === null && failed === null) return "waiting";
  const lastGoodAtMs = (everySeconds === null ? began : ended) ?? 0;
  if (failed !== null && failed >= lastGoodAtMs) return "failing";
  if (everySeconds === null || ended === null) return "running";
  if (next !== null && nowMs > next + lateMs) return (began ?? 0) > ended ? "running" : "late";
  return "fine";
}
