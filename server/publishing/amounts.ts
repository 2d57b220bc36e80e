import { parseDecimal } from "#core/money/decimal.ts";
import type { DraftProblem } from "#server/publishing/types.ts";

/**
 * Parses the decimal fields of a body and reports a problem for each invalid one, whose `value` is
 * then 0n.
 */
export function createAmounts() {
  const problems: DraftProblem[] = [];
  return {
    problems,
    read: (at: string, text: string, digits: number): bigint => {
      const read = parseDecimal(text, digits);
      if (read.ok) return read.value;
      problems.push({ error: "publishing.amount_wrong", field: at, data: { at, digits } });
      return 0n;
    },
  };
}
