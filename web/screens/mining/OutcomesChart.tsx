import type { Projection } from "#core/mining/calculator.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";

const size = { width: 448, height: 176, pad: 12 };

/**
 * The result day by day: it starts below zero at what was charged, and rises; where it crosses zero
 * it has broken even.
 */
export function OutcomesChart({ projection }: { projection: Projection }) {
  const t = useText();
  const { days, cost, breakEvenDay } = projection;
  const end = days.at(-1);
  if (!end) return null;
  const toDollars = (value: bigint) => Number(formatDecimal(value, 6));
  const values = [toDollars(-cost), ...days.map(({ result }) => toDollars(result))];
  const low = Math.min(...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const { width, height, pad } = size;
  const x = (day: number) => pad + (day / days.length) * (width - 2 * pad);
  const y = (value: number) => pad + ((high - value) / span) * (height - 2 * pad);
  const line = values
    .map((value, day) => `${day === 0 ? "M" : "L"}${x(day).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const errorMessage =
    breakEvenDay === null
      ? t("mining.calc.never", { days: days.length })
      : t("mining.calc.breaksEven", { day: breakEvenDay });
  return (
    <figure aria-label={t("mining.calc.picture")}>
      <svg viewBox={`0 0 ${width} ${height}`} className="w-full" aria-hidden="true">
        <rect width={width} height={height} rx="10" className="fill-leaf" />
        <line
          x1={pad}
          x2={width - pad}
          y1={y(0)}
          y2={y(0)}
          strokeDasharray="5 5"
          className="stroke-ink-faint"
        />
        <path
          d={`${line}L${x(days.length)} ${y(0)}L${x(0)} ${y(0)}Z`}
          className={end.result < 0n ? "fill-fall" : "fill-rise"}
          opacity="0.08"
        />
        <path d={line} fill="none" strokeWidth="1.5" className="stroke-ink" />
        {breakEvenDay === null ? null : (
          <circle
            cx={x(breakEvenDay)}
            cy={y(values[breakEvenDay] ?? 0)}
            r="5"
            strokeWidth="1.5"
            className="fill-leaf stroke-ink"
          />
        )}
        <circle cx={x(days.length)} cy={y(values.at(-1) ?? 0)} r="3.5" className="fill-ink" />
      </svg>
      <figcaption className="mt-2">
        <span className="flex justify-between gap-3 text-caption text-ink-faint">
          <span>{t("mining.calc.dayNumber", { day: 0 })}</span>
          <span>{t("mining.calc.zero")}</span>
          <span>{t("mining.calc.dayNumber", { day: days.length })}</span>
        </span>
        <span className="mt-2 block font-strong" aria-live="polite">
          {errorMessage}
        </span>
        <span className="mt-1 flex justify-between gap-3 text-small">
          <span className="text-ink-soft">{t("mining.calc.end")}</span>
          <span className="font-strong">
            <Amount value={end.result} coin="pUSDT" signed toned />
          </span>
        </span>
      </figcaption>
    </figure>
  );
}
