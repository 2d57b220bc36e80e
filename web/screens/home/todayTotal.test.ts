import { expect, test } from "vitest";
import { type Line, todayTotal } from "./todayTotal.ts";

const line = (type: Line["type"], today: string | null): Line => ({
  type,
  balance: "0",
  today,
  total: "0",
  return_bp: null,
});
const answer = (...items: Line[]) => ({
  items,
  account: null,
  display_currency: "pUSDT" as const,
  priced_at_ms: 1,
});

test.each([
  ["gains and losses add up", ["12.5", "-3.000001", "-0.25", "0"], "9.249999"],
  ["a loss in all keeps its sign", ["1", "-2", "0", "-0.000001"], "-1.000001"],
  ["nothing happened", ["0", "0", "0", "0"], "0"],
])("%s", (_title, [contract, hosting, mining, exchange], sum) => {
  const items = [
    line("contract", contract!),
    line("hosting", hosting!),
    line("mining", mining!),
    line("exchange", exchange!),
  ];
  expect(todayTotal(answer(...items))).toBe(sum);
});

test("what was recharged, sent or given as a reward is no result", () => {
  const items = [
    line("contract", "1"),
    line("hosting", "0"),
    line("mining", "0"),
    line("exchange", "0"),
    line("transfer", "10000"),
    line("reward", "100"),
  ];
  expect(todayTotal(answer(...items))).toBe("1");
});

test("a line without a price leaves no sum, rather than a wrong one", () => {
  const items = [
    line("contract", "1"),
    line("hosting", null),
    line("mining", "0"),
    line("exchange", "0"),
  ];
  expect(todayTotal(answer(...items))).toBeNull();
  expect(todayTotal(answer(line("contract", "1")))).toBeNull();
});
