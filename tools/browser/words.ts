import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { screens } from "#core/screens/screens.ts";
import { localeTags } from "#i18n/locales.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the app's message for a key. */
export type Translate = (key: string, values?: Record<string, string>) => string;

/** Every language that has a catalogue. */
export function listLocales(): string[] {
  return globSync(join(root, "i18n/app/*.json")).map((file) => basename(file, ".json"));
}

/** The BCP 47 tag of a document in each language. */
export const documentLanguages: Readonly<Record<string, string>> = localeTags;

/** Every message of `locale` by its key. */
function readMessages(locale: string): Record<string, string> {
  const files = globSync(join(root, "i18n/*", `${locale}.json`));
  if (files.length === 0) throw new Error(`i18n has no ${locale} catalogue`);
  const words: Record<string, string> = {};
  for (const file of files) Object.assign(words, JSON.parse(readFileSync(file, "utf8")));
  return words;
}

/**
 * Texts that reveal a missing translation on a page in `locale`: keys, and English-only sentences.
 */
export function findForeignWords(locale: string): string[] {
  const english = readMessages("en");
  if (locale === "en") return Object.keys(english);
  const ownTexts = new Set(Object.values(readMessages(locale)));
  const plainTexts = Object.values(english).filter((text) => text.length > 3 && !/[{<]/.test(text));
  return [...Object.keys(english), ...plainTexts.filter((text) => !ownTexts.has(text))];
}

/**
 * Reads the catalogue of `locale`, so that a walk through the pages finds its buttons in any
 * language.
 */
export function loadTranslate(locale: string): Translate {
  const words = readMessages(locale);
  return (key, values = {}) => {
    const text = words[key];
    if (text === undefined) throw new Error(`i18n has no ${key} in ${locale}`);
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  };
}

/** The paths of every screen. */
export function listScreenPaths(): string[] {
  return screens.map(({ path }) => path);
}

/** The path of every part of Help: its views, and one for each red flag and each article. */
export function listHelpPaths(): string[] {
  const readText = (path: string) => readFileSync(join(root, "web/screens/help", path), "utf8");
  const views = /viewNames = \[([^\]]+)\]/.exec(readText("views.ts"))?.[1] ?? "";
  const viewPaths = [...views.matchAll(/"([^"]+)"/g)].map(([, name]) => `/help?view=${name}`);
  const idsIn = (path: string) =>
    [...readText(path).matchAll(/\bid: "([^"]+)"/g)].map(([, id]) => id);
  return [
    ...viewPaths.filter((path) => !path.endsWith("=article")),
    ...idsIn("thief/scenes.ts").map((id) => `/help?view=thief&scene=${id}`),
    ...idsIn("flags/flags.ts").map((id) => `/help?view=red-flags&flag=${id}`),
    ...idsIn("articles/articles.ts").map((id) => `/help?view=article&article=${id}`),
  ];
}
