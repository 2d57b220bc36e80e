import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isLiteralElement, parse } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const listId = "virtual:catalogues";
const prefix = "virtual:messages/";
/** Catalogues that only the server reads. */
const serverOnly = new Set(["archive", "errors", "practice-terms"]);
/** Catalogues that only the console uses; the phone app has none of their messages. */
const consoleOnly = new Set([
  "audit",
  "classes",
  "console",
  "debrief",
  "lesson-plan",
  "people",
  "publishing",
]);
/**
 * Messages of the frame and the first screen: one chunk. Every other domain is a chunk that loads
 * with its screens.
 */
export const initialNamespaces: readonly string[] = ["app", "home", "session", "ui"];

/** The chunks of a language: `shell` and every other domain the browser uses. */
export function listNamespaces(root: string): string[] {
  const domains = globSync(join(root, "*/en.json")).map((file) => basename(dirname(file)));
  const browserDomains = domains.filter(
    (name) => !serverOnly.has(name) && !consoleOnly.has(name) && !initialNamespaces.includes(name),
  );
  return ["shell", ...browserDomains.sort()];
}

/** Messages around a text in the console's preview, in any language. */
const previewNamespaces = ["help", "leave-site", "posts", "notices"];
/**
 * Messages for a person's pages as an operator with their code sees them
 * (operator/people/ViewingPage.tsx).
 */
const viewingNamespaces = ["contracts", "hosting", "mining", "records", "withdraw"];

/**
 * The chunks of a language in the console: those its page list names, and those of what it shares
 * with the phone app.
 */
export function consoleParts(root: string): string[] {
  const pages = readFileSync(join(root, "../operator/app/pages.ts"), "utf8");
  const namespaces = [...pages.matchAll(/\),\s*\[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([\w-]+)"/g)].map((match) => match[1] as string),
  );
  return [
    "shell",
    ...new Set([
      "audit",
      "console",
      "permissions",
      "sign-in",
      ...previewNamespaces,
      ...viewingNamespaces,
      ...namespaces,
    ]),
  ];
}

/**
 * All messages of one part, compiled so that the parser stays out of the bundle. Throws with the
 * key of an invalid message.
 */
function compilePart(root: string, locale: string, part: string): Record<string, unknown> {
  const compiled: Record<string, unknown> = {};
  for (const file of listFiles(root, locale, part)) {
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
  } catch (error) {
    throw new Error(`message ${key} is not valid ICU: ${text}`, { cause: error });
  }
}

/**
 * Skips a domain that a language does not have yet; `i18n/complete.test.ts` enforces completeness.
 */
function listFiles(root: string, locale: string, part: string): string[] {
  const domains = part === "shell" ? initialNamespaces : [part];
  return domains.flatMap((domain) => globSync(join(root, domain, `${locale}.json`)));
}

/**
 * Vite plugin. `virtual:catalogues` lists how to load each language's `shell`; each `shell` lists
 * how to load the other parts of its language, so that no client downloads the file names of the
 * other seven. `root` is the `i18n` folder.
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
      for (const file of listFiles(root, locale, part)) this.addWatchFile(file);
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
