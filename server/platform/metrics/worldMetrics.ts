/** A value with its labels, which never name a person, an address or anything that was typed. */
export interface MeasuredValue {
  value: number;
  labels?: Readonly<Record<string, string>>;
}

/**
 * A metric of the whole world, read at each request. Every process of the world reports the same
 * value.
 */
export interface WorldMetric {
  help: string;
  kind: "gauge" | "counter";
  labels?: readonly string[];
  /** Returns no value if none is known. */
  read: () => Promise<readonly MeasuredValue[]>;
}

/** Values by metric name; a counter's name ends in `_total`, and units are seconds and bytes. */
export type WorldMetrics = Readonly<Record<`drydock_${string}`, WorldMetric>>;

/** The value of a metric without labels; null if there is none. */
export function toSingleValue(value: number | null): readonly MeasuredValue[] {
  return value === null ? [] : [{ value }];
}

/** Converts milliseconds to the seconds since 1970 that metrics use. */
export function timestamp(atMs: number | null): readonly MeasuredValue[] {
  return toSingleValue(atMs === null ? null : atMs / 1_000);
}
