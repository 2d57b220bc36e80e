import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import type { RangeSummary } from "./summary.ts";

const dayMs = 86_400_000;
/** Formats times as on the chart's axis. */
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/**
 * Describes a range of bars: in a sentence, and as its times and change where the rest is visible.
 */
export function useRangeDescription(scale: number) {
  const { locale, formatDate, formatDateTimeRange, formatNumber: format } = useIntl();
  const t = useText();
  const formatTime = ({ fromMs, toMs }: RangeSummary) =>
    toMs - fromMs < dayMs ? clock : ({ month: "short", day: "numeric", ...clock } as const);
  const summarise = (range: RangeSummary) => {
    const change = format(range.changeBp / 10_000, {
      style: "percent",
      maximumFractionDigits: 2,
      signDisplay: "exceptZero",
    }).replace("-", "−");
    return `${formatDateTimeRange(range.fromMs, range.toMs, formatTime(range))} · ${change}`;
  };
  const describe = (range: RangeSummary) => {
    const time = (ms: number) => formatDate(ms, formatTime(range));
    const price = (text: string) => formatNumber(text, locale, scale);
    return t("contracts.chart.range", {
      count: range.count,
      from: time(range.fromMs),
      to: time(range.toMs),
      change: range.changeBp > 0 ? "up" : range.changeBp < 0 ? "down" : "none",
      percent: format(Math.abs(range.changeBp) / 10_000, {
        style: "percent",
        maximumFractionDigits: 2,
      }),
      open: price(range.open),
      close: price(range.close),
      high: price(range.high),
      highTime: time(range.highMs),
      low: price(range.low),
      lowTime: time(range.lowMs),
    });
  };
  return { brief: summarise, describe };
}
