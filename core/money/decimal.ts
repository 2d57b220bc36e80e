/**
 * Decimal strings to integers at a scale and back: the only way in and out for amounts and prices.
 * Nothing here passes through a float.
 */

export type DecimalError = "malformed" | "excess_digits" | "too_large";

/** Twelve digits before the point: a trillion units, more than any practice amount needs. */
const integerDigitsMax = 12;

/**
 * Reads a plain decimal (`"12.5"`, ASCII digits, no sign, exponent, grouping or leading zeros) as
 * an integer at
 * `scale`. Excess digits are refused, never rounded away; `"12."`, `".5"` and `""` are malformed.
 */
export function parseDecimal(
  text: string,
  scale: number,
): { ok: true; value: bigint } | { ok: false; error: DecimalError } {
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return { ok: false, error: "malformed" };
  const whole = match[1] as string;
  const fraction = match[2] ?? "";
  if (fraction.length > scale) return { ok: false, error: "excess_digits" };
  if (whole.length > integerDigitsMax) return { ok: false, error: "too_large" };
  return { ok: true, value: BigInt(whole + fraction.padEnd(scale, "0")) };
}

/** As `parseDecimal`, for amounts that may be below zero: a minus may stand before the digits. */
export function parseSigned(text: string, scale: number): ReturnType<typeof parseDecimal> {
  if (!text.startsWith("-")) return parseDecimal(text, scale);
  const read = parseDecimal(text.slice(1), scale);
  return read.ok ? { ok: true, value: -read.value } : read;
}

/** An amount that the software wrote itself, signed, at `scale`; a RangeError when it is none. */
export function minorOf(text: string, scale: number): bigint {
  const read = parseSigned(text, scale);
  if (!read.ok) throw new RangeError(`${text} is no amount at scale ${scale}`);
  return read.value;
}

/**
 * A figure that is no amount of money (a difficulty, a hashrate), of any length, at `scale`: digits
 * beyond it are cut.
 */
export function cutDecimal(text: string, scale: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
}

/**
 * Writes an integer at `scale` as a decimal string; the wire form trims trailing zeros of the
 * fraction (`100000000n` at 6 is `"100"`), `fixed` keeps them all.
 */
export function formatDecimal(value: bigint, scale: number, fixed = false): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? "" : digits.slice(-scale);
  const shown = fixed ? fraction : fraction.replace(/0+$/, "");
  return shown === "" ? sign + whole : `${sign}${whole}.${shown}`;
}
