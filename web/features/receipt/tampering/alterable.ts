import { formatDecimal, parseSigned } from "#core/money/decimal.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";

/** The format in which a person reads and types a value of a receipt. */
export type ValueFormat =
  /** An integer with `scale` implied fraction digits, as a decimal string on the wire. */
  | { is: "decimal"; scale: number; unit: string | null }
  /** Milliseconds since 1970, shown in UTC. */
  | { is: "time" }
  | { is: "number" }
  | { is: "text" }
  /** One of a few options, each with the message that names it. */
  | { is: "choice"; options: readonly { value: string; label: Label }[] };

/** A message and its values. */
export interface Label {
  id: string;
  values?: Record<string, string | number>;
}

/** Where a value is: in the receipt, or in a leaf that its check reads. */
export type Target =
  | { in: "receipt"; path: readonly (string | number)[] }
  /** The index of the symbol at `column` in a `second` leaf. */
  | { in: "second"; leaf: number; column: number }
  /** The fees of the last blocks in a `network` leaf. */
  | { in: "network"; leaf: number };

/** A value that a person may falsify, with a false one to begin with. */
export interface Alterable {
  label: Label;
  format: ValueFormat;
  target: Target;
  /** The value as on the wire; integers of leaves are strings. */
  value: string | number;
  falseValue: string | number;
}

/** Formats a value for a person to read and edit, without its unit; a choice is unchanged. */
export function formatValue(form: ValueFormat, value: string | number): string {
  switch (form.is) {
    case "decimal":
      return formatDecimal(BigInt(value), form.scale);
    case "time":
      return new Date(value).toISOString().slice(0, 23).replace("T", " ");
    default:
      return String(value);
  }
}

/** Parses a typed value; null if it does not have the format. */
export function parseText(form: ValueFormat, input: string): string | number | null {
  const text = input.trim();
  switch (form.is) {
    case "decimal":
      return parseDecimalText(text.replace("−", "-"), form.scale);
    case "time":
      return parseTime(text);
    case "number":
      return /^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null;
    case "text":
      return text === "" || text.length > textMax ? null : text;
    case "choice":
      return form.options.some(({ value }) => value === text) ? text : null;
  }
}

/** Longer than any text that is offered. */
const textMax = 200;

function parseDecimalText(text: string, scale: number): string | null {
  const minus = text.startsWith("-") ? "-" : "";
  const amount = readAmountText(text.slice(minus.length), scale);
  if (!amount) return null;
  const result = parseSigned(minus + settleAmountText(amount), scale);
  return result.ok ? String(result.value) : null;
}

function parseTime(text: string): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d{1,3})?Z?$/.exec(text);
  if (!match) return null;
  const atMs = Date.parse(`${match[1]}T${match[2]}${match[3] ?? ""}Z`);
  // 31 February is refused rather than moved into March.
  const isSame = atMs >= 0 && new Date(atMs).toISOString().startsWith(match[1]!);
  return isSame ? atMs : null;
}
