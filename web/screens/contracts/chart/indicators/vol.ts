import { type Bar, type Fill, sumOver } from "./incremental.ts";

/** Volume with its means; `rises` tells the colour of the bar. */
export interface VolRow {
  [line: `ma${number}`]: number | undefined;
  volume: number;
  rises: boolean;
}

export const fillVol: Fill<VolRow> = (bars, rows, from, params) => {
  for (let i = from; i < bars.length; i++) {
    const bar = bars[i] as Bar;
    const row: VolRow = { volume: bar.volume, rises: bar.close >= bar.open };
    params.forEach((period, line) => {
      const sum = sumOver(bars, i, period, "volume");
      if (sum !== undefined) row[`ma${line}`] = sum / period;
    });
    rows[i] = row;
  }
};
