/**
 * `npm run trial -- sabotage [--only <text>] [--jobs 2]`: plants small faults one by one in a copy
 * of the repository and expects the tests named beside each to fail. Exit status 0 only if every
 * one was caught.
 *
 * The same tests first have to pass without any fault; otherwise a failure would mean nothing. A
 * fault counts as caught when a test fails: code that no longer loads is not a sabotage.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { printConditions } from "../bench/lib/conditions.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { copyRepository } from "./copy.ts";
import type { Sabotage } from "./list/sabotage.ts";
import { sabotages } from "./list.ts";
import { applySabotage, plantSabotage } from "./plant.ts";
import { runTests, type TestRun } from "./vitest.ts";

const root = join(import.meta.dirname, "../..");

function readOptions(): { only: string; jobs: number } {
  const { values } = parseOptions(
    { options: { only: { type: "string" }, jobs: { type: "string" } } },
    "npm run trial -- sabotage [--only <text>] [--jobs 1]",
  );
  const jobs = parseWholeNumber("jobs", values.jobs, { from: 1, to: 16, fallback: 1 });
  return { only: values.only ?? "", jobs };
}

/**
 * Runs the tests without a sabotage, and failing ones once more; returns the number of test files.
 */
async function requireGreen(directory: string, selected: readonly Sabotage[]): Promise<number> {
  const files = [...new Set(selected.flatMap(({ tests }) => tests))].toSorted();
  const first = await runTests(directory, files, { bail: false });
  if (first.hasPassed) return files.length;
  const failed = [...new Set([...first.failed.map(({ file }) => file), ...first.brokenFiles])];
  const second = await runTests(directory, failed.length > 0 ? failed : files, { bail: false });
  if (!second.hasPassed) {
    const names = [
      ...second.failed.map(({ file, title }) => `${file}: ${title}`),
      ...second.brokenFiles,
    ];
    throw new ToolError(
      `Without any sabotage these have to pass first: ${names.join("; ") || second.output}`,
    );
  }
  for (const { file, title } of first.failed)
    console.log(`passed only on retry  ${file}: ${title}`);
  return files.length;
}

/** One line with the result of the tests for a sabotage. */
function getResult(
  { name, tests }: Sabotage,
  { hasPassed, failed, brokenFiles, output, seconds }: TestRun,
) {
  const duration = `${seconds.toFixed(0)} s`;
  const [first] = failed;
  if (first) {
    const endNote = first.hasTimedOut ? ", by a test that did not end" : "";
    return {
      caught: true,
      line: `caught ${name} (${first.file}, ${duration}): ${first.title}${endNote}`,
    };
  }
  if (hasPassed)
    return { caught: false, line: `SURVIVED ${name} (${tests.join(", ")}, ${duration})` };
  const reason = brokenFiles.length > 0 ? `${brokenFiles.join(", ")} no longer loads` : output;
  return { caught: false, line: `BROKE ${name} (${duration}): ${reason}` };
}

async function tryAll(selected: readonly Sabotage[], jobs: number): Promise<number> {
  const copies = Array.from({ length: Math.min(jobs, selected.length) }, () =>
    copyRepository(root),
  );
  const removeAll = () => {
    for (const copy of copies) copy.remove();
  };
  process.once("exit", removeAll);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(130));
  const files = await requireGreen(copies[0]!.directory, selected);
  console.log(`${files} test files pass without a sabotage`);
  const queue = [...selected];
  let caught = 0;
  const work = async (directory: string) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const restore = applySabotage(directory, next);
      const run = await runTests(directory, next.tests, { bail: true });
      restore();
      const result = getResult(next, run);
      if (result.caught) caught += 1;
      console.log(result.line);
    }
  };
  await Promise.all(copies.map(({ directory }) => work(directory)));
  return caught;
}

const { only, jobs } = readOptions();
const chosenSabotages = sabotages.filter(
  ({ name, file }) => name.includes(only) || file.includes(only),
);
if (chosenSabotages.length === 0)
  throw new ToolError(`No sabotage has "${only}" in its name or file.`);
// Before anything runs, so that the list is fixed in one go.
for (const sabotage of chosenSabotages)
  plantSabotage(readFileSync(join(root, sabotage.file), "utf8"), sabotage);
printConditions(`${chosenSabotages.length} sabotages, ${jobs} at a time`);
const caught = await tryAll(chosenSabotages, jobs);
console.log(`${chosenSabotages.length} sabotages, ${caught} caught`);
process.exit(caught === chosenSabotages.length ? 0 : 1);
