import { expect, test } from "vitest";
import { computeFrame, type Dot, toPath } from "./lineShape.ts";

const risingLine: Dot[] = [
  [0, 1],
  [10, 3],
];

test("the frame contains every line plus a margin of 5 %", () => {
  expect(computeFrame([risingLine, [[5, 2]]])).toEqual({
    fromMs: 0,
    toMs: 10,
    low: 0.9,
    high: 3.1,
  });
});

test("a flat line is centred in its frame", () => {
  const flat: Dot[] = [
    [0, 1],
    [10, 1],
  ];
  expect(toPath(flat, computeFrame([flat])!, [100, 50])).toBe("M0.0 25.0L100.0 25.0");
});

test.each([
  ["nothing", []],
  ["a single moment", [[[5, 1]]]],
  ["a repeated moment", [[[5, 1]], [[5, 2]]]],
] satisfies [string, Dot[][]][])("%s has no frame", (_, lines) => {
  expect(computeFrame(lines)).toBeNull();
});

test("higher values are drawn higher", () => {
  const frame = { fromMs: 0, toMs: 10, low: 1, high: 3 };
  expect(toPath(risingLine, frame, [100, 50])).toBe("M0.0 50.0L100.0 0.0");
});
