import type { Chart } from "klinecharts";
import type { ChartBar } from "./bars.ts";
import { type RangeSummary, summariseBars } from "./summary.ts";

/**
 * The shortest interval between two sentences, in milliseconds: one that changes more often cannot
 * be read.
 */
const restMs = 2_000;

/** The range of visible bars: summarises it when it changes, moves it, and plays it. */
export function watchRange(
  chart: Chart,
  bars: () => readonly ChartBar[],
  onRange: (range: RangeSummary | null, isAsked: boolean) => void,
) {
  let timer: number | undefined;
  let stopSound = () => {};
  let isPlaying = false;
  const getVisibleBars = () => {
    const { from, to } = chart.getVisibleRange();
    return bars().slice(Math.max(0, from), to);
  };
  const report = (isAsked: boolean) => {
    window.clearTimeout(timer);
    timer = undefined;
    onRange(summariseBars(getVisibleBars()), isAsked);
  };
  const reportRange = () => {
    timer ??= window.setTimeout(() => report(false), restMs);
  };
  chart.subscribeAction("onVisibleRangeChange", reportRange);
  return {
    /** The visible bars have changed. */
    changed: reportRange,
    /** Moves by as many bars as are visible, to the first or last ones at most. */
    move(step: -1 | 1): void {
      const { from, to } = chart.getVisibleRange();
      const last = bars().length - 1;
      const target = step === -1 ? from : to + (to - from) - 1;
      if (target >= last) chart.scrollToRealTime();
      else chart.scrollToDataIndex(Math.max(to - from - 1, target));
      report(true);
    },
    playSound(): void {
      const wasPlaying = isPlaying;
      stopSound();
      if (wasPlaying) return;
      const closePrices = getVisibleBars().map(({ close }) => close);
      if (closePrices.length === 0) return;
      isPlaying = true;
      const onEnd = () => {
        isPlaying = false;
      };
      void import("#web/lib/tones.ts").then(({ playTones }) => {
        stopSound = playTones(closePrices, onEnd);
      }, onEnd);
    },
    stop(): void {
      window.clearTimeout(timer);
      stopSound();
    },
  };
}
