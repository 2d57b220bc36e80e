/** A moment and a figure; null: not measured. */
export interface Point {
  atMs: number;
  value: number | null;
}

/**
 * The next round number (1, 2 or 5 times a power of ten, or of 1024 for bytes) not below `value`;
 * at least 1.
 */
export function roundUp(value: number, base: 10 | 1024 = 10): number {
  if (value <= 1) return 1;
  let unit = 1;
  while (base === 1024 && unit * 1024 <= value) unit *= 1024;
  const tens = 10 ** Math.floor(Math.log10(value / unit));
  for (const step of [1, 2, 5, 10]) {
    if (step * tens * unit >= value) return step * tens * unit;
  }
  return value;
}

/**
 * Lines through the measured points, in percent of a 100 by 100 box; a moment without a figure, or
 * a gap in time, ends a line. A single point is a line of zero length, which round caps draw as a
 * dot; if it is the only one, it is placed at the end, where the newest is.
 */
export function buildLines(points: readonly Point[], top: number, gapMs: number): string[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const span = last.atMs - first.atMs;
  const runs: string[][] = [[]];
  let before: number | null = null;
  for (const { atMs, value } of points) {
    if (value === null || (before !== null && atMs - before > gapMs)) runs.push([]);
    before = atMs;
    if (value === null) continue;
    const x = span === 0 ? 100 : ((atMs - first.atMs) / span) * 100;
    const y = 100 - (Math.min(value, top) / top) * 100;
    runs.at(-1)!.push(`${x.toFixed(2)} ${y.toFixed(2)}`);
  }
  return runs
    .filter((run) => run.length > 0)
    .map((run) => `M${(run.length === 1 ? [...run, ...run] : run).join("L")}`);
}
