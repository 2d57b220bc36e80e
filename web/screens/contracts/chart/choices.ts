import { type Interval, intervalNames } from "#core/market/intervals.ts";
import { type IndicatorName, indicatorNames } from "./indicators.ts";

export const isInterval = (value: unknown): value is Interval =>
  intervalNames.includes(value as Interval);

export const isIndicatorList = (value: unknown): value is IndicatorName[] =>
  Array.isArray(value) &&
  // Each pane takes room: a list that repeats one would bury the price.
  new Set(value).size === value.length &&
  value.every((name) => indicatorNames.includes(name as IndicatorName));
