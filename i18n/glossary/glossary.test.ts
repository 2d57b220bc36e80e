import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Locale, locales } from "#core/locales.ts";

/**
 * One word for one thing: `words` by language, and what is never said for it where English uses the
 * term.
 */
interface Term {
  words: Record<Locale, string>;
  never?: Partial<Record<Locale, string[]>>;
}
const glossary = JSON.parse(
  readFileSync(join(import.meta.dirname, "terms.json"), "utf8"),
) as Record<string, Term>;

/**
 * Texts that a person accepted are stored with their hash and change only with their version. A
 * fraud's own words are quoted as frauds speak.
 */
const apart = /^(terms|safety\.flag)\./;

function catalogue(locale: Locale): Record<string, string> {
  const files = globSync(join(import.meta.dirname, "../*", `${locale}.json`));
  return Object.assign(
    {},
    ...files.map((file) => JSON.parse(readFileSync(file, "utf8"))),
  ) as Record<string, string>;
}
const english = catalogue("en");

/** Keys whose English says the term, in the singular or the plural. */
function keysSaying(term: string): string[] {
  const said = new RegExp(`\\b${term.replace(/y$/, "(?:y|ie)")}(?:e?s)?\\b`, "i");
  return Object.keys(english).filter((key) => !apart.test(key) && said.test(english[key] ?? ""));
}

test("every term has a word in every language", () => {
  for (const [term, { words }] of Object.entries(glossary)) {
    expect(Object.keys(words), term).toEqual(locales);
  }
});

describe.each(locales.filter((locale) => locale !== "en"))("%s", (locale) => {
  const own = catalogue(locale);

  test("the glossary's words are those of the catalogues", () => {
    const all = Object.values(own).join("\n").toLowerCase();
    const dead = Object.values(glossary).map(({ words }) => words[locale]);
    expect(dead.filter((word) => !all.includes(word.toLowerCase()))).toEqual([]);
  });

  test("no other word stands for a term", () => {
    const wrong = Object.entries(glossary).flatMap(([term, { words, never }]) =>
      (never?.[locale] ?? []).flatMap((word) =>
        keysSaying(term)
          .filter((key) => (own[key] ?? "").toLowerCase().includes(word.toLowerCase()))
          .map((key) => `${key} says ${word} for ${words[locale]}: ${own[key]}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});
