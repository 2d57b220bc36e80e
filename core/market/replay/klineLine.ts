import { minuteMs } from "#core/money/time.ts";

/** The first line of a file of klines as `npm run recordings` writes it: form `seconds`. */
export const klinesHeader = "start,low,high,open,close,volume";

/**
 * The line of a venue's kline: `[open time in ms, open, high, low, close, volume]`. Null for
 * anything but a kline of a minute: a recording contains exactly what the venue published.
 */
export function formatKlineLine(row: readonly (number | undefined)[]): string | null {
  const [atMs, open, high, low, close, volume] = row;
  const values = [low, high, open, close, volume];
  if (!values.every((value) => value !== undefined && Number.isFinite(value))) return null;
  if (atMs === undefined || atMs < 0 || atMs % minuteMs !== 0) return null;
  if (low! <= 0 || low! > Math.min(open!, close!) || high! < Math.max(open!, close!)) return null;
  if (volume! < 0) return null;
  return [atMs / 1_000, ...values.map((value) => plainDecimal(value!))].join(",");
}

/** Shortest decimal form of a number that is not negative, without an exponent. */
function plainDecimal(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const [integerPart = "", fraction = ""] = mantissa.split(".");
  const shift = Number(exponent);
  if (shift < 0) return `0.${"0".repeat(-shift - 1)}${integerPart}${fraction}`;
  return (integerPart + fraction).padEnd(integerPart.length + shift, "0");
}

/** The opening time of a line of `formatKlineLine`. */
export function klineTimeMs(line: string): number {
  return Number(line.slice(0, line.indexOf(","))) * 1_000;
}

/** Counts the minutes of `[fromMs, toMs)` that the ascending opening times cover. */
export function countCoverage(timesMs: readonly number[], fromMs: number, toMs: number) {
  let longest = 0;
  let nextMs = fromMs;
  for (const atMs of [...timesMs, toMs]) {
    longest = Math.max(longest, (atMs - nextMs) / minuteMs);
    nextMs = atMs + minuteMs;
  }
  return {
    present: timesMs.length,
    missing: (toMs - fromMs) / minuteMs - timesMs.length,
    longestGap: longest,
  };
}
