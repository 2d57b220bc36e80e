import { describe, expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { glossaryOf, messagesOf } from "./catalogues.ts";

/**
 * Texts that a person accepted are stored with their hash and change only with their version. A
 * fraud's own words are quoted as frauds speak.
 */
const apart = /^(terms|safety\.flag)\./;

const english = messagesOf("en");
const terms = glossaryOf("en").terms;

/** Keys whose English says the term, in the singular or the plural. */
function keysSaying(term: string): string[] {
  const said = new RegExp(`\\b${term.replace(/y$/, "(?:y|ie)")}(?:e?s)?\\b`, "i");
  return Object.keys(english).filter((key) => !apart.test(key) && said.test(english[key] ?? ""));
}

/** Letters before and after a Latin word make it another word; CJK has no such borders. */
function says(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![a-zà-öø-ÿ])${escaped}(?![a-zà-öø-ÿ])`, "i").test(text);
}

describe.each(locales)("%s", (locale) => {
  const own = messagesOf(locale);
  const glossary = glossaryOf(locale);

  test("the glossary has a word for every term, and the catalogues say it", () => {
    expect(Object.keys(glossary.terms)).toEqual(Object.keys(terms));
    const all = Object.values(own).join("\n").toLowerCase();
    const unsaid = Object.values(glossary.terms).filter(
      ({ word }) => !all.includes(word.toLowerCase()),
    );
    expect(unsaid).toEqual([]);
  });

  test("no other word stands for a term", () => {
    const wrong = Object.entries(glossary.terms).flatMap(([term, { word, never = [] }]) =>
      never.flatMap((other) =>
        keysSaying(term)
          .filter((key) => (own[key] ?? "").toLowerCase().includes(other.toLowerCase()))
          .map((key) => `${key} says ${other} for ${word}: ${own[key]}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("what is never said is not said", () => {
    const wrong = Object.entries(glossary.never).flatMap(([word, reason]) =>
      Object.entries(own)
        .filter(([key, text]) => !apart.test(key) && says(text, word))
        .map(([key, text]) => `${key} says ${word} (${reason}): ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test("one English text has one translation, unless the glossary says why not", () => {
    const keys = Map.groupBy(Object.keys(english), (key) => english[key] ?? "");
    const several = [...keys]
      .map(([text, same]) => [text, [...new Set(same.map((key) => own[key] ?? ""))]] as const)
      .filter(([, translations]) => translations.length > 1);
    expect(several.filter(([text]) => !(text in glossary.sameEnglish))).toEqual([]);
    const needless = Object.keys(glossary.sameEnglish).filter(
      (text) => !several.some(([one]) => one === text),
    );
    expect(needless).toEqual([]);
  });
});
