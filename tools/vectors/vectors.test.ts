import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeVectors, specimenFile, specimenOf, vectorDirectory } from "./vectors.ts";

const made = makeVectors();

test.each(Object.entries(made))("%s is what the code makes", (name, text) => {
  expect(readFileSync(join(vectorDirectory, name), "utf8")).toBe(text);
});

test("no vector file is left over", () => {
  expect(readdirSync(vectorDirectory).toSorted()).toEqual(Object.keys(made).toSorted());
});

test("the specimen at /verify is the evidence of a contract, as the code makes it", () => {
  expect(readFileSync(specimenFile, "utf8")).toBe(specimenOf(made));
});
