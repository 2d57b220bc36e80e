import type { Chart, Crosshair, Indicator } from "klinecharts";
import type { ChartBar } from "./bars.ts";
import { candlePane } from "./createChart.ts";
import type { IndicatorName } from "./indicators.ts";

type Row = Record<string, number | undefined>;

/** The bar the legend describes, with the rows of the indicators shown. */
export interface Focus {
  bar: ChartBar;
  /** True if a person selected it (crosshair or keys); otherwise it is the newest. */
  isChosen: boolean;
  rows: { name: IndicatorName; row: Row }[];
}

interface CrosshairOwner {
  /** This follows klinecharts: without `data`, which its type demands, there is no crosshair. */
  executeAction(type: "onCrosshairChange", data?: Crosshair): void;
}

/** Removes the crosshair. A crosshair without a position is drawn on the newest bar instead. */
function hideCrosshair(owner: CrosshairOwner): void {
  owner.executeAction("onCrosshairChange");
}

/** Tracks the bar in focus: under the crosshair, selected by key, or the newest. */
export function createFocus(
  chart: Chart,
  getIndicators: () => readonly IndicatorName[],
  onFocus: (focus: Focus | null) => void,
) {
  let chosenIndex: number | null = null;
  const bars = () => chart.getDataList() as ChartBar[];

  function notify(): void {
    const list = bars();
    const index = Math.min(chosenIndex ?? list.length - 1, list.length - 1);
    const bar = list[index];
    if (!bar) {
      onFocus(null);
      return;
    }
    const rows = getIndicators().map((name) => {
      const [indicator] = chart.getIndicators({ name }) as Indicator<Row>[];
      return { name, row: indicator?.result[index] ?? {} };
    });
    onFocus({ bar, isChosen: chosenIndex !== null, rows });
  }

  chart.subscribeAction("onCrosshairChange", (data) => {
    const { x } = (data ?? {}) as { x?: number };
    if (x === undefined) return;
    const [point] = chart.convertFromPixel([{ x, y: 0 }], { paneId: candlePane }) as {
      dataIndex?: number;
    }[];
    if (point?.dataIndex === undefined) return;
    chosenIndex = Math.max(0, Math.min(point.dataIndex, bars().length - 1));
    notify();
  });

  return {
    notify,
    /** Called when the bars were reloaded. */
    reset(): void {
      chosenIndex = null;
    },
    /** Called when `count` bars were prepended. */
    shift(count: number): void {
      if (chosenIndex !== null) chosenIndex += count;
    },
    clear: (): void => {
      chosenIndex = null;
      hideCrosshair(chart);
      notify();
    },
    /**
     * Moves the crosshair by `step` bars, or to either end of the loaded ones, and scrolls the bar
     * into view.
     */
    move: (step: number | "first" | "last"): void => {
      const last = bars().length - 1;
      if (last < 0) return;
      const to = step === "first" ? 0 : step === "last" ? last : (chosenIndex ?? last) + step;
      const index = Math.max(0, Math.min(last, to));
      chosenIndex = index;
      const { from, to: end } = chart.getVisibleRange();
      if (index < from + 1 || index > end - 1) chart.scrollToDataIndex(Math.min(last, index + 5));
      const value = (bars()[index] as ChartBar).close;
      const [pixel] = chart.convertToPixel([{ dataIndex: index, value }], {
        paneId: candlePane,
      }) as { x: number; y: number }[];
      chart.executeAction("onCrosshairChange", { ...pixel, paneId: candlePane });
      notify();
    },
  };
}
