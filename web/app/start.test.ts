import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { locales } from "#core/locales.ts";

const root = join(import.meta.dirname, "../..");
const source = readFileSync(join(root, "web/public/start.js"), "utf8");
const page = { getElementById: () => null, querySelector: () => null };

test("the reload offer has the app's text in every language", () => {
  const words: unknown = runInNewContext(`${source}\nwords`, { document: page });
  const expected = locales.map((locale) => {
    const app = JSON.parse(readFileSync(join(root, `i18n/app/${locale}.json`), "utf8"));
    return [locale, [app["app.chunk.title"], app["app.chunk.text"], app["app.reload"]]];
  });
  expect(JSON.parse(JSON.stringify(words))).toEqual(Object.fromEntries(expected));
});

test.each(["web", "operator"])("the page of %s loads start.js", (folder) => {
  expect(readFileSync(join(root, folder, "index.html"), "utf8")).toContain(
    '<script async src="/start.js"',
  );
});
