import type { AnswerOf } from "#api/call.ts";
import type { findAccountAndRate } from "#api/records.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal, minorOf } from "#core/money/decimal.ts";

type Answer = AnswerOf<typeof findAccountAndRate>;
export type Line = Answer["items"][number];

/**
 * The lines whose figures are results. What was recharged, sent or received as a reward is not a
 * result.
 */
export const resultLines = ["contract", "hosting", "mining", "exchange"] as const;

/**
 * Today's result over all lines, as a decimal string; null when one of them has no price now.
 * Not the change of the balance since midnight: a recharge would look like a gain and a withdrawal
 * like a loss. A coin that is merely held belongs to no line.
 */
export function todayTotal({ items, display_currency: coin }: Answer): string | null {
  const scale = scaleOf(coin);
  let sum = 0n;
  for (const type of resultLines) {
    const today = items.find((line) => line.type === type)?.today ?? null;
    if (today === null) return null;
    sum += minorOf(today, scale);
  }
  return formatDecimal(sum, scale);
}
