import { expect, test } from "vitest";
import { isChartKind, isIndicatorList, isInterval } from "./choices.ts";

test("offered choices are accepted", () => {
  expect(isIndicatorList([])).toBe(true);
  expect(isIndicatorList(["MA", "VOL"])).toBe(true);
  expect(isInterval("1m")).toBe(true);
  expect(isChartKind("line")).toBe(true);
  expect(isChartKind("bars")).toBe(true);
});

test.each<[unknown]>([
  [null],
  [{ length: 1, 0: "MA" }],
  [["constructor"]],
  [[["MA"]]],
  [["MACD", "MACD"]],
  [Array.from({ length: 10_000 }, () => "MACD")],
])("%.40j is not a list of indicators", (value) => expect(isIndicatorList(value)).toBe(false));

test.each<[unknown]>([[null], ["1y"], ["__proto__"], [["1m"]]])("%j is not an interval", (value) =>
  expect(isInterval(value)).toBe(false));

test.each<[unknown]>([[null], ["area"], [["line"]]])("%j is not a kind of chart", (value) =>
  expect(isChartKind(value)).toBe(false));
