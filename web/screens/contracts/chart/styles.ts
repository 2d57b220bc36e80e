import type { DeepPartial, Styles } from "klinecharts";
import type { ChartKind } from "./choices.ts";
import type { ChartColours } from "./colours.ts";

/**
 * klinecharts' styles in our colours and the page's type. A rising bar is hollow and a falling one
 * filled, so that colour is not the only difference. The page draws the legends, not the canvas, so
 * that they are accessible.
 */
export function createChartStyles(
  colours: ChartColours,
  { family, size }: { family: string; size: number },
  kind: ChartKind,
): DeepPartial<Styles> {
  const text = { color: colours.muted, size, family };
  const label = {
    color: colours.ground,
    size,
    family,
    backgroundColor: colours.ink,
    borderColor: colours.ink,
    borderRadius: 2,
  };
  const axis = {
    axisLine: { color: colours.hairline },
    tickLine: { show: false },
    tickText: text,
  };
  const mark = { color: colours.muted, textFamily: family, textSize: size };
  const { rise, fall } = colours;
  const bar = { upColor: rise, downColor: fall, noChangeColor: colours.muted };
  return {
    grid: {
      horizontal: { color: colours.hairline, style: "solid", size: 1 },
      vertical: { show: false },
    },
    candle: {
      type: kind === "line" ? "area" : "candle_up_stroke",
      area: {
        lineSize: 1.5,
        lineColor: colours.ink,
        value: "close",
        backgroundColor: "transparent",
        point: { show: true, color: colours.ink, radius: 3, rippleRadius: 0, animation: false },
      },
      bar: {
        ...bar,
        upBorderColor: rise,
        downBorderColor: fall,
        noChangeBorderColor: colours.muted,
        upWickColor: rise,
        downWickColor: fall,
        noChangeWickColor: colours.muted,
      },
      priceMark: {
        high: mark,
        low: mark,
        last: {
          ...bar,
          line: { style: "dashed", dashedValue: [2, 3] },
          text: { size, family, borderRadius: 2, color: colours.ground },
        },
      },
      tooltip: { showRule: "none" },
    },
    indicator: {
      lines: colours.lines.map((color) => ({
        color,
        size: 1,
        smooth: false,
        style: "solid" as const,
        dashedValue: [2, 2],
      })),
      bars: [
        {
          style: "fill",
          borderStyle: "solid",
          borderSize: 1,
          borderDashedValue: [2, 2],
          ...bar,
          noChangeColor: rise,
        },
      ],
      tooltip: { showRule: "none" },
      lastValueMark: { show: false },
    },
    xAxis: axis,
    yAxis: axis,
    crosshair: {
      horizontal: { line: { color: colours.muted, dashedValue: [2, 3] }, text: label },
      vertical: { line: { color: colours.muted, dashedValue: [2, 3] }, text: label },
    },
    separator: { color: colours.hairline, activeBackgroundColor: colours.band },
  };
}
