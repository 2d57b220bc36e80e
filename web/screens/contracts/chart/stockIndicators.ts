import type { IndicatorCreate, IndicatorFigure } from "klinecharts";
import { type IndicatorName, indicators } from "./indicators.ts";

/**
 * The histogram of MACD with filled bars; the stock one draws a growing bar hollow, which on a
 * phone is a thin line.
 */
const histogram: IndicatorFigure = {
  key: "macd",
  type: "bar",
  baseValue: 0,
  styles: ({ data, defaultStyles }) => {
    const { macd = 0 } = (data.current ?? {}) as { macd?: number };
    const bar = defaultStyles?.bars[0];
    return bar ? { color: macd < 0 ? bar.downColor : bar.upColor } : {};
  },
};

/** What we ask of klinecharts' own indicators beside their parameters. */
const options: Partial<Record<IndicatorName, Partial<IndicatorCreate>>> = {
  MACD: {
    figures: [histogram, { key: "dif", type: "line" }, { key: "dea", type: "line" }],
  },
  RSI: { minValue: 0, maxValue: 100, precision: 1 },
};

export function stockOptions(name: IndicatorName): IndicatorCreate {
  return { name, calcParams: [...indicators[name].params], ...options[name] };
}
