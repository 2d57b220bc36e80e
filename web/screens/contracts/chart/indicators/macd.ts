import { emaStep } from "./ema.ts";
import type { Bar, Fill } from "./incremental.ts";

/** MACD: difference of a fast and a slow EMA, its own EMA (the signal), and their distance as bars. */
export interface MacdRow {
  dif?: number;
  dea?: number;
  macd?: number;
  /** Running fast EMA, slow EMA and signal. */
  fast: number;
  slow: number;
  signal: number | undefined;
}

export const fillMacd: Fill<MacdRow> = (bars, rows, from, params) => {
  const [fastPeriod = 12, slowPeriod = 26, signalPeriod = 9] = params;
  for (let i = from; i < bars.length; i++) {
    const before = rows[i - 1];
    const close = (bars[i] as Bar).close;
    const fast = emaStep(before?.fast, close, fastPeriod);
    const slow = emaStep(before?.slow, close, slowPeriod);
    const dif = fast - slow;
    const shows = i + 1 >= slowPeriod;
    const signal = shows ? emaStep(before?.signal, dif, signalPeriod) : undefined;
    const row: MacdRow = { fast, slow, signal };
    if (shows) row.dif = dif;
    if (signal !== undefined && i + 2 >= slowPeriod + signalPeriod) {
      row.dea = signal;
      row.macd = 2 * (dif - signal);
    }
    rows[i] = row;
  }
};
