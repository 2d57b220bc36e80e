import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { computeGrade, countSyllables, splitSentences } from "./grade.ts";
import { toReadableTexts } from "./problems.ts";

const gradeMax = 6;

describe("the reading grade", () => {
  test.each([
    ["stake", 1],
    ["table", 2],
    ["settled", 2],
    ["payout", 2],
    ["withdrawal", 3],
    ["operator", 4],
  ])("%s has %i syllables", (word, syllables) => {
    expect(countSyllables(word)).toBe(syllables);
  });

  test("is computed over sentences, not labels", () => {
    expect(splitSentences("Break-even")).toEqual([]);
    expect(splitSentences("You can’t cancel. It takes 1.5 s. Sure?")).toHaveLength(3);
  });

  test("grows with long words and long sentences", () => {
    expect(computeGrade(["You can stop at any time."])).toBeLessThan(3);
    const long =
      "Notwithstanding any prior authorisation, the counterparty’s irrevocable commitment remains enforceable.";
    expect(computeGrade([long])).toBeGreaterThan(15);
  });
});

const catalogues = globSync(join(import.meta.dirname, "../*/en.json")).map((file) => {
  const texts = Object.values(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
  const sentences = texts.flatMap(toReadableTexts).flatMap(splitSentences);
  return { name: basename(dirname(file)), sentences };
});
const graded = catalogues.filter(({ sentences }) => sentences.length > 0);

test("nearly every catalogue has sentences", () => {
  expect(graded.length).toBeGreaterThan(0.8 * catalogues.length);
});

test.each(graded)("$name reads at grade 6 or below", ({ sentences }) => {
  expect(computeGrade(sentences)).toBeLessThanOrEqual(gradeMax);
});
