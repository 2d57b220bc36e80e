import type { NavPoint } from "#api/hosting/pool.ts";
import { useText } from "#i18n/useText.ts";
import { usePercentText } from "../figures.tsx";
import { type Dot, toPath } from "../lineShape.ts";

const box = [600, 60] as const;

/** How far the pool was below its peak: the line hangs from zero. */
export function DrawdownArea({ points }: { points: readonly NavPoint[] }) {
  const t = useText();
  const percent = usePercentText();
  const dots: Dot[] = points.map((point) => [point[0], Number(point[5])] as const);
  const deepest = points.reduce(
    (low, point) => (Number(point[5]) < Number(low) ? point[5] : low),
    "0",
  );
  const [fromMs, toMs] = [dots[0]![0], dots.at(-1)![0]];
  const frame = { fromMs, toMs, low: Math.min(-0.01, Number(deepest)), high: 0 };
  const line = toPath(dots, frame, box);
  return (
    <div>
      <p className="flex justify-between gap-3 pb-1 text-caption text-ink-soft">
        <span>{t("hosting.drawdown")}</span>
        <span>{percent(deepest)}</span>
      </p>
      <svg
        viewBox={`0 0 ${box[0]} ${box[1]}`}
        preserveAspectRatio="none"
        className="block h-12 w-full overflow-visible border-t border-line text-fall"
        aria-hidden="true"
      >
        <path d={`${line}V0H0Z`} fill="currentColor" opacity="0.14" />
        <path
          d={line}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.25"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}
