import { expect, test } from "vitest";
import { computeOtherResults, type Line } from "./resultLines.ts";

type Answer = Parameters<typeof computeOtherResults>[0];
const line = (type: Line["type"], today: string | null): Line => ({
  type,
  balance: "0",
  today,
  total: today,
  return_bp: null,
});
const answer = (today: string | null, ...lines: (string | null)[]): Answer => ({
  items: [
    line("contract", lines[0] ?? null),
    line("hosting", lines[1] ?? null),
    line("mining", lines[2] ?? null),
    line("exchange", lines[3] ?? null),
    line("transfer", "10000"),
    line("reward", "100"),
  ],
  account: { today, result: "-7" } as Answer["account"],
  display_currency: "pUSDT",
  priced_at_ms: 1,
});

test.each([
  [
    "nothing else if they are the whole result",
    "9.249999",
    ["12.5", "-3.000001", "-0.25", "0"],
    "0",
  ],
  ["the fee of a withdrawal", "-1", ["0", "0", "0", "0"], "-1"],
  ["a coin that rose while it was held", "25.5", ["5", "0", "0", "0.5"], "20"],
])("the lines and %s add up to the result", (_title, today, lines, rest) => {
  expect(computeOtherResults(answer(today, ...lines), "today")).toBe(rest);
});

test("the lines and the rest add up to the total result", () => {
  expect(computeOtherResults(answer("0", "1", "1", "1", "1"), "total")).toBe("-11");
});

test("a missing price yields no rest", () => {
  expect(computeOtherResults(answer("1", "1", null, "0", "0"), "today")).toBeNull();
  expect(computeOtherResults(answer(null, "1", "0", "0", "0"), "today")).toBeNull();
  expect(
    computeOtherResults({ ...answer("1", "1", "0", "0", "0"), account: null }, "today"),
  ).toBeNull();
});
