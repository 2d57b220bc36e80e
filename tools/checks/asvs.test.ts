import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The table of docs/security/asvs.md names only evidence that exists. */
const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/security/asvs.md"), "utf8");

/** The levels of each section's requirements, in order: those of ASVS 5.0.0. */
const levels: Readonly<Record<string, string>> = {
  "1.1": "22",
  "1.2": "1111122223",
  "1.3": "112222222223",
  "1.4": "222",
  "1.5": "123",
  "2.1": "122",
  "2.2": "112",
  "2.3": "12223",
  "2.4": "23",
  "3.1": "3",
  "3.2": "113",
  "3.3": "12223",
  "3.4": "11222233",
  "3.5": "11122333",
  "3.6": "3",
  "3.7": "22333",
  "4.1": "12233",
  "4.2": "23333",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112333",
  "5.3": "113",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "8.1": "1233",
  "8.2": "1123",
  "8.3": "133",
  "8.4": "23",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "2233",
  "11.2": "22233",
  "11.3": "11233",
  "11.4": "1222",
  "11.5": "23",
  "11.6": "23",
  "11.7": "33",
  "12.1": "12233",
  "12.2": "11",
  "12.3": "22223",
  "13.1": "2333",
  "13.2": "222223",
  "13.3": "2233",
  "13.4": "1222233",
  "14.1": "22",
  "14.2": "12223333",
  "14.3": "122",
  "15.1": "12233",
  "15.2": "12233",
  "15.3": "1222222",
  "15.4": "3333",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "2223",
  "17.1": "23",
  "17.2": "22223333",
  "17.3": "22",
};

interface Row {
  id: string;
  level: string;
  result: string;
  evidence: string;
}

const form = /^\| (\d+\.\d+\.\d+) \| ([123]) \| ([^|]+) \| (pass|n\/a|\*\*fail\*\*) \| ([^|]+) \|$/;
const rows: Row[] = text
  .split("\n")
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line) => {
    const [, id = "", level = "", , result = "", evidence = ""] = form.exec(line) ?? [];
    if (id === "") throw new Error(`not a row: ${line}`);
    return { id, level, result: result.replaceAll("*", ""), evidence };
  });

/** File names of the repository in backticks. */
function filesIn(evidence: string): string[] {
  return [...evidence.matchAll(/`([^`\s]+)`/g)]
    .map(([, name = ""]) => name)
    .filter(
      (name) =>
        !name.startsWith("/") && (/\.(ts|tsx|md|json|yml)$/.test(name) || name === ".npmrc"),
    );
}

test("every requirement of levels 1 and 2 is listed once with its level", () => {
  const requirements = Object.entries(levels).flatMap(([section, digits]) =>
    Array.from(digits, (level, index) => ({ id: `${section}.${index + 1}`, level })),
  );
  expect(requirements).toHaveLength(345);
  const levelOf = new Map(requirements.map(({ id, level }) => [id, level]));
  expect(rows.filter(({ id, level }) => levelOf.get(id) !== level)).toEqual([]);
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const missingRequirements = requirements.filter(
    ({ id, level }) => level !== "3" && !ids.includes(id),
  );
  expect(missingRequirements).toEqual([]);
});

test("a pass cites evidence, and every cited file exists", () => {
  const rowsWithoutEvidence = rows.filter(
    ({ result, evidence }) => result === "pass" && !filesIn(evidence).length,
  );
  expect(rowsWithoutEvidence).toEqual([]);
  const evidenceFiles = rows.flatMap(({ id, evidence }) =>
    filesIn(evidence).map((file) => ({ id, file })),
  );
  expect(evidenceFiles.length).toBeGreaterThan(200);
  expect(evidenceFiles.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test("a cited probe is in the file cited with it", () => {
  const offences = rows.flatMap(({ id, evidence }) => {
    const code = filesIn(evidence)
      .filter((file) => file.startsWith("tools/probes/"))
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n");
    const probes = /\bprobes? ((?:[a-z]+(?:-[a-z]+)+(?:, | and )?)+)/.exec(evidence)?.[1] ?? "";
    const names = probes.split(/, | and /).filter(Boolean);
    return names.filter((name) => !code.includes(`name: "${name}"`)).map((name) => `${id} ${name}`);
  });
  expect(offences).toEqual([]);
});

test("a failed requirement states what is missing", () => {
  const failedRows = rows.filter(({ result }) => result === "fail");
  expect(
    failedRows.filter(
      ({ evidence }) => !/would take|^as \d/.test(evidence) && evidence.length < 60,
    ),
  ).toEqual([]);
});

test.each(["1", "2", "3"])("the totals of level %s match the rows", (level) => {
  const levelRows = rows.filter((row) => row.level === level);
  const count = (result: string) => levelRows.filter((row) => row.result === result).length;
  const [pass, fail, notApplicable] = [count("pass"), count("fail"), count("n/a")];
  const line = text
    .split("\n")
    .find((line) => line.startsWith(`| ${level} |`) || line.startsWith(`| ${level} (`));
  const figures = line
    ?.split(" | ")
    .slice(1)
    .map((cell) => Number.parseInt(cell, 10));
  expect(figures).toEqual([pass, pass + fail, fail, notApplicable, levelRows.length]);
});
