import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import type { ChartBar } from "./bars.ts";
import type { ChartKind } from "./choices.ts";
import { lineSources } from "./colours.ts";
import type { Focus } from "./focus.ts";
import { type IndicatorName, legends } from "./indicators.ts";

/**
 * Volumes in the legend: four digits and the order of magnitude are enough. The table has the rest.
 */
const compactFormat = { notation: "compact", maximumSignificantDigits: 4 } as const;

/**
 * The figures under the finger or the crosshair: the bar and its indicator values, over the chart,
 * so that nothing moves when they come and go. A line needs one price only.
 */
export function Legend({ focus, scale, kind }: { focus: Focus; scale: number; kind: ChartKind }) {
  const { locale, formatDate, formatNumber: format } = useIntl();
  const t = useText();
  const { bar, rows } = focus;
  const part = (id: string, value: string) => (
    <span className="whitespace-nowrap">
      <span className="text-ink-faint">{t(id)} </span>
      <span className={bar.close >= bar.open ? "text-rise" : "text-fall"}>{value}</span>
    </span>
  );
  const [open, high, low, close] = bar.text.map((text) => formatNumber(text, locale, scale));
  return (
    <div
      className="pointer-events-none absolute inset-x-0 top-0 z-1 flex flex-wrap content-start gap-x-2.5 bg-paper px-4 pb-0.5 text-caption"
      aria-hidden="true"
    >
      <span className="whitespace-nowrap text-ink-soft">
        {formatDate(bar.timestamp, {
          month: "short",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
        })}
      </span>
      {kind === "bars" ? (
        <>
          {part("contracts.chart.open", open ?? "")}
          {part("contracts.chart.high", high ?? "")}
          {part("contracts.chart.low", low ?? "")}
        </>
      ) : null}
      {part("contracts.chart.close", close ?? "")}
      <span className="whitespace-nowrap text-ink-soft">
        <span className="text-ink-faint">{t("contracts.chart.volume")} </span>
        {format(bar.volume, compactFormat)}
      </span>
      {focus.isChosen && bar.isGenerated ? (
        <span className="text-ink-faint">{t("contracts.chart.before")}</span>
      ) : null}
      {rows.map(({ name, row }) => (
        <IndicatorLegend key={name} name={name} row={row} digits={name === "RSI" ? 1 : scale} />
      ))}
    </div>
  );
}

function IndicatorLegend({
  name,
  row,
  digits,
}: {
  name: IndicatorName;
  row: Record<string, number | undefined>;
  digits: number;
}) {
  const { formatNumber: format } = useIntl();
  return legends[name].map(([key, label], line) => {
    const value = row[key];
    if (value === undefined) return null;
    return (
      <span key={key} className="whitespace-nowrap text-ink-soft">
        <span style={{ color: key === "macd" ? undefined : lineSources[line] }}>{label} </span>
        {format(value, name === "VOL" ? compactFormat : { maximumFractionDigits: digits }).replace(
          "-",
          "−",
        )}
      </span>
    );
  });
}

/** The title of the price axis, in the legend's place while no bar is chosen. */
export function AxisTitle({ symbol }: { symbol: string }) {
  const t = useText();
  return (
    <p className="pointer-events-none absolute top-0 left-4 z-1 text-caption text-ink-faint">
      {t("contracts.chart.axis", { coin: symbol.split("/").at(-1) })}
    </p>
  );
}

/** Describes a bar in a sentence, for screen readers. */
export function useKlineDescription(scale: number) {
  const { locale, formatDate } = useIntl();
  const t = useText();
  return (bar: ChartBar) => {
    const [open, high, low, close, volume] = bar.text.map((text, i) =>
      formatNumber(text, locale, i < 4 ? scale : 0),
    );
    const time = formatDate(bar.timestamp, { dateStyle: "medium", timeStyle: "short" });
    return t("contracts.chart.bar", { time, open, high, low, close, volume });
  };
}
