import type { Interval } from "#core/market/intervals.ts";
import { type ChartBar, type Fold, foldMinute, type Minute } from "./bars.ts";

export interface TickTarget {
  interval: () => Interval;
  last: () => ChartBar | undefined;
  /** Hands a bar to the chart: the last one again, or a new one. */
  push: (bar: ChartBar) => void;
  /** Minutes are missing: everything must be read again. */
  reload: () => void;
  /** All that waited has been handed over. */
  drawn: () => void;
}

/**
 * Takes the open 1m kline as often as it comes and hands it on once a frame at most, so that the
 * canvas is drawn once.
 */
export function createTicks(target: TickTarget) {
  let waiting: Minute[] = [];
  let fold: Fold | null = null;
  let frame = 0;

  function handOver(): void {
    frame = 0;
    const minutes = waiting;
    waiting = [];
    for (const minute of minutes) {
      const last = target.last();
      if (!last) return;
      const folded = foldMinute(target.interval(), last, minute, fold);
      if (folded.kind === "reload") {
        target.reload();
        return;
      }
      if (folded.kind === "stale") continue;
      fold = folded.fold;
      target.push(folded.bar);
    }
    target.drawn();
  }

  return {
    take(minute: Minute): void {
      if (waiting.at(-1)?.[0] === minute[0]) waiting.pop();
      waiting.push(minute);
      frame ||= requestAnimationFrame(handOver);
    },
    /** The bars were read anew. */
    reset(): void {
      fold = null;
    },
    /** Ticks that wait belong to another interval. */
    drop(): void {
      waiting = [];
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
