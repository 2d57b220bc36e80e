import { type Bar, type Fill, sumOver } from "./incremental.ts";

/** Bollinger bands: the mean of `period` closes, and as many standard deviations (of the population) to each side. */
export interface BollRow {
  up?: number;
  mid?: number;
  dn?: number;
}

export const fillBoll: Fill<BollRow> = (bars, rows, from, params) => {
  const [period = 20, width = 2] = params;
  for (let i = from; i < bars.length; i++) {
    const sum = sumOver(bars, i, period, "close");
    if (sum === undefined) {
      rows[i] = {};
      continue;
    }
    const mid = sum / period;
    let squares = 0;
    for (let j = i - period + 1; j <= i; j++) squares += ((bars[j] as Bar).close - mid) ** 2;
    const deviation = Math.sqrt(squares / period);
    rows[i] = { up: mid + width * deviation, mid, dn: mid - width * deviation };
  }
};
