import type { StatementTime } from "./probe.ts";
import type { DatabaseState } from "./sizes.ts";

export interface Sample {
  /** Real seconds since the first sample. */
  atS: number;
  nodeBytes: number;
  heapBytes: number;
  nodeCpuMs: number;
  postgresBytes: number;
  postgresCpuMs: number;
  /** Null if the server did not report ready. */
  feedLagMs: number | null;
  logLagMs: number | null;
  loopP99Ms: number;
  loopMostMs: number;
  state: DatabaseState;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const percent = (ms: number, seconds: number) => (ms / seconds / 10).toFixed(0);

export const formatSampleHead =
  "real s | world h | node MB (heap) | node cpu % | pg MB | pg cpu % | leaves | database MB | wal MB | feed lag ms | log lag ms | loop p99/most ms | orders (open)";

/** One line; CPU time is since `before`. */
export function formatSampleLine(
  sample: Sample,
  before: Sample,
  first: Sample,
  speed: number,
): string {
  const seconds = Math.max(1, sample.atS - before.atS);
  const { state } = sample;
  return [
    sample.atS.toFixed(0),
    ((sample.atS * speed) / 3_600).toFixed(1),
    `${megabytes(sample.nodeBytes)} (${megabytes(sample.heapBytes)})`,
    percent(sample.nodeCpuMs - before.nodeCpuMs, seconds),
    megabytes(sample.postgresBytes),
    percent(sample.postgresCpuMs - before.postgresCpuMs, seconds),
    state.leaves,
    megabytes(state.databaseBytes),
    megabytes(state.walBytes - first.state.walBytes),
    sample.feedLagMs ?? "not ready",
    sample.logLagMs ?? "not ready",
    `${sample.loopP99Ms.toFixed(0)}/${sample.loopMostMs.toFixed(0)}`,
    `${state.orders} (${state.open})`,
  ].join(" | ");
}

/** Totals of the whole run. */
export function formatSummary(samples: readonly Sample[], speed: number): string[] {
  const first = samples[0]!;
  const last = samples.at(-1)!;
  const seconds = last.atS - first.atS;
  const findMax = (of: (sample: Sample) => number) => Math.max(...samples.map(of));
  const leaves = last.state.leaves - first.state.leaves;
  const logBytes = last.state.logBytes - first.state.logBytes;
  const wal = last.state.walBytes - first.state.walBytes;
  const { checkpoints } = last.state;
  return [
    `${seconds.toFixed(0)} real s, ${((seconds * speed) / 3_600).toFixed(2)} world h: ${leaves} leaves of ${(seconds * speed).toFixed(0)} seconds, ${megabytes(logBytes)} MB, ${(logBytes / leaves).toFixed(1)} bytes each`,
    `database ${megabytes(first.state.databaseBytes)} to ${megabytes(last.state.databaseBytes)} MB; write-ahead log ${megabytes(wal)} MB, ${(wal / seconds / 1e6).toFixed(2)} MB per real second; checkpoints by time ${checkpoints.timed - first.state.checkpoints.timed}, by volume ${checkpoints.requested - first.state.checkpoints.requested}`,
    `node ${megabytes(first.nodeBytes)} to ${megabytes(last.nodeBytes)} MB, max ${megabytes(findMax((s) => s.nodeBytes))}; cpu ${percent(last.nodeCpuMs - first.nodeCpuMs, seconds)} % of one processor`,
    `lowest heap in the first quarter ${lowest(samples, 0, 0.25)} MB, in the last ${lowest(samples, 0.75, 1)} MB: growth between them is never freed`,
    `PostgreSQL ${megabytes(first.postgresBytes)} to ${megabytes(last.postgresBytes)} MB, max ${megabytes(findMax((s) => s.postgresBytes))}; cpu ${percent(last.postgresCpuMs - first.postgresCpuMs, seconds)} % of one processor`,
    `max lag: feed ${findMax((s) => s.feedLagMs ?? 0)} ms, log ${findMax((s) => s.logLagMs ?? 0)} ms, not ready in ${samples.filter((s) => s.feedLagMs === null).length} of ${samples.length} samples; event loop p99 ${findMax((s) => s.loopP99Ms).toFixed(0)} ms, max ${findMax((s) => s.loopMostMs).toFixed(0)} ms`,
  ];
}

function lowest(samples: readonly Sample[], from: number, to: number): string {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  return megabytes(Math.min(...part.map(({ heapBytes }) => heapBytes)));
}

/** Growth of each table. */
export function formatTableLines(first: DatabaseState, last: DatabaseState): string[] {
  const before = new Map(first.tables.map((table) => [table.name, table]));
  const rows = last.tables.map((table) => {
    const previousTable = before.get(table.name);
    const growth = table.bytes - (previousTable?.bytes ?? 0);
    const scannedRows = table.scanned - (previousTable?.scanned ?? 0);
    return { ...table, grown: growth, scanned: scannedRows };
  });
  return [
    "table | MB | grown MB | live rows | dead rows | vacuums | rows read by sequential scans",
    ...rows
      .filter(({ grown: growth, scanned }) => growth > 100_000 || scanned > 100_000)
      .toSorted((a, b) => b.grown - a.grown)
      .map(
        ({ name, bytes, grown: growth, live, dead, vacuums, scanned }) =>
          `${name} | ${megabytes(bytes)} | ${megabytes(growth)} | ${live} | ${dead} | ${vacuums} | ${scanned}`,
      ),
  ];
}

/** The statements with the most total time, and those with the longest single run. */
export function formatStatementLines(
  statements: readonly StatementTime[],
  count: number,
): string[] {
  const line = ({ text, count: times, totalMs, maxMs }: StatementTime) =>
    `${(totalMs / 1000).toFixed(1)} s in ${times}, mean ${(totalMs / times).toFixed(2)} ms, max ${maxMs.toFixed(0)} ms: ${text}`;
  const byTotal = statements.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, count);
  const byMost = statements.toSorted((a, b) => b.maxMs - a.maxMs).slice(0, count);
  return [
    "statements by total time (from call to answer, including the driver's queue):",
    ...byTotal.map(line),
    "statements by longest single run:",
    ...byMost.map(line),
  ];
}

/** World days that retention keeps of tables it bounds; the other tables grow forever. */
export interface RetentionDays {
  [table: string]: number;
}

/**
 * A year of this load, at the speed of the run and at speed 1: the log and what grows with it.
 * Assumes that people trade as often in world time, and that no 1m klines are removed, so it
 * overestimates.
 */
export function formatYearLines(
  first: Sample,
  last: Sample,
  speed: number,
  retentionDays: RetentionDays,
): string[] {
  const worldDays = ((last.atS - first.atS) * speed) / 86_400;
  const before = new Map(first.state.tables.map(({ name, bytes }) => [name, bytes]));
  const perWorldDay = last.state.tables.map(({ name, bytes }) => ({
    name,
    bytes: (bytes - (before.get(name) ?? 0)) / worldDays,
  }));
  return [1, speed].map((rate) => {
    let growing = 0;
    let standing = 0;
    for (const { name, bytes } of perWorldDay) {
      const days = retentionDays[name];
      if (days === undefined) growing += bytes * 365 * rate;
      else standing += bytes * Math.min(days, 365 * rate);
    }
    const log = ((last.state.logBytes - first.state.logBytes) / worldDays) * 365 * rate;
    return `a year at speed ${rate}: ${(growing / 1e9).toFixed(1)} GB permanent (${(log / 1e9).toFixed(1)} GB of them log entries), and ${(standing / 1e9).toFixed(2)} GB bounded by retention`;
  });
}
