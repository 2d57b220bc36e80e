import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sabotages } from "../sabotage/list.ts";
import { plantSabotage } from "../sabotage/plant.ts";

/**
 * `npm run trial -- sabotage` takes long; this test shows immediately whether its list still fits
 * the code.
 */
const root = join(import.meta.dirname, "../..");

test("there are at least 44 sabotages with unique names", () => {
  expect(sabotages.length).toBeGreaterThanOrEqual(44);
  expect(new Set(sabotages.map(({ name }) => name)).size).toBe(sabotages.length);
});

test.each(
  sabotages.map((sabotage) => [sabotage.name, sabotage] as const),
)("%s: its text occurs once and its tests exist", (_name, sabotage) => {
  const text = readFileSync(join(root, sabotage.file), "utf8");
  expect(plantSabotage(text, sabotage)).not.toBe(text);
  expect(sabotage.tests.length).toBeGreaterThan(0);
  expect(sabotage.tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("a text that is missing or repeated is reported with a sentence", () => {
  const item = { name: "x", file: "x.ts", find: "a", replace: "b", tests: [] };
  expect(plantSabotage("-a-", item)).toBe("-b-");
  expect(() => plantSabotage("-", item)).toThrow("finds it 0 times: the code moved");
  expect(() => plantSabotage("aa", item)).toThrow("finds it 2 times: the code moved");
});
