import { expect, test } from "vitest";
import { countdownText } from "#ui/figures/Countdown.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { sparkPath } from "#ui/figures/sparkPath.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";

test.each([
  ["1234567.5", "en", 2, "1,234,567.50"],
  ["1234567.5", "de", 2, "1.234.567,50"],
  ["-0.000001", "en", 2, "−0.000001"],
  ["999", "fr", 0, "999"],
  ["123456789012.123456789", "ja", 0, "123,456,789,012.123456789"],
])("%s in %s with at least %s digits is %s and keeps every digit", (value, locale, digits, expected) => {
  expect(formatNumber(value, locale, digits)).toBe(expected);
});

test.each([
  ["12,5", "12.5"],
  ["12.5", "12.5"],
  ["1,234.5", "1234.5"],
  ["1.234,5", "1234.5"],
  ["1 000", "1000"],
  ["007", "7"],
  [".5", "0.5"],
  ["12.", "12."],
  ["", ""],
  ["1.2.3", null],
  ["1e3", null],
  ["-5", null],
  ["0.1234567", null],
  ["1234567890123", null],
])("the input %j at scale 6 is parsed as %j", (text, expected) => {
  expect(readAmountText(text, 6)).toBe(expected);
});

test.each([
  ["12.", "12"],
  ["12.50", "12.5"],
  ["100", "100"],
  ["", ""],
])("%j settles to %j on blur", (text, settled) => {
  expect(settleAmountText(text)).toBe(settled);
});

test.each([
  [75_000, "1:15"],
  [74_001, "1:15"],
  [3_600_000, "1:00:00"],
  [-5, "0:00"],
])("%d ms are shown as %s", (leftMs, expected) => {
  expect(countdownText(leftMs)).toBe(expected);
});

test("a sparkline maps the minimum to the bottom and a constant to the middle", () => {
  expect(sparkPath([1, 2, 3], 10, 10)).toBe("M0.0 10.0L5.0 5.0L10.0 0.0");
  expect(sparkPath([2, 2], 10, 10)).toBe("M0.0 5.0L10.0 5.0");
  expect(sparkPath([2], 10, 10)).toBe("");
});
