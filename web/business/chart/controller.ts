import {
  type Chart,
  dispose,
  type Indicator,
  init,
  type KLineData,
  type Period,
} from "klinecharts";
import type { Interval } from "#core/market/intervals.ts";
import { formatNumber } from "#ui/numbers.ts";
import { type ChartBar, type Fold, foldMinute } from "./bars.ts";
import { type ChartColours, readColours } from "./colours.ts";
import { guardGestures } from "./gestures.ts";
import { createHistory, type ReadPage } from "./history.ts";
import { type IndicatorName, indicators, paneHeight } from "./indicators/catalogue.ts";
import { nameInside, registerIndicators } from "./indicators/register.ts";
import type { OrderMark } from "./orderGeometry.ts";
import { showOrder } from "./orderOverlay.ts";
import { chartStyles } from "./styles.ts";

type Minute = readonly [number, string, string, string, string, string];

/** The bar that the legend tells of, with the rows of the indicators shown. */
export interface Focus {
  bar: ChartBar;
  /** Whether a person chose it (crosshair or keys); else it is the newest. */
  chosen: boolean;
  rows: { name: IndicatorName; row: Record<string, number | undefined> }[];
}

export interface ChartEvents {
  onFocus: (focus: Focus | null) => void;
  onState: (state: "loading" | "ready" | "empty" | "failed") => void;
}

export interface ChartSetup {
  ticker: string;
  priceScale: number;
  locale: string;
  interval: Interval;
  readPage: (interval: Interval) => ReadPage;
}

const periods: Record<Interval, Period> = {
  "1m": { type: "minute", span: 1 },
  "5m": { type: "minute", span: 5 },
  "15m": { type: "minute", span: 15 },
  "30m": { type: "minute", span: 30 },
  "1h": { type: "hour", span: 1 },
  "4h": { type: "hour", span: 4 },
  "1d": { type: "day", span: 1 },
  "1w": { type: "week", span: 1 },
};

const candlePane = "candle_pane";
let barColours = { rise: "", fall: "" };

