import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

/** How long the tests of one sabotage may take; a test by itself ends after 30 s. */
const longestMs = 600_000;

export interface TestRun {
  /** True if everything ran and passed. */
  hasPassed: boolean;
  /** Tests that failed, in the order of the report. */
  failed: { file: string; title: string; hasTimedOut: boolean }[];
  /** Files that failed outside their tests, such as on an import or while setting up. */
  brokenFiles: string[];
  /** The printed output, to find out why it neither passed nor failed. */
  output: string;
  seconds: number;
}

interface Report {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

/** Runs test files below `directory` without retries. `bail`: stops at the first failure. */
export async function runTests(
  directory: string,
  files: readonly string[],
  { bail }: { bail: boolean },
): Promise<TestRun> {
  const startedMs = performance.now();
  const reportFile = join(directory, ".vitest-report.json");
  rmSync(reportFile, { force: true });
  const program = join(directory, "node_modules/vitest/vitest.mjs");
  const options = ["--retry", "0", "--reporter=json", `--outputFile=${reportFile}`];
  const child = spawn(
    process.execPath,
    [program, "run", ...files, ...options, ...(bail ? ["--bail", "1"] : [])],
    { cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
  );
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    });
  const timer = setTimeout(end, longestMs);
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  process.off("exit", end);
  const report = readReport(reportFile);
  const tests = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(directory, name) })),
  );
  const failed = tests
    .filter((test) => test.status === "failed")
    .map(({ file, fullName, failureMessages = [] }) => ({
      file,
      title: fullName,
      hasTimedOut: failureMessages.every((message) => /timed out in \d+ms/.test(message)),
    }));
  const brokenFiles = (report?.testResults ?? [])
    .filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    )
    .map(({ name }) => relative(directory, name));
  const passedFiles = new Set(
    tests.filter((test) => test.status === "passed").map(({ file }) => file),
  );
  return {
    hasPassed: status === 0 && report !== null && files.every((file) => passedFiles.has(file)),
    failed,
    brokenFiles,
    output,
    seconds: (performance.now() - startedMs) / 1_000,
  };
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return null;
  }
}
