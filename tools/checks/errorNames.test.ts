import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const files = globSync(
  "{api,build,core,e2e,operator,seed,server,tools,ui,verify,web}/**/*.{ts,tsx}",
  { cwd: root },
);

/**
 * Error classes whose `name` is that of another class, which would mislead readers of logs and
 * stacks.
 */
function findMisnamed(source: string): string[] {
  const classes = source.split(/^(?=(?:export )?class )/m);
  return classes.flatMap((text) => {
    const declared = /^(?:export )?class (\w+) extends \w*Error\b/.exec(text)?.[1];
    const name = /^ {4}this\.name = "(\w+)"/m.exec(text)?.[1];
    return declared && name && declared !== name ? [`${declared} as ${name}`] : [];
  });
}

test.each([
  ['class AError extends Error {\n  constructor() {\n    this.name = "AError";', []],
  ['class AError extends Error {\n  constructor() {\n    this.name = "B";', ["AError as B"]],
  ['class A {}\nexport class BError extends AError {\n    this.name = "C";', ["BError as C"]],
  ['class A {\n  constructor(name: string) {\n    this.name = "B";', []],
])("%j", (source, expected) => {
  expect(findMisnamed(source)).toEqual(expected);
});

test("an error's name is the name of its class", () => {
  const misnamedClasses = files.flatMap((file) =>
    findMisnamed(readFileSync(join(root, file), "utf8")).map(
      (className) => `${file}: ${className}`,
    ),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(misnamedClasses).toEqual([]);
});
