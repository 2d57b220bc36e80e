import { expect, test } from "vitest";
import { countAt } from "./useCounting.ts";

test("a count starts at the old value and ends exactly at the new one", () => {
  const [from, to] = [10_000_000_001n, 9_910_000_007n];
  expect(countAt(from, to, 0)).toBe(from);
  expect(countAt(from, to, 1)).toBe(to);
  expect(countAt(from, to, 1.3)).toBe(to);
  expect(countAt(from, to, -0.1)).toBe(from);
});

test.each([
  [0n, 89_000_000n],
  [0n, -101_000_000n],
])("a count from %d to %d is monotonic and never overshoots", (from, to) => {
  const values = Array.from({ length: 101 }, (_, step) => countAt(from, to, step / 100));
  for (const [index, value] of values.entries()) {
    const before = values[index - 1] ?? from;
    expect(to > from ? value >= before && value <= to : value <= before && value >= to).toBe(true);
  }
});

test("a gain and a loss of the same size count at the same pace", () => {
  for (const part of [0.1, 0.5, 0.9]) {
    expect(countAt(0n, -5_000_000n, part)).toBe(-countAt(0n, 5_000_000n, part));
  }
});
