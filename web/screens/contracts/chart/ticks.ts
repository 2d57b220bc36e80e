import type { Interval } from "#core/market/intervals.ts";
import { type ChartBar, type Fold, foldMinute, type Minute } from "./bars.ts";

export interface TickTarget {
  interval: () => Interval;
  last: () => ChartBar | undefined;
  /** Passes a bar to the chart: the last one again, or a new one. */
  push: (bar: ChartBar) => void;
  /** Minutes are missing: all bars must be fetched again. */
  reload: () => void;
  /** Called after all queued minutes were passed on. */
  drawn: () => void;
}

/**
 * Takes each update of the open 1m kline and passes updates on at most once per frame, so that the
 * canvas is redrawn once.
 */
export function createTicks(target: TickTarget) {
  let queuedMinutes: Minute[] = [];
  let fold: Fold | null = null;
  let frame = 0;

  function flush(): void {
    frame = 0;
    const minutes = queuedMinutes;
    queuedMinutes = [];
    for (const minute of minutes) {
      const last = target.last();
      if (!last) return;
      const result = foldMinute(target.interval(), last, minute, fold);
      if (result.kind === "reload") {
        target.reload();
        return;
      }
      if (result.kind === "stale") continue;
      fold = result.fold;
      target.push(result.bar);
    }
    target.drawn();
  }

  return {
    take(minute: Minute): void {
      if (queuedMinutes.at(-1)?.[0] === minute[0]) queuedMinutes.pop();
      queuedMinutes.push(minute);
      frame ||= requestAnimationFrame(flush);
    },
    /** Called when the bars were reloaded. */
    reset(): void {
      fold = null;
    },
    /** Drops queued minutes, which belong to the previous interval. */
    drop(): void {
      queuedMinutes = [];
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
