/**
 * Conversion between decimal strings and integers at a scale: the only way in and out for amounts
 * and prices. Nothing here passes through a float.
 */

export type DecimalError = "malformed" | "excess_digits" | "too_large";

/** Twelve digits before the point: a trillion units, more than any practice amount needs. */
const integerDigitsMax = 12;

/**
 * Parses a plain decimal (`"12.5"`: ASCII digits; no sign, exponent, grouping or leading zeros) to
 * an integer at `scale`. Excess digits are refused, never rounded away; `"12."`, `".5"` and `""`
 * are malformed.
 */
export function parseDecimal(
  text: string,
  scale: number,
): { ok: true; value: bigint } | { ok: false; error: DecimalError } {
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return { ok: false, error: "malformed" };
  const integerPart = match[1] as string;
  const fraction = match[2] ?? "";
  if (fraction.length > scale) return { ok: false, error: "excess_digits" };
  if (integerPart.length > integerDigitsMax) return { ok: false, error: "too_large" };
  return { ok: true, value: BigInt(integerPart + fraction.padEnd(scale, "0")) };
}

/** Like `parseDecimal`, for amounts that may be negative: a minus may precede the digits. */
export function parseSigned(text: string, scale: number): ReturnType<typeof parseDecimal> {
  if (!text.startsWith("-")) return parseDecimal(text, scale);
  const result = parseDecimal(text.slice(1), scale);
  return result.ok ? { ok: true, value: -result.value } : result;
}

/** Parses a signed amount that the software wrote itself; throws a RangeError if malformed. */
export function toMinorUnits(text: string, scale: number): bigint {
  const result = parseSigned(text, scale);
  if (!result.ok) throw new RangeError(`${text} is not an amount at scale ${scale}`);
  return result.value;
}

/**
 * Parses a figure that is not money (a difficulty, a hashrate), of any length, truncated at
 * `scale`.
 */
export function truncateDecimal(text: string, scale: number): bigint {
  const [integerPart = "0", fraction = ""] = text.split(".");
  return BigInt(integerPart + fraction.slice(0, scale).padEnd(scale, "0"));
}

/**
 * Formats an integer at `scale` as a decimal; the wire form trims trailing zeros of the fraction
 * (`100000000n` at 6 is `"100"`), `fixed` keeps them.
 */
export function formatDecimal(value: bigint, scale: number, fixed = false): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const integerPart = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? "" : digits.slice(-scale);
  const shownFraction = fixed ? fraction : fraction.replace(/0+$/, "");
  return shownFraction === "" ? sign + integerPart : `${sign}${integerPart}.${shownFraction}`;
}
