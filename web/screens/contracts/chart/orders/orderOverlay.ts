import { type Chart, registerOverlay } from "klinecharts";
import type { Interval } from "#core/market/intervals.ts";
import type { ChartColours } from "../colours.ts";
import { indexAt, type OrderMark, orderFigures } from "./orderGeometry.ts";

interface Drawn {
  mark: OrderMark;
  interval: Interval;
  colours: ChartColours;
}

const name = "drydock.order";
let registered = false;

function register(): void {
  if (registered) return;
  registered = true;
  registerOverlay<Drawn>({
    name,
    lock: true,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ chart, overlay, bounding, xAxis, yAxis }) => {
      const { mark, interval, colours } = overlay.extendData;
      if (!xAxis || !yAxis) return [];
      const bars = chart.getDataList();
      const figures = orderFigures(mark, {
        x: (ms) => xAxis.convertToPixel(indexAt(bars, ms, interval)),
        y: (price) => yAxis.convertToPixel(price),
        height: bounding.height,
      });
      return draw(figures, mark, colours, bounding.height);
    },
  });
}

function draw(
  figures: ReturnType<typeof orderFigures>,
  mark: OrderMark,
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
    { type: "rect", ignoreEvent: true, attrs: target, styles: { style: "fill", color: tint } },
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
    ...figures.samples.map(({ x, y }) => ({
      type: "circle",
      ignoreEvent: true,
      attrs: { x, y, r: 2 },
      styles: { style: "fill", color: colours.ink },
    })),
  ];
}

/** Draws one order on the chart, or removes it. */
export function showOrder(
  chart: Chart,
  mark: OrderMark | null,
  interval: Interval,
  colours: ChartColours,
): void {
  register();
  if (!mark) {
    chart.removeOverlay({ name });
    return;
  }
  const extendData: Drawn = { mark, interval, colours };
  const points = [{ timestamp: mark.entryMs, value: mark.entryPrice }];
  const [shown] = chart.getOverlays({ name });
  if (shown) chart.overrideOverlay({ id: shown.id, name, points, extendData });
  else chart.createOverlay({ name, points, extendData, lock: true });
}
