import { describe, expect, it } from "vitest";
import { countColumnDigits, groupByDay } from "./days.ts";

describe("groupByDay", () => {
  const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const recordAt = (day: number, hour: number) => ({ at_ms: Date.UTC(2026, 0, day, hour) });

  it("items keep their order within and between days", () => {
    const [a, b, c] = [recordAt(3, 9), recordAt(3, 8), recordAt(2, 23)];
    expect(groupByDay([a, b, c], toDay)).toEqual([
      { ms: a.at_ms, items: [a, b] },
      { ms: c.at_ms, items: [c] },
    ]);
  });

  it("an empty list has no days", () => {
    expect(groupByDay([], toDay)).toEqual([]);
  });
});

it.each([
  [[], 2],
  [["1", "2.5"], 2],
  [["-0.123456", "10"], 6],
])("amounts %j need %i decimal places", (amounts, digits) => {
  expect(countColumnDigits(amounts)).toBe(digits);
});
