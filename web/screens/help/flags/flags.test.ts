import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { helplines, sortByDistance } from "#web/features/binary-warning/gamblingHelp.ts";
import { rulings } from "#web/features/binary-warning/rulings.ts";
import { parseTarget } from "#web/features/leave-site/parseTarget.ts";
import { articles, paragraphNames } from "#web/screens/help/articles/articles.ts";
import { reports } from "#web/screens/help/caught/reports.ts";
import { promiseNumbers } from "#web/screens/help/views.ts";
import { flags } from "./flags.ts";

const root = join(import.meta.dirname, "../../../..");
const readText = (path: string) => readFileSync(join(root, path), "utf8");
const words = (locale: string, domain: string) =>
  JSON.parse(readText(`i18n/${domain}/${locale}.json`)) as Record<string, string>;

const parts = ["title", "looks", "s1", "s2", "s3", "why"];
const dated = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

test("there are at least twelve distinct red flags", () => {
  expect(flags.length).toBeGreaterThanOrEqual(12);
  expect(new Set(flags.map(({ id }) => id)).size).toBe(flags.length);
});

describe.each(locales)("texts in %s", (locale) => {
  test.each(flags.map(({ id }) => id))("the flag %s has all its texts", (id) => {
    const safety = words(locale, "safety");
    const missingParts = parts.filter((part) => !safety[`safety.flag.${id}.${part}`]?.trim());
    expect(missingParts).toEqual([]);
  });

  test("rulings, reports, articles and checks have their texts", () => {
    const all = {
      ...words(locale, "safety"),
      ...words(locale, "binary-warning"),
      ...words(locale, "help"),
    };
    const keys = [
      ...rulings.map(({ id }) => `binary-warning.ruling.${id}`),
      ...reports.map(({ kind }) => `safety.report.${kind}`),
      ...articles.flatMap(({ id }) =>
        ["title", ...paragraphNames].map((part) => `help.article.${id}.${part}`),
      ),
      ...promiseNumbers.flatMap((number) => [
        `help.promise.${number}`,
        `help.check.${number}.what`,
      ]),
    ];
    expect(keys.filter((key) => !all[key]?.trim())).toEqual([]);
  });

  test("the nearest place to report and helpline are those of the reader's country", () => {
    expect(sortByDistance(reports, locale).near.length).toBeGreaterThan(0);
    expect(sortByDistance(helplines, locale).near.length).toBeGreaterThan(0);
  });
});

test.each([
  ...flags.map(({ id, source }) => ({ name: `the flag ${id}`, ...source })),
  ...rulings.map((ruling) => ({ name: `the ruling ${ruling.id}`, ...ruling })),
])("$name has a source with authority, title, date and address, listed in docs/sources.md", ({
  authority,
  title,
  date,
  url,
}) => {
  expect(authority.trim()).not.toBe("");
  expect(title.trim()).not.toBe("");
  expect(date).toMatch(dated);
  expect(parseTarget(url)).not.toBeNull();
  expect(readText("docs/sources.md")).toContain(title);
});

test.each([...reports, ...helplines])("$name has an address or phone number that opens", ({
  phone,
  url,
}) => {
  const addresses = [url, phone === undefined ? undefined : `tel:${encodeURIComponent(phone)}`];
  const defined = addresses.filter((address) => address !== undefined);
  expect(defined.length).toBeGreaterThan(0);
  expect(defined.filter((address) => parseTarget(address) === null)).toEqual([]);
});

test("every flag refers to a promise that can be checked", () => {
  const knownNumbers = new Set<number>(promiseNumbers);
  expect(flags.filter(({ promise }) => !knownNumbers.has(promise))).toEqual([]);
  expect(existsSync(join(root, "web/screens/help/promises/checks/run.ts"))).toBe(true);
});
