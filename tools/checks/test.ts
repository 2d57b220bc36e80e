/**
 * `npm test`: all checks, cheapest failures first. Prints what was skipped with its reason, and one
 * line of totals at the end. Exit status 0 only if every step passed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "drydock-test-"));
const vitestReport = join(work, "vitest.json");
const playwrightReport = join(work, "playwright.json");

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

const steps: Step[] = [
  { name: "types, format and lint", command: ["npm", "run", "--silent", "check"] },
  {
    name: "unit, property and integration tests",
    command: [
      "npx",
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${vitestReport}`,
    ],
  },
  {
    name: "ten kills under load",
    command: [
      ...["npm", "run", "--silent", "crash", "--", "--mix", "all", "--targets", "both,server"],
      ...["--kills", "10", "--clients", "32", "--users", "60", "--seconds-between", "1"],
    ],
  },
  { name: "web build and its budgets", command: ["npm", "run", "--silent", "budget"] },
  {
    name: "end-to-end tests",
    command: ["npx", "playwright", "test", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  },
];

function run(step: Step): { ok: boolean; seconds: number } {
  console.log(`\n== ${step.name}: ${step.command.slice(0, 4).join(" ")}`);
  const startedNs = process.hrtime.bigint();
  const [file, ...args] = step.command as [string, ...string[]];
  const result = spawnSync(file, args, { stdio: "inherit", env: { ...process.env, ...step.env } });
  const seconds = Number(process.hrtime.bigint() - startedNs) / 1e9;
  return { ok: result.status === 0, seconds };
}

interface Counts {
  passed: number;
  /** The test's file and title. */
  failed: string[];
  skipped: string[];
  /** Tests that passed only on retry. */
  flaky: string[];
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function countVitest(): Counts {
  type Report = {
    testResults: {
      name: string;
      status: string;
      assertionResults: { status: string; fullName: string; meta?: { skipReason?: string } }[];
    }[];
  };
  const files = (readReport(vitestReport) as Report | null)?.testResults ?? [];
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name) })),
  );
  /** A file that fails outside its tests, such as on an import. */
  const failedFiles = files.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  return {
    flaky: [],
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: [
      ...tests
        .filter(({ status }) => status === "failed")
        .map(({ file, fullName }) => `${file}: ${fullName}`),
      ...failedFiles.map(({ name }) => `${relative(root, name)}: outside its tests`),
    ],
    skipped: tests
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map((test) => `${test.fullName}: ${test.meta?.skipReason ?? "the title says why"}`),
  };
}

function countPlaywright(): Counts {
  type Spec = {
    file: string;
    title: string;
    tests: { status: string; annotations: { type: string; description?: string }[] }[];
  };
  type Suite = { specs: Spec[]; suites?: Suite[] };
  const flatten = (suite: Suite): Spec[] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(flatten),
  ];
  const specs = (
    (readReport(playwrightReport) as { suites: Suite[] } | null)?.suites ?? []
  ).flatMap(flatten);
  const tests = specs.flatMap((spec) =>
    spec.tests.map((test) => ({ ...test, title: `${spec.file}: ${spec.title}` })),
  );
  return {
    passed: tests.filter(({ status }) => status === "expected" || status === "flaky").length,
    failed: tests.filter(({ status }) => status === "unexpected").map(({ title }) => title),
    flaky: tests.filter(({ status }) => status === "flaky").map(({ title }) => title),
    skipped: tests
      .filter(({ status }) => status === "skipped")
      .map(
        ({ title, annotations }) => `${title}: ${annotations.map((a) => a.description).join(" ")}`,
      ),
  };
}

const results = steps.map((step) => ({ step, ...run(step) }));
const counts = [countVitest(), countPlaywright()];
rmSync(work, { recursive: true, force: true });

console.log("\n== summary");
for (const { step, ok, seconds } of results) {
  console.log(`${ok ? "passed" : "FAILED"}  ${step.name} (${seconds.toFixed(0)} s)`);
}
const skipped = counts.flatMap((count) => count.skipped);
for (const line of skipped) console.log(`skipped  ${line}`);
for (const title of counts.flatMap(({ flaky }) => flaky)) {
  console.log(`passed only on retry  ${title}`);
}
const failedTests = counts.flatMap((count) => count.failed);
for (const title of failedTests) console.log(`failed  ${title}`);
const failedSteps = results.filter(({ ok }) => !ok).length;
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = Math.max(failedSteps, failedTests.length);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed === 0 ? 0 : 1);
