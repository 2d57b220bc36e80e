import { expect, test } from "vitest";
import { shortCostText, shortWorth, shortWorthText } from "#ui/figures/shortAmount.ts";

test.each([
  [2_000_843n, "pUSDT", "2"],
  [1_999_999n, "pUSDT", "1.99"],
  [35_546_46n, "pBTC", "0.035546"],
  [15_624_138_888n, "pETH", "15.62413"],
] as const)("%i of %s is shown as %s, truncated", (worth, display, text) => {
  expect(shortWorth(worth, display)).toBe(text);
});

test("a loss is rounded up", () => {
  expect(shortWorth(1n, "pUSDT", "up")).toBe("0.01");
  expect(shortWorth(10_000n, "pUSDT", "up")).toBe("0.01");
});

test.each([
  ["12.349999", "12.34"],
  ["-12.340001", "-12.35"],
  ["-0.000001", "-0.01"],
  ["0", "0"],
])("an amount of %s is shown as %s, with losses rounded up and gains down", (text, expected) => {
  expect(shortWorthText(text, "pUSDT")).toBe(expected);
});

test.each([
  ["176.3232", "176.33"],
  ["0.000001", "0.01"],
  ["2", "2"],
])("a cost of %s is shown as %s, rounded up", (text, expected) => {
  expect(shortCostText(text, "pUSDT")).toBe(expected);
});
