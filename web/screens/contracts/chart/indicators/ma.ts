import { type Fill, sumOver } from "./incremental.ts";

/** Means of the closes over each period, keyed `ma0`, `ma1`, … in the order of the parameters. */
export type MaRow = Record<string, number | undefined>;

export const fillMa: Fill<MaRow> = (bars, rows, from, params) => {
  for (let i = from; i < bars.length; i++) {
    const row: MaRow = {};
    params.forEach((period, line) => {
      const sum = sumOver(bars, i, period, "close");
      if (sum !== undefined) row[`ma${line}`] = sum / period;
    });
    rows[i] = row;
  }
};
