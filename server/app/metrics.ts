import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { FeedProcess } from "#server/app/feedProcess.ts";
import type { AppContext } from "#server/platform/context.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import type { App } from "#server/platform/http/context.ts";
import { type MetricsConfig, serveMetrics } from "#server/platform/metrics/endpoint.ts";
import { createRegistry, type ProcessMetrics } from "#server/platform/metrics/registry.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";

export type ProcessRegistry = Registry;

/** Histogram bounds in seconds for answer times and for the delay in closing a second. */
const answerBuckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const latenessBuckets = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/**
 * The metrics of a world in this process: jobs, the bus and, in the process that closes seconds,
 * the seconds. `isFirst` adds those of the process itself (Node, connections), which must be
 * counted only once for all of its worlds. Null if no metrics port is set.
 */
export function createProcessMetrics(ctx: AppContext, isFirst: boolean): Registry | null {
  const { config, world, realClock } = ctx;
  if (config.metrics === null) return null;
  const registry = createRegistry(world.name, config.services, isFirst);
  if (isFirst) {
    new Gauge({
      name: "drydock_process_started_seconds",
      help: "When this process began, in seconds since 1970.",
      registers: [registry],
    }).set(Math.floor(realClock.nowMs() / 1_000 - process.uptime()));
    addPools(ctx, registry);
  }
  addJobs(ctx, registry);
  addBus(ctx, registry);
  if (config.services.includes("feed")) addSeconds(ctx, registry);
  return registry;
}

function addPools({ database, jobs }: AppContext, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "drydock_pool_connections",
    help: "Database connections of this process by pool: in use, and the most there may be.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, { inUse, size }] of Object.entries(database.pools())) {
        this.set({ pool, state: "in_use" }, inUse);
        this.set({ pool, state: "size" }, size);
      }
    },
  });
  new Gauge({
    name: "drydock_pool_waiting",
    help: "Who waits for a connection of a pool now.",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, { waiting }] of Object.entries(database.pools()))
        this.set({ pool }, waiting);
    },
  });
  new Gauge({
    name: "drydock_pool_longest_wait_seconds",
    help: "The longest wait for a connection in the last half to whole minute.",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, { longestWaitMs }] of Object.entries(database.pools()))
        this.set({ pool }, longestWaitMs / 1_000);
    },
  });
  new Gauge({
    name: "drydock_lock_connection_lost_seconds",
    help: "How long the connection that holds the locks of this process has been lost; 0 if it is not.",
    registers,
    collect() {
      this.set((jobs.locks()?.lostMs ?? 0) / 1_000);
    },
  });
}

function addJobs({ jobs }: AppContext, registry: Registry): void {
  const registers = [registry];
  const runs = new Counter({
    name: "drydock_job_runs_total",
    help: "Runs of jobs in this process that ended, or failed.",
    labelNames: ["job", "outcome"],
    registers,
  });
  const seconds = new Counter({
    name: "drydock_job_seconds_total",
    help: "Time that those runs took.",
    labelNames: ["job"],
    registers,
  });
  jobs.watch(({ name, what, tookMs }) => {
    if (what === "began") return;
    runs.inc({ job: name, outcome: what });
    seconds.inc({ job: name }, tookMs / 1_000);
  });
}

function addBus({ bus }: AppContext, registry: Registry): void {
  const registers = [registry];
  const outages = new Counter({
    name: "drydock_bus_outages_total",
    help: "Times that this process was cut off from the others, and read everything again.",
    registers,
  });
  const unsent = new Counter({
    name: "drydock_bus_unsent_events_total",
    help: "Events of this process that no other one got, because it was cut off.",
    registers,
  });
  bus.subscribe("bus.reconnected", (outage) => {
    outages.inc();
    unsent.inc(outage.unsent);
  });
}

function addSeconds({ bus, clock, world }: AppContext, registry: Registry): void {
  const lateness = new Histogram({
    name: "drydock_second_lateness_seconds",
    help: "How long after its end a second was closed, in real time; a standby counts the same seconds.",
    buckets: latenessBuckets,
    registers: [registry],
  });
  bus.subscribe("second.closed", ({ secondMs }) => {
    lateness.observe(Math.max(0, clock.nowMs() - secondMs) / world.market.speed / 1_000);
  });
}

/** Counts requests by the pattern of their route, never by their parameters. */
export function measureRequests(app: App, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: "drydock_requests_total",
    help: "Requests by call and outcome: ok, refused (4xx), failed (5xx).",
    labelNames: ["call", "outcome"],
    registers,
  });
  const durations = new Histogram({
    name: "drydock_request_duration_seconds",
    help: "How long answers took, by call.",
    labelNames: ["call"],
    buckets: answerBuckets,
    registers,
  });
  new Gauge({
    name: "drydock_sockets_open",
    help: "People's open sockets at this process.",
    registers,
    collect() {
      this.set(app.websocketServer?.clients.size ?? 0);
    },
  });
  app.addHook("onResponse", async ({ routeOptions, headers }, { statusCode, elapsedTime }) => {
    // A socket's upgrade lasts as long as the socket.
    if (headers.upgrade !== undefined) return;
    const call = routeOptions.url ?? "none";
    const outcome = statusCode < 400 ? "ok" : statusCode < 500 ? "refused" : "failed";
    requests.inc({ call, outcome });
    durations.observe({ call }, elapsedTime / 1_000);
  });
}

/**
 * Serves the metrics of the worlds of this process with those of the feed's process, if it has one.
 * `registries` is read each time, because worlds come and go.
 */
export async function startMetrics(
  config: MetricsConfig,
  registries: () => readonly Registry[],
  feed: FeedProcess | null,
): Promise<{ address: string; part: StoppablePart }> {
  const readProcesses = async (): Promise<ProcessMetrics[]> => {
    const [ownMetrics, otherMetrics] = await Promise.all([
      withPurpose("jobs", () =>
        Promise.all(registries().map((registry) => registry.getMetricsAsJSON())),
      ),
      feed?.metrics() ?? [],
    ]);
    return [...ownMetrics, ...otherMetrics];
  };
  const endpoint = await serveMetrics(config, readProcesses);
  return {
    address: endpoint.address,
    part: { what: "the metrics", stop: () => endpoint.stop() },
  };
}
