import { type Chart, init, type Period } from "klinecharts";
import type { Interval } from "#core/market/intervals.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

/** Our intervals as klinecharts periods. */
export const periods: Record<Interval, Period> = {
  "1m": { type: "minute", span: 1 },
  "5m": { type: "minute", span: 5 },
  "15m": { type: "minute", span: 15 },
  "30m": { type: "minute", span: 30 },
  "1h": { type: "hour", span: 1 },
  "4h": { type: "hour", span: 4 },
  "1d": { type: "day", span: 1 },
  "1w": { type: "week", span: 1 },
};

/** The pane in which klinecharts draws the bars. */
export const candlePane = "candle_pane";

/** Width of a bar including its gap, in pixels. */
export const barSpace = { min: 2, start: 7, max: 40 };

/**
 * Creates an empty chart in `element`, in the person's language, that leaves keys and vertical
 * drags to the page.
 */
export function createChart(element: HTMLElement, locale: string): Chart {
  const chart = init(element, {
    hotkey: { enabled: false },
    zoomAnchor: { main: "cursor", xAxis: "last_bar" },
    formatter: { formatDate: dateFormatter(locale) },
    thousandsSeparator: { format: (value) => formatNumber(String(value), locale) },
    layout: { barSpaceLimit: { min: barSpace.min, max: barSpace.max }, pane: { minHeight: 60 } },
  });
  if (!chart) throw new Error("the chart could not be created");
  openToPage(element);
  chart.setBarSpace(barSpace.start);
  chart.setOffsetRightDistance(56);
  chart.setMaxOffsetRightDistance(220);
  return chart;
}

/**
 * klinecharts makes its inner element the first tab stop, claims every touch and contains
 * scrolling. Here the element around it has the focus, and vertical drags belong to the page
 * (gestures.ts).
 */
function openToPage(element: HTMLElement): void {
  for (const child of element.querySelectorAll<HTMLElement>("*")) {
    child.removeAttribute("tabindex");
    if (child.style.touchAction === "none") child.style.touchAction = "pan-y";
    if (child.style.overscrollBehavior === "none") child.style.overscrollBehavior = "auto";
  }
}

/** Formats axis and crosshair dates in the person's language and time zone. */
function dateFormatter(locale: string) {
  const dateAndTime = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const shapes = {
    mm: new Intl.DateTimeFormat(locale, time),
    DD: new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit" }),
    MM: new Intl.DateTimeFormat(locale, { month: "2-digit", year: "numeric" }),
    YYYY: new Intl.DateTimeFormat(locale, { year: "numeric" }),
  };
  return ({ timestamp, template, type }: { timestamp: number; template: string; type: string }) => {
    if (type !== "xAxis") return dateAndTime.format(timestamp);
    const finestPart =
      (["mm", "DD", "MM"] as const).find((part) => template.includes(part)) ?? "YYYY";
    return shapes[finestPart].format(timestamp);
  };
}
