import { expect, test } from "vitest";
import { buildHeatCells } from "./heat.ts";

test("the hour with the largest result is opaque, an hour at zero is faint, and the sign sets the colour", () => {
  const cells = buildHeatCells(
    [
      { weekday: 0, hour: 0, net: "-100" },
      { weekday: 6, hour: 23, net: "50" },
      { weekday: 1, hour: 2, net: "0" },
    ],
    10,
  );
  expect(cells).toEqual([
    { x: 0, y: 0, tone: "fall", strength: 1 },
    { x: 230, y: 60, tone: "rise", strength: 0.575 },
    { x: 20, y: 10, tone: "flat", strength: 0.15 },
  ]);
});

test("hours without any result are all faint", () => {
  expect(buildHeatCells([{ weekday: 0, hour: 5, net: "0" }], 10)[0]).toMatchObject({
    strength: 0.15,
  });
});
