import { cx } from "#ui/cx.ts";
import { sparkPath } from "#ui/figures/sparkPath.ts";

export interface SparklineProps {
  /** Decimal strings, oldest first. */
  values: readonly string[];
  /**
   * The line's name for assistive technology; without it the line is decorative, because the
   * figures are shown beside it.
   */
  label?: string;
  width?: number;
  height?: number;
  /** Colours the line by comparing the last value with the first. */
  toned?: boolean;
  /** Fills the area under the line with a light wash. */
  filled?: boolean;
  className?: string;
}

/** A thin line of real data. The dot marks the newest value. */
export function Sparkline({
  values,
  label,
  width = 72,
  height = 28,
  toned,
  filled,
  className,
}: SparklineProps) {
  const numbers = values.map(Number);
  const pad = 2.5;
  const line = sparkPath(numbers, width - 2 * pad, height - 2 * pad);
  const first = numbers[0] ?? 0;
  const last = numbers.at(-1) ?? 0;
  const tone =
    !toned || first === last ? "text-ink-soft" : last > first ? "text-rise" : "text-fall";
  const end = /([\d.]+) ([\d.]+)$/.exec(line);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className={cx("shrink-0", tone, className)}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <g transform={`translate(${pad} ${pad})`}>
        {filled && line ? (
          <path
            d={`${line}L${width - 2 * pad} ${height - pad}L0 ${height - pad}Z`}
            fill="currentColor"
            opacity="0.08"
          />
        ) : null}
        <path
          d={line}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.25"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
        {end ? <circle cx={end[1]} cy={end[2]} r="2" fill="currentColor" /> : null}
      </g>
    </svg>
  );
}
