import { type ReactNode, useId } from "react";
import type { Coin } from "#core/money/coins.ts";
import type { Quantiles } from "#core/monte-carlo/quantiles.ts";
import { useText } from "#i18n/useText.ts";
import { type FanPoint, fanBox, layOutFan } from "./fanShape.ts";
import { ResultAmount } from "./ResultAmount.tsx";

interface FanChartProps {
  points: readonly FanPoint[];
  coin: Coin;
  /** The labels below the left and the right edge. */
  from: ReactNode;
  to: ReactNode;
}

const { width, height } = fanBox;
const ends = ["best", "median", "worst"] as const satisfies readonly (keyof Quantiles)[];

/**
 * The spread of results: the range of 98 in a hundred people, the middle half, and the median. The
 * area below the start has the colour of a loss, as strong as the colour of a gain above it.
 * Decorative: the caller provides the same as text and a table.
 */
export function FanChart({ points, coin, from, to }: FanChartProps) {
  const t = useText();
  const id = useId();
  const shape = layOutFan(points);
  const last = points.at(-1) as FanPoint;
  return (
    <div>
      <div className="flex gap-2" style={{ height }}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="block h-full min-w-0 flex-1 overflow-visible"
          aria-hidden="true"
        >
          <clipPath id={`${id}-above`}>
            <rect width={width} height={shape.zero} />
          </clipPath>
          <clipPath id={`${id}-below`}>
            <rect y={shape.zero} width={width} height={height - shape.zero} />
          </clipPath>
          {(["above", "below"] as const).map((side) => (
            <g
              key={side}
              clipPath={`url(#${id}-${side})`}
              className={side === "above" ? "fill-rise" : "fill-fall"}
            >
              <path d={shape.outer} opacity="0.16" />
              <path d={shape.inner} opacity="0.3" />
            </g>
          ))}
          <path
            d={`M0 ${shape.zero}H${width}`}
            strokeDasharray="5 5"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink-faint"
          />
          <path
            d={shape.median}
            fill="none"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink"
          />
        </svg>
        <div className="relative shrink-0 text-caption" style={{ width: 76 }} aria-hidden="true">
          {ends.map((name) => (
            <span
              key={name}
              className="absolute right-0"
              style={{ top: Math.min(height - 16, Math.max(0, shape.ends[name] - 8)) }}
            >
              <ResultAmount value={last.spread[name]} coin={coin} />
            </span>
          ))}
        </div>
      </div>
      <p className="flex justify-between gap-3 pt-1 text-caption text-ink-faint">
        <span>{from}</span>
        <span style={{ marginRight: 84 }}>{to}</span>
      </p>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-caption text-ink-soft">
        <LegendEntry text={t("monte-carlo.median")}>
          <path d="M0 5h20" strokeWidth="1.75" className="stroke-ink" />
        </LegendEntry>
        <LegendEntry text={t("monte-carlo.key.inner")}>
          <rect width="20" height="10" opacity="0.3" className="fill-ink" />
        </LegendEntry>
        <LegendEntry text={t("monte-carlo.key.outer")}>
          <rect width="20" height="10" opacity="0.16" className="fill-ink" />
        </LegendEntry>
        <LegendEntry text={t("monte-carlo.key.start")}>
          <path d="M0 5h20" strokeDasharray="4 3" className="stroke-ink-faint" />
        </LegendEntry>
      </ul>
    </div>
  );
}

function LegendEntry({ text, children }: { text: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      <svg viewBox="0 0 20 10" width="20" height="10" aria-hidden="true">
        {children}
      </svg>
      {text}
    </li>
  );
}
