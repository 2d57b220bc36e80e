import { type Interval, intervalNames } from "#core/market/intervals.ts";
import { type IndicatorName, indicatorNames } from "./indicators.ts";

export const isInterval = (value: unknown): value is Interval =>
  intervalNames.includes(value as Interval);

export const isIndicatorList = (value: unknown): value is IndicatorName[] =>
  Array.isArray(value) &&
  // Each pane takes space: a list with repeats would crowd out the price.
  new Set(value).size === value.length &&
  value.every((name) => indicatorNames.includes(name as IndicatorName));
