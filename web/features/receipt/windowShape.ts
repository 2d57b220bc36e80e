import type { WindowSample } from "#core/contracts/receiptState.ts";

/** The settlement window in drawing units: samples left to right, prices bottom to top. */
export interface WindowShape {
  dots: { x: number; y: number; used: boolean; secondMs: number }[];
  /** The x positions of seconds without a value. */
  gaps: number[];
  purchaseY: number | null;
  sellingY: number | null;
}

const number = (value: bigint, low: bigint) => Number(value - low);

/** Lays out the samples and both price lines in `width` × `height` with a margin of `pad`. */
export function shapeWindow(
  samples: readonly WindowSample[],
  lines: { purchase: bigint | null; selling: bigint | null },
  { width, height, pad }: { width: number; height: number; pad: number },
): WindowShape {
  const values = [...samples.map(({ value }) => value), lines.purchase, lines.selling].filter(
    (value) => value !== null,
  );
  const low = values.reduce((a, b) => (b < a ? b : a), values[0] ?? 0n);
  const high = values.reduce((a, b) => (b > a ? b : a), values[0] ?? 0n);
  // A flat window is drawn in the middle, not at an edge.
  const span = Number(high - low);
  const y = (value: bigint) =>
    span === 0 ? height / 2 : height - pad - (number(value, low) / span) * (height - 2 * pad);
  const step = samples.length > 1 ? (width - 2 * pad) / (samples.length - 1) : 0;
  const x = (index: number) => (samples.length > 1 ? pad + index * step : width / 2);
  return {
    dots: samples.flatMap(({ value, used, secondMs }, index) =>
      value === null ? [] : [{ x: x(index), y: y(value), used, secondMs }],
    ),
    gaps: samples.flatMap(({ value }, index) => (value === null ? [x(index)] : [])),
    purchaseY: lines.purchase === null ? null : y(lines.purchase),
    sellingY: lines.selling === null ? null : y(lines.selling),
  };
}
