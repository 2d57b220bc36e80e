/**
 * A time and a value for display: decimals become floats here, and nothing is computed from them.
 */
export type Dot = readonly [atMs: number, value: number];

export interface Frame {
  fromMs: number;
  toMs: number;
  low: number;
  high: number;
}

/**
 * The bounds of all lines, with a small margin above and below; null for fewer than two points in
 * time.
 */
export function computeFrame(lines: readonly (readonly Dot[])[]): Frame | null {
  const dots = lines.flat();
  if (dots.length < 2) return null;
  let [fromMs, toMs, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [atMs, value] of dots) {
    fromMs = Math.min(fromMs, atMs);
    toMs = Math.max(toMs, atMs);
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (toMs === fromMs) return null;
  const room = high === low ? Math.abs(high) * 0.001 || 1 : (high - low) * 0.05;
  return { fromMs, toMs, low: low - room, high: high + room };
}

/** The SVG path of a line in a box of `width` by `height`. */
export function toPath(
  line: readonly Dot[],
  frame: Frame,
  [width, height]: readonly [number, number],
): string {
  return line
    .map(([atMs, value], index) => {
      const x = ((atMs - frame.fromMs) / (frame.toMs - frame.fromMs)) * width;
      const y = ((frame.high - value) / (frame.high - frame.low)) * height;
      return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}
