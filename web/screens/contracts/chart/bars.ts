import type { KLineData } from "klinecharts";
import type { Kline } from "#api/contracts.ts";
import { getIntervalStart, type Interval, intervals } from "#core/market/intervals.ts";

/**
 * A bar with the strings it came in, so that the legend and the table show prices exactly as they
 * were sent.
 */
export interface ChartBar extends KLineData {
  volume: number;
  /** Open, high, low, close, volume as the server wrote them. */
  text: readonly [string, string, string, string, string];
  /** True if the bar was generated for the time before the world's first second. */
  isGenerated: boolean;
}

/** The open 1m kline from the stream: opening time, open, high, low, close, volume. */
export type Minute = readonly [number, string, string, string, string, string];

/** Converts a kline of the wire to a bar. The floats are for drawing only. */
export function toBar([timestamp, open, high, low, close, volume, isGenerated]: Kline): ChartBar {
  return createBar(timestamp, [open, high, low, close, volume], isGenerated);
}

function createBar(timestamp: number, text: ChartBar["text"], isGenerated: boolean): ChartBar {
  const [open, high, low, close, volume] = text.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { timestamp, open, high, low, close, volume, text, isGenerated };
}

/** State of the minute being folded in, so that its volume is not counted twice. */
export interface Fold {
  minuteMs: number;
  volume: number;
}

export type FoldResult =
  | { kind: "bar"; bar: ChartBar; fold: Fold }
  /** The minute is older than what is shown: ignore it. */
  | { kind: "stale" }
  /** Minutes are missing in between: the bars must be fetched again. */
  | { kind: "reload" };

const minute = 60_000;

/**
 * Folds the open 1m kline of the stream into the last bar of any interval.
 *
 * `fold` is what the previous call returned, or null right after the bars were read: the bar then
 * already includes the minute so far, and its volume counts from here on.
 */
export function foldMinute(
  interval: Interval,
  lastBar: ChartBar,
  kline: Minute,
  fold: Fold | null,
): FoldResult {
  const [minuteMs, open, high, low, close, volume] = kline;
  const openMs = getIntervalStart(interval, minuteMs);
  if (openMs < lastBar.timestamp || (fold && minuteMs < fold.minuteMs)) return { kind: "stale" };
  const reference =
    fold?.minuteMs ?? lastBar.timestamp + (interval === "1m" ? 0 : intervals[interval] - minute);
  if (minuteMs > reference + minute) return { kind: "reload" };

  const nextFold = { minuteMs, volume: Number(volume) };
  if (interval === "1m" || openMs > lastBar.timestamp) {
    return {
      kind: "bar",
      bar: createBar(openMs, [open, high, low, close, volume], false),
      fold: nextFold,
    };
  }
  const addedVolume =
    fold === null ? 0 : Number(volume) - (fold.minuteMs === minuteMs ? fold.volume : 0);
  const total = addedVolume > 0 ? trimFloat(lastBar.volume + addedVolume) : lastBar.text[4];
  return {
    kind: "bar",
    fold: nextFold,
    bar: createBar(
      lastBar.timestamp,
      [
        lastBar.text[0],
        Number(high) > lastBar.high ? high : lastBar.text[1],
        Number(low) < lastBar.low ? low : lastBar.text[2],
        close,
        total,
      ],
      lastBar.isGenerated,
    ),
  };
}

/** Formats a sum of volumes without binary floating-point noise. */
function trimFloat(value: number): string {
  return String(Number(value.toFixed(8)));
}
