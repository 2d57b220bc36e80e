import { expect, test } from "vitest";
import { type Dot, frameOf, pathOf } from "./lineShape.ts";

const rising: Dot[] = [
  [0, 1],
  [10, 3],
];

test("a frame holds every line and leaves a twentieth free above and below", () => {
  expect(frameOf([rising, [[5, 2]]])).toEqual({ fromMs: 0, toMs: 10, low: 0.9, high: 3.1 });
});

test("a flat line lies in the middle of its frame", () => {
  const flat: Dot[] = [
    [0, 1],
    [10, 1],
  ];
  expect(pathOf(flat, frameOf([flat])!, [100, 50])).toBe("M0.0 25.0L100.0 25.0");
});

test.each([
  ["nothing", []],
  ["one moment", [[[5, 1]]]],
  ["one moment told twice", [[[5, 1]], [[5, 2]]]],
] satisfies [string, Dot[][]][])("there is no frame for %s", (_, lines) => {
  expect(frameOf(lines)).toBeNull();
});

test("higher values stand higher", () => {
  const frame = { fromMs: 0, toMs: 10, low: 1, high: 3 };
  expect(pathOf(rising, frame, [100, 50])).toBe("M0.0 50.0L100.0 0.0");
});
