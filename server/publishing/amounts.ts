import { parseDecimal } from "#core/money/decimal.ts";
import type { Problem } from "#server/publishing/types.ts";

/** Reads decimal fields of a body; every one that is none is a problem. `value` is 0n for those. */
export function createAmounts() {
  const problems: Problem[] = [];
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
