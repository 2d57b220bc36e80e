import { describe, expect, test } from "vitest";
import { shapeWindow } from "#web/features/receipt/windowShape.ts";

const size = { width: 100, height: 50, pad: 10 };
const sample = (secondMs: number, value: bigint | null, used = true) => ({
  secondMs: secondMs * 1000,
  leaf: secondMs,
  value,
  used,
});

describe("shapeWindow", () => {
  test("the highest value is at the top edge and the lowest at the bottom", () => {
    const shape = shapeWindow(
      [sample(0, 10n), sample(1, 20n)],
      { purchase: 15n, selling: null },
      size,
    );
    expect(shape.dots.map(({ x, y }) => [x, y])).toEqual([
      [10, 40],
      [90, 10],
    ]);
    expect(shape.purchaseY).toBe(25);
    expect(shape.sellingY).toBeNull();
  });
  test("a second without a value is a gap instead of a dot", () => {
    const shape = shapeWindow(
      [sample(0, 1n), sample(1, null), sample(2, 1n, false)],
      { purchase: null, selling: 1n },
      size,
    );
    expect(shape.gaps).toEqual([50]);
    expect(shape.dots.map(({ used }) => used)).toEqual([true, false]);
  });
  test("a flat window is centred", () => {
    expect(shapeWindow([sample(0, 7n)], { purchase: 7n, selling: 7n }, size).dots).toEqual([
      { x: 50, y: 25, used: true, secondMs: 0 },
    ]);
  });
});
