import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/decisions");
const records = globSync(join(folder, "[0-9]*.md"))
  .map((file) => basename(file))
  .toSorted();
const index = readFileSync(join(folder, "README.md"), "utf8");

test("the index lists exactly the decision records with their titles", () => {
  const indexRows = [...index.matchAll(/^\| (\d{3}) \| \[(.+)\]\((.+)\) \|/gm)].map(
    ([, number, title, file]) => [file, `# ${number} ${title}`],
  );
  const recordRows = records.map((file) => [
    file,
    readFileSync(join(folder, file), "utf8").split("\n")[0],
  ]);
  expect(indexRows).toEqual(recordRows);
});

test("every cited decision exists", () => {
  const numbers = new Set(records.map((file) => file.slice(0, 3)));
  const referencedFiles = globSync(
    "{api,core,docs,i18n,operator,seed,server,tools,ui,verify,web}/**/*.{ts,tsx,md,css,sql}",
    {
      cwd: root,
    },
  ).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/[Dd]ecisions?[ /](\d{3})\b/g)].map(
      ([, number = ""]) => ({ file, number }),
    ),
  );
  expect(referencedFiles.length).toBeGreaterThan(5);
  expect(referencedFiles.filter(({ number }) => !numbers.has(number))).toEqual([]);
});
