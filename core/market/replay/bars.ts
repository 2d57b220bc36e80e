import { divideHalfEven } from "#core/money/rounding.ts";
import { minuteMs } from "#core/money/time.ts";

/**
 * A recording is one file of 1-minute bars of one symbol at one venue, in one of the three forms
 * that exchanges publish (docs/rules/market.md, "Recordings"). The form is recognised by the first
 * line, never by the file name.
 *
 * - `milliseconds`: header `open_time,open,high,low,close,volume,…` (9 columns), times in Unix
 *   milliseconds
 * - `seconds`: header `start,low,high,open,close,volume`, times in Unix seconds; minutes without a
 *   trade are absent
 * - `bare`: no header, `timestamp,open,high,low,close,volume,count`, times in Unix seconds; minutes without a trade are absent as well
 */
type RecordingForm = "milliseconds" | "seconds" | "bare";

/**
 * A minute with at least one trade. Prices are integers at the symbol's scale; volume is at scale
 * 8, truncated.
 */
export interface Bar {
  openMs: number;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
}

export type RecordingFormError =
  | "not_csv"
  | "column_count"
  | "not_a_number"
  | "not_a_minute"
  | "order"
  | "duplicate"
  | "high_below_low"
  | "outside_range"
  | "not_positive"
  | "empty";

export type RecordingResult =
  | { ok: true; form: RecordingForm; bars: Bar[] }
  | { ok: false; line: number; error: RecordingFormError };

export const volumeScale = 8;
/**
 * The largest volume of a bar; keeps the sum over its venues within 64 bits. A larger figure is not
 * a plausible minute.
 */
const volumeMax = 10n ** 17n;

interface Columns {
  form: RecordingForm;
  count: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Milliseconds per unit of the time column. */
  timeUnitMs: number;
  hasHeader: boolean;
}

const forms: Record<RecordingForm, Columns> = {
  milliseconds: {
    form: "milliseconds",
    count: 9,
    open: 1,
    high: 2,
    low: 3,
    close: 4,
    timeUnitMs: 1,
    hasHeader: true,
  },
  seconds: {
    form: "seconds",
    count: 6,
    open: 3,
    high: 2,
    low: 1,
    close: 4,
    timeUnitMs: 1_000,
    hasHeader: true,
  },
  bare: {
    form: "bare",
    count: 7,
    open: 1,
    high: 2,
    low: 3,
    close: 4,
    timeUnitMs: 1_000,
    hasHeader: false,
  },
};

const headers: Record<string, RecordingForm> = {
  "open_time,open,high,low,close,volume,close_time,quote_volume,count": "milliseconds",
  "start,low,high,open,close,volume": "seconds",
};

/**
 * Reads the whole text, or names the first invalid line (from 1) and why, in which case the file is
 * rejected. Bars without volume are validated like any other but omitted: nothing traded at those
 * prices.
 */
export function parseBars(text: string, priceScale: number): RecordingResult {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const columns = recogniseForm(lines[0]?.replace(/\r$/, "") ?? "");
  if (!columns) return { ok: false, line: 1, error: lines.length === 0 ? "empty" : "not_csv" };
  const bars: Bar[] = [];
  let previousMs = Number.NEGATIVE_INFINITY;
  for (let index = columns.hasHeader ? 1 : 0; index < lines.length; index++) {
    const bar = readLine((lines[index] as string).replace(/\r$/, ""), columns, priceScale);
    if (typeof bar === "string") return { ok: false, line: index + 1, error: bar };
    if (bar.openMs === previousMs) return { ok: false, line: index + 1, error: "duplicate" };
    if (bar.openMs < previousMs) return { ok: false, line: index + 1, error: "order" };
    previousMs = bar.openMs;
    if (bar.volume > 0n) bars.push(bar);
  }
  if (bars.length === 0) return { ok: false, line: lines.length, error: "empty" };
  return { ok: true, form: columns.form, bars };
}

function recogniseForm(first: string): Columns | null {
  const format = headers[first];
  if (format) return forms[format];
  return /^\d{9,11},/.test(first) ? forms.bare : null;
}

function readLine(line: string, columns: Columns, priceScale: number): Bar | RecordingFormError {
  const cells = line.split(",");
  if (cells.length !== columns.count) return "column_count";
  const time = cells[0] as string;
  if (!/^\d{9,13}$/.test(time)) return "not_a_number";
  const openMs = Number(time) * columns.timeUnitMs;
  if (openMs % minuteMs !== 0 || openMs > 8_640_000_000_000_000) return "not_a_minute";
  const open = readNumber(cells[columns.open] as string, priceScale);
  const high = readNumber(cells[columns.high] as string, priceScale);
  const low = readNumber(cells[columns.low] as string, priceScale);
  const close = readNumber(cells[columns.close] as string, priceScale);
  const volume = readVolume(cells[5] as string);
  if (open === null || high === null || low === null || close === null || volume === null) {
    return "not_a_number";
  }
  if (low <= 0n) return "not_positive";
  if (high < low) return "high_below_low";
  if (open > high || open < low || close > high || close < low) return "outside_range";
  return { openMs, open, high, low, close, volume };
}

/**
 * Parses a plain decimal to an integer at `scale`, rounded half to even where the venue gives more
 * digits than the index has.
 */
function readNumber(cell: string, scale: number): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,24}))?$/.exec(cell);
  if (!match) return null;
  const fraction = match[2] ?? "";
  const value = BigInt((match[1] as string) + fraction.padEnd(scale, "0"));
  return fraction.length <= scale
    ? value
    : divideHalfEven(value, 10n ** BigInt(fraction.length - scale));
}

/**
 * Parses a volume. Venues sum floats and write tiny ones with an exponent (`1.1e-7`), which is
 * accepted; digits past the eighth are noise and truncated.
 */
function readVolume(cell: string): bigint | null {
  const match = /^(\d{1,15})(?:\.(\d{1,24}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(cell);
  if (!match) return null;
  const fraction = match[2] ?? "";
  const digits = BigInt((match[1] as string) + fraction);
  const shift = volumeScale - fraction.length + Number(match[3] ?? 0);
  const volume = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return volume <= volumeMax ? volume : null;
}
