import { request } from "node:http";
import { Counter } from "prom-client";
import { afterEach, expect, test, vi } from "vitest";
import { type MetricsEndpoint, serveMetrics } from "#server/platform/metrics/endpoint.ts";
import {
  createRegistry,
  formatOpenMetrics,
  registerWorldMetrics,
} from "#server/platform/metrics/registry.ts";
import type { WorldMetric } from "#server/platform/metrics/worldMetrics.ts";

const gauge = (readValues: WorldMetric["read"], labels: string[] = []): WorldMetric => ({
  help: "A figure.",
  kind: "gauge",
  labels,
  read: readValues,
});
const getRegistry = (metrics: Record<string, WorldMetric>) => {
  const registry = createRegistry("harbour", ["web"]);
  registerWorldMetrics(registry, metrics);
  return registry;
};
/** The lines of a metric without its comment lines. */
async function buildLines(registry: ReturnType<typeof createRegistry>, name: string) {
  const text = await formatOpenMetrics([await registry.getMetricsAsJSON()]);
  return text.split("\n").filter((line) => line.startsWith(name));
}
const of = 'world="harbour",services="web"';

test("a metric is reread each time, and removed labels disappear", async () => {
  let parts = ["log", "ledger"];
  const readParts = async () => parts.map((part) => ({ labels: { part }, value: 3 }));
  const registry = getRegistry({ drydock_size_bytes: gauge(readParts, ["part"]) });
  expect(await buildLines(registry, "drydock_size")).toEqual([
    `drydock_size_bytes{part="log",${of}} 3`,
    `drydock_size_bytes{part="ledger",${of}} 3`,
  ]);
  parts = ["log"];
  expect(await buildLines(registry, "drydock_size")).toHaveLength(1);
});

test("a metric that is unknown or fails has no value and does not affect others", async () => {
  let isKnown = true;
  const readKnown = async () => {
    if (!isKnown) throw new Error("no database");
    return [{ value: 7 }];
  };
  const metrics = {
    drydock_size: gauge(readKnown),
    drydock_lost_total: { ...gauge(readKnown), kind: "counter" as const },
    drydock_none: gauge(async () => []),
    drydock_other: gauge(async () => [{ value: 1 }]),
  };
  const registry = getRegistry(metrics);
  expect(await buildLines(registry, "drydock_size")).toEqual([`drydock_size{${of}} 7`]);
  expect(await buildLines(registry, "drydock_lost")).toEqual([`drydock_lost_total{${of}} 7`]);
  expect(await buildLines(registry, "drydock_none")).toEqual([]);
  isKnown = false;
  expect(await buildLines(registry, "drydock_size")).toEqual([]);
  expect(await buildLines(registry, "drydock_lost")).toEqual([]);
  expect(await buildLines(registry, "drydock_other")).toEqual([`drydock_other{${of}} 1`]);
  const [failures] = await buildLines(registry, "drydock_metric_failures");
  expect(failures).toMatch(/^drydock_metric_failures_total\{metric="drydock_size",.*\} [2-9]$/);
});

test("a read is abandoned after two seconds", async () => {
  const registry = getRegistry({ drydock_size: gauge(() => new Promise(() => {})) });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const lines = buildLines(registry, "drydock_size");
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  expect(await lines).toEqual([]);
});

test("the metrics of two processes are one OpenMetrics text, each series with its services", async () => {
  const registries = [["web"], ["feed"]].map((services) => createRegistry("harbour", services));
  for (const registry of registries) {
    const counter = { name: "drydock_runs_total", help: "Runs.", registers: [registry] };
    new Counter(counter).inc(2);
  }
  const json = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  const text = await formatOpenMetrics(json);
  const runs = text.split("\n").filter((line) => line.includes("drydock_runs"));
  expect(runs).toEqual([
    "# HELP drydock_runs Runs.",
    "# TYPE drydock_runs counter",
    'drydock_runs_total{world="harbour",services="web"} 2',
    'drydock_runs_total{world="harbour",services="feed"} 2',
  ]);
  expect(text.endsWith("# EOF\n")).toBe(true);
});

let endpoint: MetricsEndpoint | null = null;
afterEach(() => endpoint?.stop());

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const url = new URL(path, endpoint!.address);
  return new Promise<{ status: number; type: string | undefined }>((resolve, reject) => {
    const httpRequest = request(url, { headers, method, agent: false }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode!, type: answer.headers["content-type"] });
    });
    httpRequest.on("error", reject).end();
  });
}
const serve = async (token: string | null, readValues = async () => [[]]) => {
  endpoint = await serveMetrics({ port: 0, host: "127.0.0.1", token }, readValues as never);
};

test("without a token, only GET /metrics under a local host name is answered", async () => {
  await serve(null);
  const type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
  expect(await ask("/metrics")).toEqual({ status: 200, type });
  expect((await ask("/metrics", { host: "localhost:1" })).status).toBe(200);
  expect((await ask("/metrics", { host: "[::1]" })).status).toBe(200);
  expect((await ask("/metrics", { host: "evil.example.org" })).status).toBe(403);
  expect((await ask("/")).status).toBe(404);
  expect((await ask("/metrics", {}, "POST")).status).toBe(405);
});

test("with a token, requests without it are refused on every path", async () => {
  await serve("0123456789abcdef");
  const withToken = (token: string) => ({ authorization: `Bearer ${token}`, host: "tug.lan" });
  expect((await ask("/metrics", withToken("0123456789abcdef"))).status).toBe(200);
  expect((await ask("/metrics", withToken("0123456789abcdeF"))).status).toBe(401);
  expect((await ask("/metrics")).status).toBe(401);
  expect((await ask("/none")).status).toBe(401);
});

test("a failure to read metrics is an error, and the next request is answered", async () => {
  let isBroken = true;
  await serve(null, async () => {
    if (isBroken) throw new Error("broken");
    return [[]];
  });
  expect((await ask("/metrics")).status).toBe(500);
  isBroken = false;
  expect((await ask("/metrics")).status).toBe(200);
});
