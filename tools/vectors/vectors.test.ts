import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeVectors, vectorDirectory } from "./vectors.ts";

const made = makeVectors();

test.each(Object.entries(made))("%s is what the code makes", (name, text) => {
  expect(readFileSync(join(vectorDirectory, name), "utf8")).toBe(text);
});

test("no vector file is left over", () => {
  expect(readdirSync(vectorDirectory).toSorted()).toEqual(Object.keys(made).toSorted());
});
