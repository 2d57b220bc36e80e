import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";

/**
 * How far a price is from the entry price, as a signed decimal string at the symbol's scale, and
 * its sign; null while either is missing.
 */
export function computeMove(
  purchase: string | null,
  price: string | null,
  scale: number,
): { text: string; sign: -1 | 0 | 1 } | null {
  if (purchase === null || price === null) return null;
  const move = toMinorUnits(price, scale) - toMinorUnits(purchase, scale);
  return { text: formatDecimal(move, scale, true), sign: move > 0n ? 1 : move < 0n ? -1 : 0 };
}
