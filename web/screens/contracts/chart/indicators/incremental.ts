/**
 * Indicators that do not start over on each tick. klinecharts calls `calc` with all bars whenever one changed; here the
 * rows of all bars but the last known one stay, and only the tail is computed again: from the last known bar on, since
 * that is the only one a tick may change.
 *
 * Values are floats on purpose: they are drawn, never settled on.
 */
export interface Bar {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * Computes `rows[from]` up to the last bar. `rows[0]` to `rows[from - 1]` are right already, so an indicator that
 * needs its own past (an EMA) reads it there.
 */
export type Fill<Row> = (
  bars: readonly Bar[],
  rows: Row[],
  from: number,
  params: readonly number[],
) => void;

interface Kept<Row> {
  bars: readonly Bar[];
  firstMs: number | undefined;
  length: number;
  params: string;
  rows: Row[];
}

/**
 * Keeps the rows of one indicator on one chart. Bars count as the same history while they are the same array with the
 * same first bar and no fewer bars than before; anything else (another contract, a page loaded in front) is computed
 * in full.
 */
export function createIncremental<Row>(fill: Fill<Row>) {
  const kept = new WeakMap<object, Kept<Row>>();
  return (owner: object, bars: readonly Bar[], params: readonly number[]): Row[] => {
    const before = kept.get(owner);
    const key = params.join();
    const goesOn =
      before !== undefined &&
      before.bars === bars &&
      before.params === key &&
      before.firstMs === bars[0]?.timestamp &&
      before.length <= bars.length;
    const rows = goesOn ? before.rows : [];
    fill(bars, rows, goesOn ? Math.max(0, before.length - 1) : 0, params);
    kept.set(owner, { bars, firstMs: bars[0]?.timestamp, length: bars.length, params: key, rows });
    return rows;
  };
}

/** Sum of one field over the `period` bars that end with bar `index`; undefined while there are fewer. */
export function sumOver(
  bars: readonly Bar[],
  index: number,
  period: number,
  field: "close" | "volume",
): number | undefined {
  if (index + 1 < period) return undefined;
  let sum = 0;
  for (let i = index - period + 1; i <= index; i++) sum += (bars[i] as Bar)[field];
  return sum;
}
