import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createVectors, formatSpecimen, specimenFile, vectorDirectory } from "./vectors.ts";

const vectors = createVectors();

test.each(Object.entries(vectors))("%s equals the output of the code", (name, text) => {
  expect(readFileSync(join(vectorDirectory, name), "utf8")).toBe(text);
});

test("every vector file is generated", () => {
  expect(readdirSync(vectorDirectory).toSorted()).toEqual(Object.keys(vectors).toSorted());
});

test("the specimen at /verify equals the generated evidence of a contract", () => {
  expect(readFileSync(specimenFile, "utf8")).toBe(formatSpecimen(vectors));
});
