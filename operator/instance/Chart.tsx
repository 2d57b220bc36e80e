import { useText } from "#i18n/useText.ts";
import { buildLines, type Point, roundUp } from "#operator/instance/chartShape.ts";
import { Table } from "#operator/instance/Table.tsx";

interface Props {
  title: string;
  points: readonly Point[];
  kind: "bars" | "line";
  /** Format a figure and a moment in the reader's language. */
  figure: (value: number) => string;
  moment: (atMs: number) => string;
  base?: 10 | 1024;
  /** For lines: a longer interval between two points leaves a gap. */
  gapMs?: number;
}

/** There is always room for at least this many bars. */
const barsMin = 14;

/**
 * A chart of figures over time, starting at zero: the highest and the latest as text beside it, and
 * all of them in a table behind it.
 */
export function Chart({ title, points, kind, figure, moment, base = 10, gapMs = 180_000 }: Props) {
  const t = useText();
  const measured = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const lastPoint = measured.at(-1);
  const text = (id: string, value: string) => t(id, { value });
  const highest = Math.max(0, ...measured);
  const top = roundUp(highest, base);
  return (
    <figure className="min-w-0 px-4 py-4 only:col-span-full">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-small font-strong">{title}</h3>
        {lastPoint === undefined ? null : (
          <p className="text-caption text-ink-soft tabular-nums">
            {text("instance.chart.last", figure(lastPoint))}
            {" · "}
            {text("instance.chart.most", figure(highest))}
          </p>
        )}
      </figcaption>
      {lastPoint === undefined ? (
        <p className="pt-3 text-small text-ink-soft">{t("instance.chart.empty")}</p>
      ) : (
        <>
          <Frame top={figure(top)} middleLabel={base === 10 && top < 2 ? "" : figure(top / 2)}>
            {kind === "bars" ? (
              <Bars points={points} top={top} />
            ) : (
              <Lines points={points} top={top} gapMs={gapMs} />
            )}
          </Frame>
          <p className="flex justify-between pt-1 pl-16 text-caption text-ink-faint tabular-nums">
            <span>
              {points.length >= (kind === "line" ? 2 : barsMin) ? moment(points[0]!.atMs) : ""}
            </span>
            <span>{moment(points.at(-1)!.atMs)}</span>
          </p>
          <details className="mt-1">
            <summary className="flex min-h-11 cursor-pointer items-center text-small text-signal-ink">
              {t("instance.chart.table")}
            </summary>
            <div className="-mx-4 max-h-80 overflow-y-auto">
              <Table
                label={title}
                rows={points.toReversed()}
                getKey={({ atMs }) => atMs}
                columns={[
                  {
                    id: "at",
                    head: t("instance.chart.time"),
                    cell: ({ atMs }) => moment(atMs),
                  },
                  {
                    id: "value",
                    head: t("instance.chart.value"),
                    isEndAligned: true,
                    cell: ({ value }) => (value === null ? "–" : figure(value)),
                  },
                ]}
              />
            </div>
          </details>
        </>
      )}
    </figure>
  );
}

function Frame({
  top,
  middleLabel,
  children,
}: {
  top: string;
  middleLabel: string;
  children: React.ReactNode;
}) {
  return (
    <div aria-hidden="true" className="mt-3 flex h-28 gap-2">
      <div className="flex w-14 shrink-0 flex-col justify-between text-right text-caption leading-none whitespace-nowrap text-ink-faint tabular-nums">
        <span>{top}</span>
        <span>{middleLabel}</span>
        <span>0</span>
      </div>
      <div className="relative min-w-0 flex-1 border-y border-line">
        <div className="absolute inset-x-0 top-1/2 border-t border-dashed border-line" />
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible"
        >
          {children}
        </svg>
      </div>
    </div>
  );
}

function Bars({ points, top }: { points: readonly Point[]; top: number }) {
  // A few bars keep their width, aligned to the end, where the newest is.
  const places = Math.max(points.length, barsMin);
  const step = 100 / places;
  return points.map(({ atMs, value }, index) => {
    const height = ((value ?? 0) / top) * 100;
    return (
      <rect
        key={atMs}
        x={(places - points.length + index + 0.15) * step}
        width={step * 0.7}
        y={100 - height}
        height={height}
        className={index === points.length - 1 ? "fill-ink" : "fill-ink-soft"}
      />
    );
  });
}

function Lines({ points, top, gapMs }: { points: readonly Point[]; top: number; gapMs: number }) {
  return buildLines(points, top, gapMs).map((path) => (
    <path
      key={path}
      d={path}
      fill="none"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
      className="stroke-ink"
    />
  ));
}
