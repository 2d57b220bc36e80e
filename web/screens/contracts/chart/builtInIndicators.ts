import type { IndicatorCreate, IndicatorFigure } from "klinecharts";
import { type IndicatorName, indicators } from "./indicators.ts";

/**
 * MACD's histogram with filled bars; the stock one draws growing bars hollow, which on a phone are
 * thin lines.
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

/** Overrides of klinecharts' own indicators besides their parameters. */
const options: Partial<Record<IndicatorName, Partial<IndicatorCreate>>> = {
  MACD: {
    figures: [histogram, { key: "dif", type: "line" }, { key: "dea", type: "line" }],
  },
  RSI: { minValue: 0, maxValue: 100, precision: 1 },
};

export function getBuiltInOptions(name: IndicatorName): IndicatorCreate {
  return { name, calcParams: [...indicators[name].params], ...options[name] };
}
