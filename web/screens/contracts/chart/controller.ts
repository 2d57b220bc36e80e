import { type DataLoader, dispose, type KLineData } from "klinecharts";
import type { Interval } from "#core/market/intervals.ts";
import type { ChartBar, Minute } from "./bars.ts";
import { getBuiltInOptions } from "./builtInIndicators.ts";
import type { ChartKind } from "./choices.ts";
import { type ChartColours, readColours } from "./colours.ts";
import { barSpace, candlePane, createChart, periods } from "./createChart.ts";
import { createFocus, type Focus } from "./focus.ts";
import { guardGestures } from "./gestures.ts";
import { createHistory, type ReadPage } from "./history.ts";
import { type IndicatorName, indicators, paneHeight } from "./indicators.ts";
import type { OrderMark } from "./orders/orderGeometry.ts";
import { showOrders } from "./orders/orderOverlay.ts";
import { watchRange } from "./range.ts";
import { createChartStyles } from "./styles.ts";
import type { RangeSummary } from "./summary.ts";
import { createTicks } from "./ticks.ts";

/** The page's type at the size of a caption, which follows the size set in the browser. */
function readFont(element: HTMLElement): { family: string; size: number } {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return { family: getComputedStyle(element).fontFamily, size: Math.round(root * 0.75) };
}

type ChartState = "loading" | "ready" | "empty" | "failed";

export interface ChartEvents {
  onFocus: (focus: Focus | null) => void;
  onRange: (range: RangeSummary | null, isAsked: boolean) => void;
  onState: (state: ChartState) => void;
}

export interface ChartSetup {
  ticker: string;
  priceScale: number;
  locale: string;
  interval: Interval;
  kind: ChartKind;
  readPage: (interval: Interval) => ReadPage;
}

/**
 * Creates a chart in an element and exposes to React what it needs of klinecharts. Longer than most
 * functions because everything in it shares the chart; parts with separate rules (history,
 * ticks, focus, gestures) are separate files.
 */
export function createChartController(
  element: HTMLElement,
  setup: ChartSetup,
  events: ChartEvents,
) {
  const chart = createChart(element, setup.locale);
  let interval = setup.interval;
  let colours: ChartColours = readColours(element);
  let kind = setup.kind;
  let orders: readonly OrderMark[] = [];
  let shownIndicators: readonly IndicatorName[] = [];
  let push: ((bar: KLineData) => void) | null = null;
  let history = createHistory(setup.readPage(interval));
  const bars = () => chart.getDataList() as ChartBar[];
  const focus = createFocus(chart, () => shownIndicators, events.onFocus);
  const range = watchRange(chart, bars, events.onRange);
  const ticks = createTicks({
    interval: () => interval,
    last: () => bars().at(-1),
    push: (bar) => push?.(bar),
    reload: () => chart.resetData(),
    // Indicators are computed in a microtask.
    drawn: () => {
      queueMicrotask(focus.notify);
      range.changed();
    },
  });

  async function readFirst(callback: Parameters<DataLoader["getBars"]>[0]["callback"]) {
    events.onState("loading");
    try {
      const { bars: first, more: hasMore } = await history.first();
      ticks.reset();
      focus.reset();
      callback(first, { forward: hasMore, backward: false });
      events.onState(first.length === 0 ? "empty" : "ready");
      showOrders(chart, orders, interval, colours);
      queueMicrotask(focus.notify);
      range.changed();
    } catch {
      events.onState("failed");
    }
  }
  chart.setDataLoader({
    getBars: async ({ type, callback }) => {
      if (type === "init") await readFirst(callback);
      else if (type === "forward") {
        const { bars: older, more: hasMore } = await history.older();
        focus.shift(older.length);
        callback(older, { forward: hasMore });
      } else callback([], false);
    },
    subscribeBar: ({ callback }) => {
      push = callback;
    },
    unsubscribeBar: () => {
      push = null;
    },
  });

  const releaseGestures = guardGestures(element);
  const resized = new ResizeObserver(() => chart.resize());
  resized.observe(element);
  element.addEventListener("mouseleave", focus.clear);

  function restyle(): void {
    colours = readColours(element);
    chart.setStyles(createChartStyles(colours, readFont(element), kind));
    showOrders(chart, orders, interval, colours);
  }
  function addIndicator(name: IndicatorName): void {
    const { pane } = indicators[name];
    const paneId = pane ? `drydock_${name}` : candlePane;
    chart.createIndicator({ ...getBuiltInOptions(name), paneId }, !pane);
    if (!pane) return;
    chart.setPaneOptions({ id: paneId, height: paneHeight, minHeight: 48, dragEnabled: false });
  }
  restyle();
  chart.setSymbol({ ticker: setup.ticker, pricePrecision: setup.priceScale, volumePrecision: 2 });
  chart.setPeriod(periods[interval]);

  return {
    restyle,
    reload: () => chart.resetData(),
    clearFocus: focus.clear,
    moveFocus: focus.move,
    /** The open 1m kline from the stream. */
    pushMinute: (minute: Minute) => ticks.take(minute),
    toNewest: () => chart.scrollToRealTime(),
    setInterval(next: Interval): void {
      if (next === interval) return;
      interval = next;
      history.stop();
      history = createHistory(setup.readPage(next));
      ticks.drop();
      chart.setPeriod(periods[next]);
    },
    setIndicators(names: readonly IndicatorName[]): void {
      for (const name of shownIndicators) {
        if (!names.includes(name)) chart.removeIndicator({ name });
      }
      for (const name of names) if (!shownIndicators.includes(name)) addIndicator(name);
      shownIndicators = names;
      queueMicrotask(focus.notify);
    },
    setKind(next: ChartKind): void {
      if (next === kind) return;
      kind = next;
      restyle();
    },
    setOrders(marks: readonly OrderMark[]): void {
      orders = marks;
      if (bars().length > 0) showOrders(chart, marks, interval, colours);
    },
    /** Moves to the previous or the next range, and announces its summary. */
    moveRange(step: -1 | 1): void {
      focus.clear();
      range.move(step);
    },
    /** Plays the closes of the visible bars as tones, or stops playing them. */
    playSound: () => range.playSound(),
    zoom(factor: number): void {
      const barSpaceWanted = chart.getBarSpace().bar * factor;
      chart.setBarSpace(Math.max(barSpace.min, Math.min(barSpace.max, barSpaceWanted)));
    },
    destroy(): void {
      history.stop();
      ticks.stop();
      range.stop();
      resized.disconnect();
      releaseGestures();
      element.removeEventListener("mouseleave", focus.clear);
      dispose(chart);
    },
  };
}

export type ChartController = ReturnType<typeof createChartController>;
