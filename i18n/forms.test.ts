import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Locale, locales } from "#core/locales.ts";

/**
 * Every message of a language by key; telephone numbers are written as their country writes them.
 */
function readMessages(locale: Locale): [string, string][] {
  return globSync(join(import.meta.dirname, "*", `${locale}.json`))
    .flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>),
    )
    .filter(([key]) => !/phone|report|country/.test(key));
}

/**
 * Groupings of thousands that are not the language's own. French takes a narrow no-break space,
 * Swedish a no-break one.
 */
const foreignGrouping: Record<Locale, RegExp> = {
  en: /\d[ \u00a0\u202f.]\d{3}(?!\d)/,
  "zh-TW": /\d[ \u00a0\u202f.]\d{3}(?!\d)/,
  cn: /\d[ \u00a0\u202f.]\d{3}(?!\d)/,
  ja: /\d[ \u00a0\u202f.]\d{3}(?!\d)/,
  fr: /\d[ \u00a0.,]\d{3}(?!\d)/,
  it: /\d[ \u00a0\u202f,]\d{3}(?!\d)/,
  de: /\d[ \u00a0\u202f,]\d{3}(?!\d)/,
  sv: /\d[ \u202f.,]\d{3}(?!\d)/,
};

test.each(locales)("%s: numbers in messages are grouped by the language's rules", (locale) => {
  const offences = readMessages(locale).filter(([, text]) => foreignGrouping[locale].test(text));
  expect(offences.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
});

/** Quotes of fraudsters in the examples keep their own tone. */
const quoted =
  /^(safety\.flag\.|lesson\.((tip|payout|loan)\.says|friend\.)|sitting\.(code|romance|admin|number|dinner|index|bicycle)\.text)/;

test("German addresses the reader as Sie", () => {
  const informalAddress =
    /(?<![\p{L}])([Dd]u|[Dd]ein(e|er|en|em|es)?|[Dd]ir|[Dd]ich|[Ww]ähle|[Ll]ade)(?![\p{L}])/u;
  const offences = readMessages("de").filter(
    ([key, text]) => !quoted.test(key) && informalAddress.test(text),
  );
  expect(offences.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
});
