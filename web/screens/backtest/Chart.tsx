import { useIntl } from "react-intl";
import type { BacktestResult } from "#api/backtest.ts";
import { useText } from "#i18n/useText.ts";

type Friction = BacktestResult["outcomes"][number]["friction"];

const width = 328;
const height = 140;
const pad = 4;

/** NAV over the period, against buying and holding. Display only: the figures are given below. */
export function Chart({ result, friction }: { result: BacktestResult; friction: Friction }) {
  const { formatDate } = useIntl();
  const t = useText();
  const ownLine = result.line.map((point) => Number(point[friction]));
  const hold = result.line.map((point) => Number(point.hold));
  const start = Number(result.start);
  const points = [...ownLine, ...hold, start];
  const low = Math.min(...points);
  const span = Math.max(...points) - low || 1;
  const y = (value: number) => pad + (height - 2 * pad) * (1 - (value - low) / span);
  const path = (values: number[]) =>
    values
      .map((value, index) => {
        const x = pad + ((width - 2 * pad) * index) / Math.max(1, values.length - 1);
        return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y(value).toFixed(1)}`;
      })
      .join("");
  const day = (atMs: number) =>
    formatDate(atMs, { month: "short", day: "numeric", timeZone: "UTC" });
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full"
        role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
        aria-label={t("backtest.chart")}
      >
        <path
          d={`M${pad} ${y(start)}H${width - pad}`}
          stroke="var(--color-line-strong)"
          strokeDasharray="2 4"
          fill="none"
        />
        <path
          d={path(hold)}
          stroke="var(--color-ink-faint)"
          strokeWidth="1.25"
          strokeDasharray="4 3"
          fill="none"
        />
        <path
          d={path(ownLine)}
          stroke="var(--color-signal)"
          strokeWidth="1.75"
          strokeLinejoin="round"
          fill="none"
        />
      </svg>
      <figcaption className="mt-2 flex flex-col gap-1 text-caption text-ink-soft">
        <span className="flex justify-between">
          <span>{day(result.from_ms)}</span>
          <span>{day(result.to_ms)}</span>
        </span>
        <Legend look="border-signal">{t("backtest.line.own")}</Legend>
        <Legend look="border-dashed border-ink-faint">
          {t("backtest.line.hold", { symbol: result.hold.symbol })}
        </Legend>
      </figcaption>
    </figure>
  );
}

function Legend({ look, children }: { look: string; children: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={`w-4 border-t-2 ${look}`} />
      {children}
    </span>
  );
}
