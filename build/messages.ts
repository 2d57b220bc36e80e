import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isLiteralElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const listId = "virtual:catalogues";
const prefix = "virtual:messages/";
/** Catalogues that only the server reads. */
const serverOnly = new Set(["errors", "server", "terms"]);
/** Catalogues of the console alone: the phone app has none of its words. */
const consoleOnly = new Set(["acts", "classes", "console", "person", "publishing"]);
/**
 * What the frame and the first screen say: one chunk. Every other domain is a chunk that comes with
 * its screens.
 */
export const initialNamespaces: readonly string[] = ["app", "home", "session", "ui"];

/** The parts of a language: `shell` and each other domain of the browser. */
export function partsOf(root: string): string[] {
  const domains = globSync(join(root, "*/en.json")).map((file) => basename(dirname(file)));
  const own = domains.filter(
    (name) => !serverOnly.has(name) && !consoleOnly.has(name) && !initialNamespaces.includes(name),
  );
  return ["shell", ...own.sort()];
}

/** What stands around a text in the console's preview, in any language. */
const previewed = ["help", "leave", "news", "notice"];
/**
 * The words of what a person has, for whoever sees it with their code
 * (operator/people/ViewingPage.tsx).
 */
const viewed = ["contracts", "hosting", "mining", "records", "withdraw"];

/**
 * The parts of a language in the console: what its list of pages names, and the words of what it
 * shares with the phone app.
 */
export function consoleParts(root: string): string[] {
  const pages = readFileSync(join(root, "../operator/app/pages.ts"), "utf8");
  const named = [...pages.matchAll(/\),\s*\[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"(\w+)"/g)].map((match) => match[1] as string),
  );
  return [
    "shell",
    ...new Set(["acts", "console", "powers", "signin", ...previewed, ...viewed, ...named]),
  ];
}

/**
 * Every message of one part, compiled: the parser stays out of the bundle. Throws with the key of a
 * broken message.
 */
function compilePart(root: string, locale: string, part: string): Record<string, unknown> {
  const compiled: Record<string, unknown> = {};
  for (const file of filesOf(root, locale, part)) {
    const messages = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    for (const [key, text] of Object.entries(messages)) compiled[key] = compile(key, text);
  }
  return compiled;
}

function compile(key: string, text: string): unknown {
  try {
    const elements = parse(text);
    const only = elements[0];
    return elements.length === 1 && only && isLiteralElement(only) ? only.value : elements;
  } catch (cause) {
    throw new Error(`message ${key} is not valid ICU: ${text}`, { cause });
  }
}

/**
 * A domain that a language does not have yet is left out; `i18n/complete.test.ts` is what insists
 * on it.
 */
function filesOf(root: string, locale: string, part: string): string[] {
  const domains = part === "shell" ? initialNamespaces : [part];
  return domains.flatMap((domain) => globSync(join(root, domain, `${locale}.json`)));
}

/**
 * Vite plugin: `virtual:catalogues` lists, by language, how to load its `shell`, and each `shell`
 * how to load the other parts of its language: nobody needs to know where those of seven other
 * languages lie. `root` is the `i18n` folder.
 */
export function messages(
  root: string,
  locales: readonly string[],
  parts: (root: string) => string[],
): Plugin {
  return {
    name: "drydock-messages",
    resolveId: (id) => (id === listId || id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${listId}`) return listModule(locales);
      if (!id.startsWith(`\0${prefix}`)) return null;
      const [locale = "", part = ""] = id.slice(prefix.length + 1).split("/");
      for (const file of filesOf(root, locale, part)) this.addWatchFile(file);
      const json = JSON.stringify(compilePart(root, locale, part));
      const catalogue = `export default JSON.parse(${JSON.stringify(json)});`;
      return part === "shell" ? `${catalogue}\n${partList(locale, parts(root))}` : catalogue;
    },
  };
}

function listModule(locales: readonly string[]): string {
  const shells = locales.map((locale) => `"${locale}":()=>import("${prefix}${locale}/shell")`);
  return `export default {${shells.join(",")}};`;
}

function partList(locale: string, parts: readonly string[]): string {
  const others = parts.filter((part) => part !== "shell");
  const loaders = others.map((part) => `"${part}":()=>import("${prefix}${locale}/${part}")`);
  return `export const parts = {${loaders.join(",")}};`;
}
