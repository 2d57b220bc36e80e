import { describe, expect, it } from "vitest";
import { layOutOrder, type OrderMark, toBarIndex } from "./orderGeometry.ts";

const bars = [0, 1, 2, 5].map((minute) => ({ timestamp: minute * 60_000 }));

describe("toBarIndex", () => {
  it.each([
    ["the opening of a bar is at its left edge", 60_000, 0.5],
    ["half a minute is at the middle of its bar", 90_000, 1],
    ["a moment in a gap is at the edge of the bar before it", 250_000, 2.5],
    ["a future moment is extrapolated by the interval", 7 * 60_000, 4.5],
    ["a moment before all bars is extrapolated by the interval", -60_000, -1.5],
  ])("%s", (_, ms, index) => {
    expect(toBarIndex(bars, ms, "1m")).toBeCloseTo(index, 9);
  });

  it("an empty chart yields index 0", () => {
    expect(toBarIndex([], 5, "1m")).toBe(0);
  });
});

describe("layOutOrder", () => {
  const axes = { x: (ms: number) => ms / 1_000, y: (price: number) => 200 - price, height: 200 };
  const mark: OrderMark = {
    orderId: "o",
    direction: "up",
    rangeBp: 0,
    entryPrice: 100,
    entryMs: 10_000,
    windowMs: 60_000,
    deliveryMs: 70_000,
    samples: [{ ms: 61_000, price: 101 }],
  };

  it("an up order wins above its entry, a down order below", () => {
    expect(layOutOrder(mark, axes).target).toEqual({ x: 10, y: 0, width: 60, height: 100 });
    expect(layOutOrder({ ...mark, direction: "down" }, axes).target).toEqual({
      x: 10,
      y: 100,
      width: 60,
      height: 100,
    });
  });

  it("a range moves the target away from the entry", () => {
    expect(layOutOrder({ ...mark, rangeBp: 100 }, axes).target.height).toBeCloseTo(99, 9);
    expect(layOutOrder({ ...mark, rangeBp: 100, direction: "down" }, axes).target.y).toBeCloseTo(
      101,
      9,
    );
  });

  it("the band covers every second of the window and ends at delivery", () => {
    expect(layOutOrder(mark, axes).band).toEqual({ x: 60, width: 10 });
    expect(layOutOrder(mark, axes).samples).toEqual([{ x: 61, y: 99 }]);
  });

  it("a narrow band keeps a minimum width", () => {
    expect(layOutOrder(mark, { ...axes, x: (ms) => ms / 60_000 }).band.width).toBeCloseTo(3, 9);
  });
});