/** One chart in one element: what React asks of it, and nothing of klinecharts beyond. */
export function createChart(element: HTMLElement, setup: ChartSetup, events: ChartEvents) {
  registerIndicators(() => barColours);
  const made = init(element, {
    hotkey: { enabled: false },
    zoomAnchor: { main: "cursor", xAxis: "last_bar" },
    formatter: { formatDate: dateFormatter(setup.locale) },
    thousandsSeparator: { format: (value) => formatNumber(String(value), setup.locale) },
    layout: { barSpaceLimit: { min: 2, max: 40 }, pane: { minHeight: 60 } },
  });
  if (!made) throw new Error("the chart could not be made");
  const chart: Chart = made;
  openToPage(element);
  chart.setBarSpace(7);
  chart.setOffsetRightDistance(56);
  chart.setMaxOffsetRightDistance(220);

  let interval = setup.interval;
  let colours: ChartColours = readColours(element);
  let order: OrderMark | null = null;
  let chosen: number | null = null;
  let shown: IndicatorName[] = [];
  let push: ((bar: KLineData) => void) | null = null;
  let fold: Fold | null = null;
  let waiting: Minute[] = [];
  let frame = 0;
  let history = createHistory(setup.readPage(interval));

  const bars = () => chart.getDataList() as ChartBar[];

  function tellFocus(): void {
    const list = bars();
    const index = chosen === null ? list.length - 1 : Math.min(chosen, list.length - 1);
    const bar = list[index];
    if (!bar) {
      events.onFocus(null);
      return;
    }
    const rows = shown.map((name) => {
      const [indicator] = chart.getIndicators({ name: nameInside(name) }) as Indicator<
        Record<string, number | undefined>
      >[];
      return { name, row: indicator?.result[index] ?? {} };
    });
    events.onFocus({ bar, chosen: chosen !== null, rows });
  }

  chart.setDataLoader({
    getBars: ({ type, callback }) => {
      if (type === "forward") {
        void history.older().then(({ bars: older, more }) => {
          if (chosen !== null) chosen += older.length;
          callback(older, { forward: more });
        });
        return;
      }
      if (type !== "init") {
        callback([], false);
        return;
      }
      events.onState("loading");
      history.first().then(
        ({ bars: first, more }) => {
          fold = null;
          chosen = null;
          callback(first, { forward: more, backward: false });
          events.onState(first.length === 0 ? "empty" : "ready");
          showOrder(chart, order, interval, colours);
          queueMicrotask(tellFocus);
        },
        () => events.onState("failed"),
      );
    },
    subscribeBar: ({ callback }) => {
      push = callback;
    },
    unsubscribeBar: () => {
      push = null;
    },
  });

  /** Once a frame at most: however many ticks came in, the canvas is drawn once. */
  function drawTicks(): void {
    frame = 0;
    const minutes = waiting;
    waiting = [];
    for (const minute of minutes) {
      const last = bars().at(-1);
      if (!push || !last) return;
      const folded = foldMinute(interval, last, minute, fold);
      if (folded.kind === "reload") {
        chart.resetData();
        return;
      }
      if (folded.kind === "stale") continue;
      fold = folded.fold;
      push(folded.bar);
    }
    queueMicrotask(tellFocus);
  }

  function onCrosshair(data: unknown): void {
    const { x } = (data ?? {}) as { x?: number };
    if (x === undefined) return;
    const point = chart.convertFromPixel([{ x, y: 0 }], { paneId: candlePane }) as {
      dataIndex?: number;
    }[];
    const index = point[0]?.dataIndex;
    if (index === undefined) return;
    chosen = Math.max(0, Math.min(index, bars().length - 1));
    tellFocus();
  }
  chart.subscribeAction("onCrosshairChange", onCrosshair);

  function clearFocus(): void {
    chosen = null;
    chart.executeAction("onCrosshairChange", {});
    tellFocus();
  }
  element.addEventListener("mouseleave", clearFocus);
  const letGo = guardGestures(element);
  const resized = new ResizeObserver(() => chart.resize());
  resized.observe(element);

  function restyle(): void {
    colours = readColours(element);
    barColours = { rise: colours.rise, fall: colours.fall };
    chart.setStyles(chartStyles(colours, getComputedStyle(element).fontFamily));
    showOrder(chart, order, interval, colours);
  }
  restyle();
  chart.setSymbol({ ticker: setup.ticker, pricePrecision: setup.priceScale, volumePrecision: 2 });
  chart.setPeriod(periods[interval]);

  return {
    restyle,
    reload: () => chart.resetData(),
    clearFocus,
    setInterval(next: Interval): void {
      if (next === interval) return;
      interval = next;
      history.stop();
      history = createHistory(setup.readPage(next));
      waiting = [];
      chart.setPeriod(periods[next]);
    },
    setIndicators(names: IndicatorName[]): void {
      for (const name of shown)
        if (!names.includes(name)) chart.removeIndicator({ name: nameInside(name) });
      for (const name of names) {
        if (shown.includes(name)) continue;
        const { pane } = indicators[name];
        const paneId = pane ? `drydock_${name}` : candlePane;
        chart.createIndicator({ name: nameInside(name), paneId }, !pane);
        if (pane)
          chart.setPaneOptions({
            id: paneId,
            height: paneHeight,
            minHeight: 48,
            dragEnabled: false,
          });
      }
      shown = names;
      queueMicrotask(tellFocus);
    },
    /** The open 1m kline as the stream tells it. */
    pushMinute(minute: Minute): void {
      if (waiting.at(-1)?.[0] === minute[0]) waiting.pop();
      waiting.push(minute);
      frame ||= requestAnimationFrame(drawTicks);
    },
    setOrder(mark: OrderMark | null): void {
      order = mark;
      if (bars().length > 0) showOrder(chart, mark, interval, colours);
    },
    /** Moves the crosshair by so many bars, or to an end of what is held; brings the bar into view. */
    moveFocus(step: number | "first" | "last"): void {
      const count = bars().length;
      if (count === 0) return;
      const from = chosen ?? count - 1;
      const to = step === "first" ? 0 : step === "last" ? count - 1 : from + step;
      chosen = Math.max(0, Math.min(count - 1, to));
      const range = chart.getVisibleRange();
      if (chosen < range.from + 1 || chosen > range.to - 1)
        chart.scrollToDataIndex(Math.min(count - 1, chosen + 5));
      const bar = bars()[chosen] as ChartBar;
      const [pixel] = chart.convertToPixel([{ dataIndex: chosen, value: bar.close }], {
        paneId: candlePane,
      }) as {
        x: number;
        y: number;
      }[];
      chart.executeAction("onCrosshairChange", {
        x: pixel?.x ?? 0,
        y: pixel?.y ?? 0,
        paneId: candlePane,
      });
      tellFocus();
    },
    zoom(factor: number): void {
      chart.setBarSpace(Math.max(2, Math.min(40, chart.getBarSpace().bar * factor)));
    },
    toNewest: () => chart.scrollToRealTime(),
    destroy(): void {
      history.stop();
      cancelAnimationFrame(frame);
      resized.disconnect();
      letGo();
      element.removeEventListener("mouseleave", clearFocus);
      dispose(chart);
    },
  };
}

/**
 * klinecharts makes its inside a tab stop before all others, asks for every touch and ends scrolling at its edge. Ours
 * is the element around it, and upright drags are the page's (gestures.ts).
 */
function openToPage(element: HTMLElement): void {
  for (const inside of element.querySelectorAll<HTMLElement>("*")) {
    inside.removeAttribute("tabindex");
    if (inside.style.touchAction === "none") inside.style.touchAction = "pan-y";
    if (inside.style.overscrollBehavior === "none") inside.style.overscrollBehavior = "auto";
  }
}

export type ChartController = ReturnType<typeof createChart>;

/** Dates of the axis and the crosshair in the person's language and time zone. */
function dateFormatter(locale: string) {
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" });
  const shapes: Record<string, Intl.DateTimeFormat> = {
    time: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    day: new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit" }),
    month: new Intl.DateTimeFormat(locale, { month: "2-digit", year: "numeric" }),
    year: new Intl.DateTimeFormat(locale, { year: "numeric" }),
  };
  return ({ timestamp, template, type }: { timestamp: number; template: string; type: string }) => {
    if (type !== "xAxis") return whole.format(timestamp);
    const shape = template.includes("mm")
      ? "time"
      : template.includes("DD")
        ? "day"
        : template.includes("MM")
          ? "month"
          : "year";
    return (shapes[shape] as Intl.DateTimeFormat).format(timestamp);
  };
}
