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
    read: (field: string, text: string, digits: number): bigint => {
      const result = parseDecimal(text, digits);
      if (result.ok) return result.value;
      problems.push({
        error: "publishing.amount_wrong",
        field: field,
        data: { at: field, digits },
      });
      return 0n;
    },
  };
}
