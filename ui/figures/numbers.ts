/** Numbers in a locale's notation, formatted from decimal strings and never through a float. */

const signs = new Map<string, { decimal: string; group: string; minGroup: number }>();

function getSigns(locale: string) {
  let sign = signs.get(locale);
  if (!sign) {
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 });
    const parts = format.formatToParts(1234567.5);
    const four = format.formatToParts(1234.5).some(({ type }) => type === "group");
    sign = {
      decimal: parts.find(({ type }) => type === "decimal")?.value ?? ".",
      group: parts.find(({ type }) => type === "group")?.value ?? "",
      minGroup: four ? 4 : 5,
    };
    signs.set(locale, sign);
  }
  return sign;
}

/** The decimal separator of `locale`: a point or a comma. */
export function decimalSign(locale: string): string {
  return getSigns(locale).decimal;
}

export interface SplitNumber {
  negative: boolean;
  /** Grouped digits before the decimal separator. */
  whole: string;
  /** Digits after the separator; empty when there are none. */
  fraction: string;
  decimal: string;
}

/**
 * Splits a decimal string ("-1234.5") for display: the whole part grouped as in `locale`, the
 * fraction padded with zeros to at least `digitsMin` digits. No digit is dropped or rounded.
 */
export function splitNumber(value: string, locale: string, digitsMin = 0): SplitNumber {
  const { decimal, group, minGroup } = getSigns(locale);
  const negative = value.startsWith("-");
  const [digits = "0", fraction = ""] = value.replace(/^[-+]/, "").split(".");
  const integerPart =
    digits.length < minGroup ? digits : digits.replace(/\B(?=(\d{3})+(?!\d))/g, group);
  return { negative, whole: integerPart, fraction: fraction.padEnd(digitsMin, "0"), decimal };
}

/** A decimal string in the notation of `locale`, with a true minus sign. */
export function formatNumber(value: string, locale: string, digitsMin = 0): string {
  const { negative, whole, fraction, decimal } = splitNumber(value, locale, digitsMin);
  return `${negative ? "−" : ""}${whole}${fraction ? decimal + fraction : ""}`;
}
