import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { computeFrame, type Dot, toPath } from "./lineShape.ts";

export interface Line {
  dots: readonly Dot[];
  /** The pool itself is strong, its benchmark dashed, a claim without friction dotted. */
  look: "strong" | "dashed" | "dotted";
}

const box = [600, 160] as const;
const dashes = { strong: undefined, dashed: "6 4", dotted: "1.5 4" };

/** Thin lines over time in one frame. Decorative: the caller gives the same in words or a table. */
export function Lines({ lines, height }: { lines: readonly Line[]; height: number }) {
  const frame = computeFrame(lines.map(({ dots }) => dots));
  return (
    <svg
      viewBox={`0 0 ${box[0]} ${box[1]}`}
      preserveAspectRatio="none"
      className="block w-full overflow-visible"
      style={{ height }}
      aria-hidden="true"
    >
      {frame
        ? lines.map(({ dots, look }) => (
            <path
              key={look}
              d={toPath(dots, frame, box)}
              fill="none"
              stroke="currentColor"
              strokeWidth={look === "strong" ? 1.75 : 1.25}
              strokeDasharray={dashes[look]}
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
              className={look === "strong" ? "text-ink" : "text-ink-faint"}
            />
          ))
        : null}
    </svg>
  );
}

/** Names each line. */
export function Legend({ items }: { items: readonly { look: Line["look"]; text: string }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-caption text-ink-soft">
      {items.map(({ look, text }) => (
        <li key={look} className="flex items-center gap-1.5">
          <svg viewBox="0 0 20 4" width="20" height="4" aria-hidden="true">
            <path
              d="M0 2h20"
              stroke="currentColor"
              strokeWidth={look === "strong" ? 2 : 1.5}
              strokeDasharray={dashes[look]}
            />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The range of the lines' frame: its highest and lowest value, and its start and end. */
export function Scale({ lines, children }: { lines: readonly Line[]; children: ReactNode }) {
  const { formatDate, formatNumber } = useIntl();
  const dots = lines.flatMap((line) => line.dots);
  const values = dots.map(([, value]) => value);
  const times = dots.map(([atMs]) => atMs);
  if (dots.length < 2) return children;
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const isOneDay = toMs - fromMs < 24 * 3_600_000;
  const time = (ms: number) =>
    formatDate(ms, {
      ...(isOneDay ? {} : { month: "short", day: "numeric" }),
      hour: "2-digit",
      minute: "2-digit",
    });
  const value = (of: number) => formatNumber(of, { maximumSignificantDigits: 7 });
  return (
    <div className="text-caption text-ink-faint" aria-hidden="true">
      <p>{value(Math.max(...values))}</p>
      {children}
      <p>{value(Math.min(...values))}</p>
      <p className="flex justify-between border-t border-line">
        <span>{time(fromMs)}</span>
        <span>{time(toMs)}</span>
      </p>
    </div>
  );
}
