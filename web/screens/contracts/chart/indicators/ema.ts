import type { Bar, Fill } from "./incremental.ts";

/** Exponential means of the closes, `ema0`, `ema1`, …; they start at the first close and show once a period is full. */
export interface EmaRow {
  [line: `ema${number}`]: number | undefined;
  /** Running values, also before they are shown. */
  running: number[];
}

/** One step of an exponential mean with the usual weight 2 / (period + 1). */
export function emaStep(before: number | undefined, value: number, period: number): number {
  return before === undefined ? value : before + (2 / (period + 1)) * (value - before);
}

export const fillEma: Fill<EmaRow> = (bars, rows, from, params) => {
  for (let i = from; i < bars.length; i++) {
    const before = rows[i - 1]?.running;
    const close = (bars[i] as Bar).close;
    const running = params.map((period, line) => emaStep(before?.[line], close, period));
    const row: EmaRow = { running };
    params.forEach((period, line) => {
      if (i + 1 >= period) row[`ema${line}`] = running[line];
    });
    rows[i] = row;
  }
};
