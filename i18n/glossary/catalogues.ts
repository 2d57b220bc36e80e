import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "#core/locales.ts";

/** The words of one language: see README.md. */
export interface Glossary {
  terms: Record<string, { word: string; never?: string[] }>;
  never: Record<string, string>;
  sameEnglish: Record<string, string>;
}

export function readGlossary(locale: Locale): Glossary {
  const text = readFileSync(join(import.meta.dirname, "terms", `${locale}.json`), "utf8");
  return JSON.parse(text) as Glossary;
}

/** All messages of a language by their keys. */
export function readMessages(locale: Locale): Record<string, string> {
  const files = globSync(join(import.meta.dirname, "../*", `${locale}.json`));
  return Object.assign(
    {},
    ...files.map((file) => JSON.parse(readFileSync(file, "utf8"))),
  ) as Record<string, string>;
}
