import type { Attempt } from "#api/attempts.ts";

/**
 * The figures that attempts are compared by: figures of the whole, or the result of one product
 * line.
 */
export const comparisons = [
  "result",
  "total",
  "fees",
  "contract",
  "hosting",
  "mining",
  "exchange",
  "reward",
] as const;
export type CompareBy = (typeof comparisons)[number];

/**
 * The figure of an attempt as a decimal string; null without a price. An unused line counts as 0.
 */
export function getFigure(attempt: Attempt, by: CompareBy): string | null {
  if (by === "result" || by === "total" || by === "fees") return attempt[by];
  const line = attempt.lines.find(({ type }) => type === by);
  return line ? line.result : "0";
}

/** The size that fills half a bar: the largest among the attempts. Display only. */
export function getLargestFigure(attempts: readonly Attempt[], by: CompareBy): number {
  return Math.max(0, ...attempts.map((attempt) => Math.abs(Number(getFigure(attempt, by) ?? 0))));
}

/** Computes the fraction of half a bar that a figure fills, −1 to 1. */
export function computeBarShare(figure: string | null, largest: number): number {
  return figure === null || largest === 0 ? 0 : Number(figure) / largest;
}
