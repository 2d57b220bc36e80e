/** A time and a total for display: amounts become floats here. Null for a gap. */
export type ChartPoint = readonly [atMs: number, total: number | null];

export interface ChartShape {
  /**
   * SVG paths in a box of `width` by `height`, one for each stretch without a gap; a lone point is
   * a short dash.
   */
  paths: string[];
  /** Each point's position from the left and the top, 0 to 1; null in a gap. */
  places: ({ x: number; y: number } | null)[];
  low: number;
  high: number;
}

/**
 * Lays out a total over time: a linear time axis, the lowest total near the bottom, gaps left open.
 */
export function layOutChart(
  points: readonly ChartPoint[],
  width: number,
  height: number,
): ChartShape | null {
  const amounts = points.flatMap(([, total]) => (total === null ? [] : [total]));
  if (amounts.length === 0) return null;
  const fromMs = points[0]![0];
  const spanMs = Math.max(1, points.at(-1)![0] - fromMs);
  const low = Math.min(...amounts);
  const high = Math.max(...amounts);
  const toPosition = ([atMs, total]: ChartPoint) =>
    total === null
      ? null
      : { x: (atMs - fromMs) / spanMs, y: high === low ? 0.5 : (high - total) / (high - low) };
  const places = points.map(toPosition);
  const paths: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length === 1) open.push("h0.01");
    if (open.length > 0) paths.push(open.join(""));
    open = [];
  };
  for (const position of places) {
    if (position === null) close();
    else {
      const to = `${(position.x * width).toFixed(2)} ${(position.y * height).toFixed(2)}`;
      open.push(`${open.length === 0 ? "M" : "L"}${to}`);
    }
  }
  close();
  return { paths, places, low, high };
}

/** Returns the index of the point nearest to `x` (0 to 1 from the left), skipping gaps. */
export function findNearestPoint(shape: ChartShape, x: number): number {
  let best = -1;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const [index, position] of shape.places.entries()) {
    const distance = position === null ? Number.POSITIVE_INFINITY : Math.abs(position.x - x);
    if (distance < minDistance) {
      minDistance = distance;
      best = index;
    }
  }
  return best;
}

/** Returns the next point in a direction, skipping gaps; the same point when there is none. */
export function stepPoint(shape: ChartShape, from: number, by: 1 | -1): number {
  for (let index = from + by; index >= 0 && index < shape.places.length; index += by) {
    if (shape.places[index] !== null) return index;
  }
  return from;
}
