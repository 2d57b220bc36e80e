import type { AnswerOf } from "#api/call.ts";
import type { findAccountAndRate } from "#api/records.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";

type Answer = AnswerOf<typeof findAccountAndRate>;
export type Line = Answer["items"][number];

/** The lines whose figures are results. */
export const resultLineNames = ["contract", "hosting", "mining", "exchange"] as const;

/**
 * The parts of the account's result beyond its lines: prices of coins that were brought in, and
 * fees of withdrawals. With it the lines sum to the account's figure. Null when one of them is
 * unknown.
 */
export function computeOtherResults(
  { items, account, display_currency: coin }: Answer,
  figure: "today" | "total",
): string | null {
  const scale = coinScale(coin);
  const total = figure === "today" ? account?.today : account?.result;
  if (total === null || total === undefined) return null;
  let remainder = toMinorUnits(total, scale);
  for (const type of resultLineNames) {
    const ownResult = items.find((line) => line.type === type)?.[figure] ?? null;
    if (ownResult === null) return null;
    remainder -= toMinorUnits(ownResult, scale);
  }
  return formatDecimal(remainder, scale);
}
