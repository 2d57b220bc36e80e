/**
 * Parses a typed amount into the wire's decimal string: grouping and blanks dropped, a comma or
 * point as the decimal separator, at most `scale` fraction digits. Null when it is not an amount
 * (the box then keeps its previous value).
 */
export function readAmountText(input: string, scale: number): string | null {
  const compactText = input.replace(/[\s'’_]/g, "");
  const normalized = singleSeparator(compactText);
  if (normalized === null) return null;
  if (normalized === "") return "";
  const match = /^([0-9]*)(?:\.([0-9]*))?$/.exec(normalized);
  if (!match) return null;
  const integerPart = (match[1] ?? "").replace(/^0+(?=[0-9])/, "") || "0";
  const fraction = match[2];
  if (integerPart.length > 12) return null;
  if (fraction === undefined || scale === 0) return integerPart;
  return fraction.length > scale ? null : `${integerPart}.${fraction}`;
}

/**
 * If both signs occur, the last one is the decimal separator; a sign on its own is always decimal.
 */
function singleSeparator(text: string): string | null {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last < 0) return text;
  const integerPart = text.slice(0, last).replace(/[.,]/g, "");
  const signs = new Set(text.replace(/[^.,]/g, ""));
  if (signs.size === 1 && text.slice(0, last).search(/[.,]/) >= 0) return null;
  return `${integerPart}.${text.slice(last + 1)}`;
}

/**
 * Normalises a finished amount to its wire form: `"12."` and `"12.50"` become `"12"` and `"12.5"`.
 * Empty stays empty.
 */
export function settleAmountText(value: string): string {
  return value.includes(".") ? value.replace(/\.?0*$/, "") : value;
}
