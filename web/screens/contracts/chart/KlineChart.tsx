import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import type { Interval } from "#core/market/intervals.ts";
import { cx } from "#ui/cx.ts";
import type { ChartKind } from "./choices.ts";
import { forcedColours } from "./colours.ts";
import { type ChartController, createChartController } from "./controller.ts";
import type { Focus } from "./focus.ts";
import type { ReadPage } from "./history.ts";
import type { IndicatorName } from "./indicators.ts";
import type { OrderMark } from "./orders/orderGeometry.ts";
import type { RangeSummary } from "./summary.ts";

export interface KlineChartProps {
  contractId: string;
  symbol: string;
  priceScale: number;
  locale: string;
  interval: Interval;
  kind: ChartKind;
  indicators: IndicatorName[];
  orders: readonly OrderMark[];
  readPage: (interval: Interval) => ReadPage;
  /**
   * Called with the chart while it is mounted, else null, for the buttons around it and the stream.
   */
  onChart: (chart: ChartController | null) => void;
  onFocus: (focus: Focus | null) => void;
  /** A summary of the visible range; `isAsked` when someone moved there by key. */
  onRange: (range: RangeSummary | null, isAsked: boolean) => void;
  /** True if the chart takes up its space but is invisible. */
  isHidden: boolean;
  onState: (state: "loading" | "ready" | "empty" | "failed") => void;
  label: string;
  roleDescription: string;
  describedBy: string;
}

/** The canvas and its keys. `KlinePanel` around it provides all text. */
export default function KlineChart(props: KlineChartProps) {
  const { contractId, symbol, priceScale, locale, interval, kind, indicators, orders } = props;
  const controller = useRef<ChartController | null>(null);
  const onChart = useEffectEvent(props.onChart);
  const element = useRef<HTMLDivElement>(null);
  const onFocus = useEffectEvent(props.onFocus);
  const onRange = useEffectEvent(props.onRange);
  const onState = useEffectEvent(props.onState);
  const first = useEffectEvent(() => ({
    interval,
    kind,
    indicators,
    orders,
    readPage: props.readPage,
  }));

  // One chart per contract, which readPage reads; later changes are applied to it below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: contractId stands for readPage
  useEffect(() => {
    const start = first();
    const chart = createChartController(
      element.current as HTMLDivElement,
      { ticker: symbol, priceScale, locale, ...start },
      {
        onFocus: (focus) => onFocus(focus),
        onRange: (range, isAsked) => onRange(range, isAsked),
        onState: (state) => onState(state),
      },
    );
    chart.setIndicators(start.indicators);
    chart.setOrders(start.orders);
    controller.current = chart;
    onChart(chart);
    const leaveStyle = watchTheme(chart.restyle);
    return () => {
      leaveStyle();
      controller.current = null;
      onChart(null);
      chart.destroy();
    };
  }, [contractId, symbol, priceScale, locale]);

  useEffect(() => controller.current?.setInterval(interval), [interval]);
  useEffect(() => controller.current?.setIndicators(indicators), [indicators]);
  useEffect(() => controller.current?.setKind(kind), [kind]);
  useEffect(() => controller.current?.setOrders(orders), [orders]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles own keys
    <div
      ref={element}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles keys
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- it handles keys
      aria-label={props.label}
      aria-roledescription={props.roleDescription}
      aria-describedby={props.describedBy}
      onKeyDown={(event) => onKey(event, controller.current)}
      onBlur={() => controller.current?.clearFocus()}
      className={cx(
        "h-full w-full touch-pan-y select-none focus-visible:-outline-offset-2",
        props.isHidden && "opacity-0",
      )}
    />
  );
}

const zoomStep = 1.25;

function onKey(event: KeyboardEvent, chart: ChartController | null): void {
  if (!chart || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => chart.moveFocus(event.shiftKey ? -10 : -1),
    ArrowRight: () => chart.moveFocus(event.shiftKey ? 10 : 1),
    Home: () => chart.moveFocus("first"),
    End: () => chart.moveFocus("last"),
    PageUp: () => chart.moveRange(-1),
    PageDown: () => chart.moveRange(1),
    s: () => chart.playSound(),
    "+": () => chart.zoom(zoomStep),
    "=": () => chart.zoom(zoomStep),
    "-": () => chart.zoom(1 / zoomStep),
    Escape: () => chart.clearFocus(),
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Calls `changed` when the theme or colour convention changes, by attribute or by the system. */
function watchTheme(onChange: () => void): () => void {
  const attributes = new MutationObserver(onChange);
  attributes.observe(document.documentElement, { attributeFilter: ["data-theme", "data-habit"] });
  const system = ["(prefers-color-scheme: dark)", forcedColours].map((query) => matchMedia(query));
  for (const query of system) query.addEventListener("change", onChange);
  return () => {
    attributes.disconnect();
    for (const query of system) query.removeEventListener("change", onChange);
  };
}
