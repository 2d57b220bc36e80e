import { type Interval, intervalNames } from "#core/market/intervals.ts";
import { type IndicatorName, indicatorNames } from "./indicators.ts";

export const isInterval = (value: unknown): value is Interval =>
  intervalNames.includes(value as Interval);

/** How the price is drawn: a line through the closes, or the whole bars. */
export type ChartKind = "line" | "bars";
export const isChartKind = (value: unknown): value is ChartKind =>
  value === "line" || value === "bars";

export const isIndicatorList = (value: unknown): value is IndicatorName[] =>
  Array.isArray(value) &&
  // Each pane takes space: a list with repeats would crowd out the price.
  new Set(value).size === value.length &&
  value.every((name) => indicatorNames.includes(name as IndicatorName));
