import { type PointerEvent, useMemo } from "react";
import { useText } from "#i18n/useText.ts";
import { type ChartShape, findNearestPoint, layOutChart, stepPoint } from "./chartShape.ts";

const width = 1_000;
const height = 200;

export interface TotalChartProps {
  /** World time and decimal total, oldest first; null in a gap. */
  points: readonly (readonly [number, string | null])[];
  /** The selected point; null for none. */
  chosen: number | null;
  onChoose: (index: number | null) => void;
  /** Describes a point to assistive technology. */
  describe: (index: number) => string;
  /** Times at which money came in or went out: dots on the line. */
  marks?: readonly number[];
  /** The line's name for assistive technology; a total if omitted. */
  label?: string;
}

/**
 * A total over time as a thin line. Drag or use the arrow keys to select a point; the table beside
 * it says the same.
 */
export function TotalChart({
  points,
  chosen,
  onChoose,
  describe,
  marks = [],
  label,
}: TotalChartProps) {
  const t = useText();
  const shape = useMemo(
    () =>
      layOutChart(
        points.map(([atMs, total]) => [atMs, total === null ? null : Number(total)] as const),
        width,
        height,
      ),
    [points],
  );
  if (!shape) return null;
  const last = findLastPresent(shape);
  const index = chosen ?? last;
  const choosePoint = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onChoose(findNearestPoint(shape, (event.clientX - box.left) / box.width));
  };
  return (
    <div
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        choosePoint(event);
      }}
      onPointerMove={(event) => {
        if (event.pointerType === "mouse" || event.buttons > 0) choosePoint(event);
      }}
      onPointerUp={(event) => event.pointerType !== "mouse" && onChoose(null)}
      onPointerLeave={() => onChoose(null)}
      onPointerCancel={() => onChoose(null)}
      className="relative h-36 cursor-crosshair touch-pan-y rounded-dock py-2 select-none has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
    >
      <input
        type="range"
        className="sr-only"
        aria-label={label ?? t("wallet.history.picture")}
        aria-valuetext={describe(index)}
        min={0}
        max={points.length - 1}
        value={index}
        onChange={(event) => onChoose(findNextPoint(shape, index, event.target.valueAsNumber))}
        onBlur={() => onChoose(null)}
      />
      <div className="relative h-full">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible text-ink-soft"
          aria-hidden="true"
        >
          {shape.paths.map((path) => (
            <path
              key={path}
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        {marks.map((atMs) => (
          <FlowMark key={atMs} position={placeAt(points, shape, atMs)} />
        ))}
        <Marker position={shape.places[index] ?? null} line={chosen !== null} />
      </div>
    </div>
  );
}

function Marker({ position, line }: { position: { x: number; y: number } | null; line: boolean }) {
  if (!position) return null;
  const leftPercent = `${position.x * 100}%`;
  return (
    <>
      {line ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
          style={{ left: leftPercent }}
        />
      ) : null}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full bg-ink"
        style={{ left: leftPercent, top: `${position.y * 100}%` }}
      />
    </>
  );
}

/** Where the line is at a time: at the first point from then on. */
function placeAt(points: TotalChartProps["points"], shape: ChartShape, atMs: number) {
  const next = points.findIndex(([ms]) => ms >= atMs);
  return next < 0 ? null : (shape.places[next] ?? null);
}

function FlowMark({ position }: { position: { x: number; y: number } | null }) {
  if (!position) return null;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-ink-soft bg-paper"
      style={{ left: `${position.x * 100}%`, top: `${position.y * 100}%` }}
    />
  );
}

function findLastPresent(shape: ChartShape): number {
  return shape.places.findLastIndex((position) => position !== null);
}

/** The requested point, or in a gap the next point on the way there. */
function findNextPoint(shape: ChartShape, from: number, to: number): number {
  return shape.places[to] ? to : stepPoint(shape, to, to < from ? -1 : 1);
}
