/** A domain's count of running positions in each attempt. */
export interface RunningRow {
  attempt_id: string;
  count: bigint;
  /** World time at which the last of them ends; null when open-ended. */
  last_at_ms: bigint | null;
}

export function readRunningByAttempt(
  rows: readonly RunningRow[],
): ReadonlyMap<string, { count: number; lastAtMs: number | null }> {
  return new Map(
    rows.map(({ attempt_id: attemptId, count, last_at_ms: lastAtMs }) => [
      attemptId,
      { count: Number(count), lastAtMs: lastAtMs === null ? null : Number(lastAtMs) },
    ]),
  );
}
