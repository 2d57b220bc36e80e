import type { Bar, Fill } from "./incremental.ts";

/** Relative strength by Wilder's smoothing, 0 to 100, `rsi0`, `rsi1`, … in the order of the parameters. */
export interface RsiRow {
  [line: `rsi${number}`]: number | undefined;
  /** Mean gain and loss of each line: plain means while the first period fills, smoothed after it. */
  means: { gain: number; loss: number }[];
}

export const fillRsi: Fill<RsiRow> = (bars, rows, from, params) => {
  for (let i = from; i < bars.length; i++) {
    const before = rows[i - 1]?.means;
    const move = i === 0 ? 0 : (bars[i] as Bar).close - (bars[i - 1] as Bar).close;
    const gain = Math.max(0, move);
    const loss = Math.max(0, -move);
    const means = params.map((period, line) => {
      const was = before?.[line];
      if (i === 0 || was === undefined) return { gain: 0, loss: 0 };
      const weight = Math.min(i, period);
      return {
        gain: was.gain + (gain - was.gain) / weight,
        loss: was.loss + (loss - was.loss) / weight,
      };
    });
    const row: RsiRow = { means };
    params.forEach((period, line) => {
      if (i < period) return;
      const { gain: up, loss: down } = means[line] as { gain: number; loss: number };
      // A market that did not move at all is neither strong nor weak.
      row[`rsi${line}`] = up + down === 0 ? 50 : (100 * up) / (up + down);
    });
    rows[i] = row;
  }
};
