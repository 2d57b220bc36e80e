import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { permissionNames } from "#core/operator/permissions.ts";
import { findSyntaxProblems } from "./glossary/problems.ts";

const root = join(import.meta.dirname, "..");
const domains = globSync(join(root, "i18n/*/en.json")).map((file) => basename(dirname(file)));

function catalogue(locale: string, domain: string): Record<string, string> {
  return JSON.parse(readFileSync(join(root, "i18n", domain, `${locale}.json`), "utf8")) as Record<
    string,
    string
  >;
}

/** English texts that are the same in some other language: names and field terms. */
const sameAllowed = new Set<string>(
  JSON.parse(readFileSync(join(import.meta.dirname, "same-words.json"), "utf8")) as string[],
);

function looksCopied(english: string, other: string): boolean {
  if (english !== other || sameAllowed.has(english)) return false;
  // Arguments, marks, codes and numbers are the same in every language.
  const words = english.replace(/\{[^{}]*\}|<[^>]+>/g, "").replace(/\bp?[A-Z][A-Z0-9]{2,}\b/g, "");
  return /\p{L}{3,}/u.test(words);
}

test("each key is in one catalogue only", () => {
  const keys = domains.flatMap((domain) => Object.keys(catalogue("en", domain)));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

describe.each(locales.filter((locale) => locale !== "en"))("%s", (locale) => {
  test("every catalogue exists", () => {
    const files = globSync(join(root, `i18n/*/${locale}.json`)).map((file) =>
      basename(dirname(file)),
    );
    expect(files.sort()).toEqual([...domains].sort());
  });

  test.each(domains)("%s has every key, the same arguments and its own words", (domain) => {
    const english = catalogue("en", domain);
    const messages = catalogue(locale, domain);
    expect(Object.keys(messages).sort()).toEqual(Object.keys(english).sort());
    const offences = Object.entries(messages).flatMap(([key, text]) => {
      const source = english[key] ?? "";
      const problems = findSyntaxProblems(source, text).map((problem) => `${key} ${problem}`);
      if (problems.length > 0) return problems;
      return looksCopied(source, text) ? [`${key} is not translated: ${text}`] : [];
    });
    expect(offences).toEqual([]);
  });
});

test.each(domains)("%s: every key starts with the name of its folder", (domain) => {
  const prefix = `${domain}.`;
  if (domain === "errors") return;
  expect(Object.keys(catalogue("en", domain)).filter((key) => !key.startsWith(prefix))).toEqual([]);
});

/**
 * Keys as string literals in the web's sources. A key composed of parts is also written in full
 * where its parts are listed.
 */
test("every key used by a screen exists", () => {
  // Permission names look like keys but are not.
  const knownKeys = new Set<string>([
    ...permissionNames,
    ...domains.flatMap((domain) => Object.keys(catalogue("en", domain))),
  ]);
  const prefixes = domains;
  const files = ["web", "ui", "operator"].flatMap((folder) =>
    globSync(join(root, folder, "**/*.{ts,tsx}")),
  );
  const missingKeys = files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/"([a-z_-]+)\.([a-zA-Z0-9_]+(?:\.[a-zA-Z0-9_]+)*)"/g)]
        .filter(([, prefix]) => prefixes.includes(prefix as string))
        .map(([literal]) => literal.slice(1, -1))
        .filter((key) => !knownKeys.has(key) && !/\.(json|ts|tsx|js|css)$/.test(key))
        .map((key) => `${file.slice(root.length + 1)}: ${key}`),
    );
  expect(files.length).toBeGreaterThan(50);
  expect(missingKeys).toEqual([]);
});
