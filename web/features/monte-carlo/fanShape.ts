import type { Quantiles } from "#core/monte-carlo/quantiles.ts";

/** The spread of results at a point of the run: after a number of orders or days. */
export interface FanPoint {
  at: number;
  spread: Quantiles;
}

export const fanBox = { width: 400, height: 200 } as const;

/** Paths of the fan in `fanBox`. Amounts become floats here, and nothing is computed from them. */
export interface FanShape {
  /** Path of the band from the worst to the best of a hundred. */
  outer: string;
  /** Path of the band of the middle half. */
  inner: string;
  median: string;
  /** Height of the start, where nothing is won or lost. */
  zero: number;
  /** Height of each line's end. */
  ends: Readonly<Record<"best" | "median" | "worst", number>>;
}

/** The shape of a fan of at least one point; the start is always in the picture. */
export function layOutFan(points: readonly FanPoint[]): FanShape {
  const last = points.at(-1) as FanPoint;
  const high = Math.max(0, ...points.map(({ spread }) => Number(spread.best)));
  const low = Math.min(0, ...points.map(({ spread }) => Number(spread.worst)));
  const span = high - low || 1;
  const y = (value: bigint | number) => ((high - Number(value)) / span) * fanBox.height;
  const x = (at: number) => (last.at === 0 ? 0 : (at / last.at) * fanBox.width);
  const dot = (at: number, value: bigint) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  const line = (name: keyof Quantiles) =>
    points.map(({ at, spread }) => dot(at, spread[name])).join("L");
  const lineBack = (name: keyof Quantiles) =>
    points
      .toReversed()
      .map(({ at, spread }) => dot(at, spread[name]))
      .join("L");
  return {
    outer: `M${line("best")}L${lineBack("worst")}Z`,
    inner: `M${line("high")}L${lineBack("low")}Z`,
    median: `M${line("median")}`,
    zero: y(0),
    ends: { best: y(last.spread.best), median: y(last.spread.median), worst: y(last.spread.worst) },
  };
}
