import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";
import type { WorldMetrics } from "#server/platform/metrics/worldMetrics.ts";

/** The metrics of a process as they travel to another one. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** How long reading one metric may take; the others are then reported without it. */
const readMs = 2_000;

/**
 * The metrics of a world in this process; `withNode`: with those of Node itself (memory, processor,
 * event loop, garbage collection). Every value is labelled with the world and the services of the
 * process.
 */
export function createRegistry(
  world: string,
  services: readonly string[],
  withNode = true,
): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ world, services: services.join(" ") });
  if (withNode) collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Registers metrics of the world; one that cannot be read has no value, and the failure is counted.
 */
export function registerWorldMetrics(registry: Registry, metrics: WorldMetrics): void {
  const failures = new Counter({
    name: "drydock_metric_failures_total",
    help: "Figures that could not be read when the metrics were.",
    labelNames: ["metric"],
    registers: [registry],
  });
  for (const [name, { help, kind, labels = [], read }] of Object.entries(metrics)) {
    const values = async () => {
      try {
        return await withinLimit(read());
      } catch {
        failures.inc({ metric: name });
        return [];
      }
    };
    const commonOptions = { name, help, labelNames: [...labels], registers: [registry] };
    if (kind === "gauge") {
      new Gauge({
        ...commonOptions,
        async collect() {
          const measured = await values();
          clear(this, labels.length > 0);
          for (const { value, labels: measuredLabels = {} } of measured)
            this.set({ ...measuredLabels }, value);
        },
      });
    } else {
      new Counter({
        ...commonOptions,
        async collect() {
          const measured = await values();
          clear(this, labels.length > 0);
          for (const { value, labels: measuredLabels = {} } of measured)
            this.inc({ ...measuredLabels }, value);
        },
      });
    }
  }
}

/** Forgets the values of the last read. `reset` would set a metric without labels to zero. */
function clear(metric: Gauge | Counter, labelled: boolean): void {
  metric.reset();
  if (!labelled) metric.remove();
}

async function withinLimit<Value>(reading: Promise<Value>): Promise<Value> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error("no answer in time")), readMs);
  try {
    return await Promise.race([reading, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export const openMetricsType = Registry.OPENMETRICS_CONTENT_TYPE;

/** OpenMetrics text of several processes, which differ in the label `services`. */
export async function formatOpenMetrics(processes: readonly ProcessMetrics[]): Promise<string> {
  const mergedRegistry = AggregatorRegistry.aggregate(
    processes.map((metrics) => metrics.map(withPlainName)),
  );
  mergedRegistry.setContentType(openMetricsType);
  return mergedRegistry.metrics();
}

/** OpenMetrics names a counter without `_total`, which the library adds to its values only. */
function withPlainName(metric: ProcessMetrics[number]): ProcessMetrics[number] {
  return metric.type.toString() === "counter"
    ? { ...metric, name: metric.name.replace(/_total$/, "") }
    : metric;
}
