import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Program, startProgram } from "#server/app/program.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { writeLastBackup } from "#server/platform/lastBackup.ts";

/** The metrics of a whole program, feed included. */
const directory = mkdtempSync(join(tmpdir(), "drydock-metrics-"));
chmodSync(directory, 0o711);
const data = join(directory, "data");
let program: Program;
let text = "";
const address = `0x${"ab12".repeat(10)}`;

beforeAll(async () => {
  const settings = { DRYDOCK_DATA: data, PORT: "0", LOG_LEVEL: "silent", METRICS_PORT: "0" };
  program = await startProgram(readConfig(settings), async () => null);
  await fetch(`${program.address}/api/openapi.json`);
  await fetch(`${program.address}/api/user/nonce?address=${address}&chain_id=1`);
  await fetch(`${program.address}/api/user/getWalletList`);
  await writeLastBackup(data, { atMs: 1_700_000_000_000, bytes: 5 });
  while (!/^drydock_second_lateness_seconds_count.* [1-9]/m.test(text)) {
    await sleep(100);
    text = await (await fetch(program.metricsAddress!)).text();
  }
}, 120_000);
afterAll(async () => {
  await program.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The value of the series with these labels, which come first. */
const seriesValue = (series: string) => {
  const line = text.split("\n").find((item) => item.startsWith(series.replace(/\}$/, "")));
  return line === undefined ? null : Number(line.split(" ").at(-1));
};

/** Names that the text defines, as queries use them. */
function definedNames(): Set<string> {
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) => {
    if (type === "counter") return [`${name}_total`];
    if (type === "histogram") return ["_bucket", "_count", "_sum"].map((end) => name + end);
    return [name as string];
  });
  return new Set(names);
}

test.each(
  globSync("deploy/metrics/{alerts.yaml,dashboard.json}"),
)("every metric that %s names is reported", (file) => {
  const metricNames = readFileSync(file, "utf8").match(/\b(drydock|nodejs|process)_[a-z0-9_]+/g);
  const defined = definedNames();
  expect(metricNames!.length).toBeGreaterThan(20);
  expect(metricNames!.filter((name) => !defined.has(name))).toEqual([]);
});

test("operating.md has one line per alert and no others", () => {
  const alerts = readFileSync("deploy/metrics/alerts.yaml", "utf8").matchAll(/alert: (\w+)/g);
  const lines = readFileSync("docs/operating.md", "utf8").matchAll(/^\| `(Drydock\w+)` \|/gm);
  const names = (matches: Iterable<RegExpMatchArray>) => [...matches].map(([, name]) => name);
  expect(names(lines)).toEqual(names(alerts));
});

test("requests are counted by call and outcome", () => {
  expect(seriesValue('drydock_requests_total{call="/api/openapi.json",outcome="ok"}')).toBe(1);
  expect(seriesValue('drydock_requests_total{call="/api/user/nonce",outcome="ok"}')).toBe(1);
  const refusedMetric = 'drydock_requests_total{call="/api/user/getWalletList",outcome="refused"}';
  expect(seriesValue(refusedMetric)).toBe(1);
  expect(seriesValue('drydock_request_duration_seconds_count{call="/api/user/nonce"}')).toBe(1);
});

test("the feed's process and the world report their metrics", () => {
  expect(text).toMatch(/^drydock_second_lateness_seconds_count\{.*services="feed"\} [1-9]/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{.*services="feed"\}/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{.*services="web worker"\}/m);
  expect(seriesValue('drydock_pool_connections{pool="requests",state="size"}')).toBe(12);
  expect(seriesValue("drydock_open_orders{")).toBe(0);
  expect(seriesValue("drydock_log_leaves{")).toBeGreaterThan(2);
  expect(seriesValue("drydock_backup_timestamp_seconds{")).toBe(1_700_000_000);
  expect(seriesValue('drydock_standbys{waited_for="yes"}')).toBe(0);
  expect(seriesValue('drydock_jobs{state="failing"}')).toBe(0);
  expect(text).not.toMatch(/^drydock_metric_failures_total\{/m);
});

test("no label contains a person, an address or typed text", () => {
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  const ofNode = ["type", "space", "kind", "version", "major", "minor", "patch"];
  const ownLabels = ["call", "cause", "job", "le", "metric", "outcome", "part", "pool", "running"];
  const rest = ["services", "state", "waited_for", "witness", "world"];
  const knownLabels = new Set<string | undefined>([...ofNode, ...ownLabels, ...rest]);
  expect([...labels].filter((label) => !knownLabels.has(label))).toEqual([]);
  expect(text).not.toContain(address);
});
