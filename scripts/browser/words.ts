import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The sentence that the app shows for a key. */
export type Say = (key: string, values?: Record<string, string>) => string;

/** Reads the catalogue of `locale`, so that a walk through the pages finds its buttons in any language. */
export function wordsOf(locale: string): Say {
  const files = globSync(join(root, "i18n", locale, "*.json"));
  if (files.length === 0) throw new Error(`i18n/${locale} has no catalogue`);
  const words: Record<string, string> = {};
  for (const file of files) Object.assign(words, JSON.parse(readFileSync(file, "utf8")));
  return (key, values = {}) => {
    const text = words[key];
    if (text === undefined) throw new Error(`i18n/${locale} has no ${key}`);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  };
}

/** The paths of every screen, in the order of web/app/routes.tsx. */
export function screenPaths(): string[] {
  const text = readFileSync(join(root, "web/app/routes.tsx"), "utf8");
  return [...text.matchAll(/path: "([^"]+)"/g)].map((match) => match[1] as string);
}
