import { describe, expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { readGlossary, readMessages } from "./catalogues.ts";
import notes from "./notes.json" with { type: "json" };
import { findWordProblems } from "./problems.ts";

/**
 * Accepted texts are stored with their hash and change only with their version. Quotes of
 * fraudsters keep their own words.
 */
const exemptKeys = /^(terms|safety\.flag)\./;

const english = readMessages("en");
const terms = readGlossary("en").terms;

describe.each(locales)("%s", (locale) => {
  const messages = readMessages(locale);
  const glossary = readGlossary(locale);

  test("the glossary has a word for every term, and the catalogues use it", () => {
    expect(Object.keys(glossary.terms)).toEqual(Object.keys(terms));
    const all = Object.values(messages).join("\n").toLowerCase();
    const unusedTerms = Object.values(glossary.terms).filter(
      ({ word }) => !all.includes(word.toLowerCase()),
    );
    expect(unusedTerms).toEqual([]);
  });

  test("no message uses a word that the glossary excludes", () => {
    const offences = Object.entries(messages)
      .filter(([key]) => !exemptKeys.test(key))
      .flatMap(([key, text]) =>
        findWordProblems(glossary, english[key] ?? "", text).map(
          (problem) => `${key} ${problem}: ${text}`,
        ),
      );
    expect(offences).toEqual([]);
  });

  test("one English text has one translation, except where the glossary lists a reason", () => {
    const keys = Map.groupBy(Object.keys(english), (key) => english[key] ?? "");
    const repeatedTexts = [...keys]
      .map(
        ([text, sameKeys]) =>
          [text, [...new Set(sameKeys.map((key) => messages[key] ?? ""))]] as const,
      )
      .filter(([, translations]) => translations.length > 1);
    expect(repeatedTexts.filter(([text]) => !(text in glossary.sameEnglish))).toEqual([]);
    const needless = Object.keys(glossary.sameEnglish).filter(
      (text) => !repeatedTexts.some(([key]) => key === text),
    );
    expect(needless).toEqual([]);
  });
});

test("every translator's note belongs to a message", () => {
  expect(Object.keys(notes).filter((key) => !(key in english))).toEqual([]);
});
