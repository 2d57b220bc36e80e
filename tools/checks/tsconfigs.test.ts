import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const configs = globSync("tsconfig.*.json", { cwd: root })
  .filter((name) => name !== "tsconfig.base.json")
  .toSorted();
const scripts: Record<string, string> = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).scripts;

/** Files checked by a configuration: those it includes and those they import. */
function listCheckedFiles(config: string): string[] {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const output = execFileSync(process.execPath, [compiler, "-p", config, "--listFilesOnly"], {
    cwd: root,
    encoding: "utf8",
  });
  return output.split("\n").map((file) => relative(root, file.trim()).replaceAll("\\", "/"));
}

// The compiler reads all files once per configuration.
test("every source file is type-checked, including tests and the service worker", {
  timeout: 120_000,
}, () => {
  const checkedFiles = new Set(configs.flatMap(listCheckedFiles));
  const files = globSync("**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["node_modules", "dist", ".*"],
  }).map((file) => file.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => !checkedFiles.has(file))).toEqual([]);
});

test.each(configs)("`npm run check` runs the compiler with %s", (config) => {
  expect(scripts.check).toContain(`tsc -p ${config}`);
});
