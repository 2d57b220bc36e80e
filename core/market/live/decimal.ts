/**
 * Which way a price is rounded to a symbol's scale: bids down and asks up, so that rounding never
 * narrows a spread.
 */
export type Direction = "down" | "up";

/**
 * A venue's decimal number as an integer with `scale` digits after the point. `value` is a number
 * read from decimal text, and its shortest decimal form is that text again (up to 15 digits), so
 * nothing is computed in floating point. Null for what is not a finite number or is negative.
 */
export function scaleDecimal(value: number, scale: number, direction: Direction): bigint | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [integerPart = "", fraction = ""] = mantissa.split(".");
  // The value is `digits` times ten to the power of `shift` at the wanted scale.
  const digits = BigInt(integerPart + fraction);
  const shift = Number(exponent) - fraction.length + scale;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const roundedDown = digits / divisor;
  return direction === "up" && roundedDown * divisor < digits ? roundedDown + 1n : roundedDown;
}
