import { expect, it } from "vitest";
import type { Order } from "#api/contracts.ts";
import { layOutOrderChart } from "./orderChart.ts";

const order = {
  entry_at_ms: 0,
  delivery_at_ms: 60_000,
  window_seconds: 10,
  purchase_price: "100.00",
} as Order;
const second = (s: number, price: string | null) => ({ ms: s * 1_000, price });

it("an order without an entry has no path", () => {
  expect(layOutOrderChart({ ...order, purchase_price: null }, [], 300, 100)).toBeNull();
});

it("the entry price is centred, with rises above and falls below at one scale", () => {
  const picture = layOutOrderChart(
    order,
    [second(0, "100"), second(30, "101"), second(60, "99")],
    300,
    100,
  );
  expect(picture).toMatchObject({
    line: "M0 50L150 6L300 94",
    entryY: 50,
    head: { x: 300, y: 94 },
  });
});

it("the band is as wide as the window and ends at delivery", () => {
  expect(layOutOrderChart(order, [], 300, 100)?.band).toEqual({ x1: 250, x2: 300 });
});

it("only seconds within the window are samples", () => {
  const seconds = [second(50, "100"), second(51, "100"), second(60, "100"), second(61, "100")];
  expect(layOutOrderChart(order, seconds, 300, 100)?.samples.map(({ x }) => x)).toEqual([255, 300]);
});

it("a gap breaks the line instead of bridging it", () => {
  expect(
    layOutOrderChart(order, [second(0, "100"), second(1, null), second(2, "100")], 300, 100)?.line,
  ).toBe("M0 50M10 50");
});

it("a move of one tick is drawn small", () => {
  const picture = layOutOrderChart(order, [second(30, "100.01")], 300, 100);
  expect(picture?.head?.y).toBeGreaterThan(30);
});
