import { type Chart, registerOverlay } from "klinecharts";
import type { Interval } from "#core/market/intervals.ts";
import type { ChartColours } from "../colours.ts";
import { layOutOrder, type OrderMark, toBarIndex } from "./orderGeometry.ts";

interface DrawnMark {
  mark: OrderMark;
  /** Several targets on top of each other could not be told apart: only the newest is tinted. */
  isNewest: boolean;
  interval: Interval;
  colours: ChartColours;
}

const name = "drydock.order";
let registered = false;

function register(): void {
  if (registered) return;
  registered = true;
  registerOverlay<DrawnMark>({
    name,
    lock: true,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ chart, overlay, bounding, xAxis, yAxis }) => {
      const { mark, isNewest, interval, colours } = overlay.extendData;
      if (!xAxis || !yAxis) return [];
      const bars = chart.getDataList();
      const figures = layOutOrder(mark, {
        x: (ms) => xAxis.convertToPixel(toBarIndex(bars, ms, interval)),
        y: (price) => yAxis.convertToPixel(price),
        height: bounding.height,
      });
      return draw(figures, mark, isNewest, colours, bounding.height);
    },
  });
}

function draw(
  figures: ReturnType<typeof layOutOrder>,
  mark: OrderMark,
  isNewest: boolean,
  colours: ChartColours,
  height: number,
) {
  const tint = mark.direction === "up" ? colours.riseTint : colours.fallTint;
  const line = (
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    dashed: boolean,
    color: string,
  ) => ({
    type: "line",
    ignoreEvent: true,
    attrs: {
      coordinates: [
        { x: x1, y: y1 },
        { x: x2, y: y2 },
      ],
    },
    styles: { style: dashed ? "dashed" : "solid", dashedValue: [3, 3], color, size: 1 },
  });
  const { entry, band, target } = figures;
  return [
    ...(isNewest
      ? [{ type: "rect", ignoreEvent: true, attrs: target, styles: { style: "fill", color: tint } }]
      : []),
    {
      type: "rect",
      ignoreEvent: true,
      attrs: { x: band.x, y: 0, width: band.width, height },
      styles: { style: "fill", color: colours.band },
    },
    line(figures.delivery, 0, figures.delivery, height, true, colours.muted),
    line(entry.x1, entry.y, entry.x2, entry.y, false, colours.ink),
    {
      type: "circle",
      ignoreEvent: true,
      attrs: { x: entry.x1, y: entry.y, r: 3 },
      styles: { style: "fill", color: colours.ink },
    },
    // The direction as a separate sign, since the tint is only a colour.
    {
      type: "text",
      ignoreEvent: true,
      attrs: {
        x: entry.x1 + 6,
        y: entry.y,
        text: mark.direction === "up" ? "▲" : "▼",
        align: "left",
        baseline: mark.direction === "up" ? "bottom" : "top",
      },
      styles: {
        color: mark.direction === "up" ? colours.rise : colours.fall,
        backgroundColor: "transparent",
        size: 12,
        paddingLeft: 0,
        paddingRight: 0,
        paddingTop: 2,
        paddingBottom: 2,
      },
    },
    ...figures.samples.map(({ x, y }) => ({
      type: "circle",
      ignoreEvent: true,
      attrs: { x, y, r: 2 },
      styles: { style: "fill", color: colours.ink },
    })),
  ];
}

const getId = ({ orderId }: OrderMark) => `${name}.${orderId}`;

/** Draws these orders on the chart, newest first, and removes all others. */
export function showOrders(
  chart: Chart,
  marks: readonly OrderMark[],
  interval: Interval,
  colours: ChartColours,
): void {
  register();
  const wantedIds = new Set(marks.map(getId));
  const shownIds = new Set(chart.getOverlays({ name }).map(({ id }) => id));
  for (const id of shownIds) if (!wantedIds.has(id)) chart.removeOverlay({ id });
  for (const [index, mark] of marks.entries()) {
    const id = getId(mark);
    const extendData: DrawnMark = { mark, isNewest: index === 0, interval, colours };
    const points = [{ timestamp: mark.entryMs, value: mark.entryPrice }];
    if (shownIds.has(id)) chart.overrideOverlay({ id, name, points, extendData });
    else chart.createOverlay({ id, name, points, extendData, lock: true });
  }
}
