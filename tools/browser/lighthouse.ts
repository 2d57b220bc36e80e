/**
 * `npm run look -- lighthouse`: runs Lighthouse as a phone on one page of an instance. Prints the
 * median run's scores and figures with their conditions; exit code 1 if an aim is missed. The page
 * is loaded without a session.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { openInstance } from "../lib/instance.ts";
import { parseOptions } from "../lib/options.ts";
import { findBrowserPath, launchArguments } from "./launch.ts";

const help = `npm run look -- lighthouse [--path /home] [--runs 3] [--url http://127.0.0.1:8080]

  --path  the page; --runs  number of runs, of which the median counts
  --url   a running instance (or DRYDOCK_URL); without it one is started`;

const { values: options } = parseOptions(
  {
    options: {
      path: { type: "string", default: "/home" },
      runs: { type: "string", default: "3" },
      url: { type: "string" },
      help: { type: "boolean", default: false },
    },
  },
  help,
);

/** Scores a page has to reach, in hundredths. */
const aims = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof aims;
const categories = Object.keys(aims) as Category[];
/** Largest cumulative layout shift allowed while loading. */
const shiftMax = 0.02;
const metrics = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "speed-index",
] as const;

interface Run {
  scores: Record<Category, number>;
  metrics: Record<(typeof metrics)[number], number>;
  /** Titles of failed audits, by category. */
  failedAudits: string[];
  version: string;
}

/** Starts a browser with remote debugging; resolves with its port once it listens. */
async function startBrowser(profile: string): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(
    await findBrowserPath(),
    [...launchArguments, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await new Promise<number>((resolve, reject) => {
    let output = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      const match = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(output);
      if (match) resolve(Number(match[1]));
    });
    child.once("exit", () => reject(new Error(`the browser exited: ${output.slice(-500)}`)));
  });
  return { child, port };
}

async function runOnce(url: string): Promise<Run> {
  const profile = mkdtempSync(join(tmpdir(), "drydock-lighthouse-"));
  const { child, port } = await startBrowser(profile);
  const exit = new Promise((resolve) => child.once("exit", resolve));
  try {
    const result = await lighthouse(url, { port, onlyCategories: categories, logLevel: "error" });
    if (!result || result.lhr.runtimeError) {
      throw new Error(`Lighthouse failed: ${result?.lhr.runtimeError?.message ?? "?"}`);
    }
    return readRun(result.lhr);
  } finally {
    child.kill();
    await exit;
    rmSync(profile, { recursive: true, force: true });
  }
}

function readRun(lhr: NonNullable<Awaited<ReturnType<typeof lighthouse>>>["lhr"]): Run {
  const scores = Object.fromEntries(
    categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
  ) as Run["scores"];
  const figures = Object.fromEntries(
    metrics.map((name) => [name, lhr.audits[name]?.numericValue ?? Number.NaN]),
  ) as Run["metrics"];
  const wanting = categories.flatMap((name) =>
    (lhr.categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${name}: ${lhr.audits[id]?.title ?? id}`),
  );
  return { scores, metrics: figures, failedAudits: wanting, version: lhr.lighthouseVersion };
}

function report(runs: readonly Run[], url: string): boolean {
  const sorted = [...runs].sort((a, b) => a.scores.performance - b.scores.performance);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] as Run;
  console.log(
    `${url}, Lighthouse ${median.version}, its phone (slow 4G and a CPU four times as slow, simulated), ${runs.length} runs, ${cpus().length} CPUs`,
  );
  let isPassed = true;
  for (const name of categories) {
    // Scores that do not measure time must hold in every run.
    const score =
      name === "performance"
        ? median.scores[name]
        : Math.min(...runs.map(({ scores }) => scores[name]));
    const isReached = score >= aims[name];
    isPassed &&= isReached;
    console.log(
      `  ${name.padEnd(16)} ${String(score).padStart(3)}  of ${aims[name]}${isReached ? "" : "  BELOW"}`,
    );
  }
  for (const name of metrics) {
    const value = median.metrics[name];
    const text = name === "cumulative-layout-shift" ? value.toFixed(4) : `${Math.round(value)} ms`;
    console.log(`  ${name.padEnd(26)} ${text}`);
  }
  const shift = Math.max(...runs.map((run) => run.metrics["cumulative-layout-shift"]));
  if (shift > shiftMax) console.log(`  layout shift of ${shift.toFixed(4)}, more than ${shiftMax}`);
  for (const line of new Set(runs.flatMap(({ failedAudits }) => failedAudits)))
    console.log(`  - ${line}`);
  return isPassed && shift <= shiftMax;
}

if (options.help) {
  console.log(help);
} else {
  const instance = await openInstance(options.url);
  try {
    const url = `${instance.url}${options.path}`;
    const runs: Run[] = [];
    for (let index = 0; index < Number(options.runs); index += 1) runs.push(await runOnce(url));
    if (!report(runs, url)) process.exitCode = 1;
  } finally {
    await instance.release();
  }
}
