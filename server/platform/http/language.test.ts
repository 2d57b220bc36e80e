import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errors } from "#api/errors.ts";
import { locales } from "#core/locales.ts";
import {
  createMessages,
  getBrowserLanguage,
  getRequestLanguage,
  parseLanguage,
} from "#server/platform/http/language.ts";

const messages = createMessages();
/** Values that the HTTP layer itself puts into a sentence. */
const values: Record<string, Record<string, string | number>> = {
  "request.malformed": { field: "stake" },
  "request.too_many": { retry_after_seconds: 2 },
  "server.failed": { request_id: "r1" },
};

const english = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../i18n/errors/en.json"), "utf8"),
) as Record<string, string>;
/**
 * A value for every placeholder in the sentence of `name`; which values a domain supplies is tested
 * there.
 */
function getValues(name: string): Record<string, string | number> {
  const placeholders = [...(english[name] ?? "").matchAll(/\{\s*(\w+)\s*[,}]/g)].map(
    ([, arg]) => arg,
  );
  return { ...Object.fromEntries(placeholders.map((arg) => [arg, 3])), ...values[name] };
}

describe.each(locales)("in %s", (locale) => {
  test.each(Object.keys(errors))("%s has its own translation", (name) => {
    const text = messages.format(locale, name, getValues(name));
    expect(text).not.toBe(name);
    expect(text).not.toContain("{");
    if (locale !== "en") expect(text).not.toBe(messages.format("en", name, getValues(name)));
    for (const value of Object.values(values[name] ?? {})) expect(text).toContain(String(value));
  });
});

test("an unknown language falls back to English and an unknown key to itself", () => {
  expect(parseLanguage("tlh")).toBe("en");
  expect(parseLanguage("__proto__")).toBe("en");
  expect(parseLanguage(undefined)).toBe("en");
  expect(messages.format("de", "no.such.key")).toBe("no.such.key");
});

test("a request without a language header is answered in the browser's language", () => {
  const browser = { "accept-language": "tlh, de-AT;q=0.9, fr;q=0.8" };
  expect(getRequestLanguage({ ...browser, language: "ja" })).toBe("ja");
  expect(getRequestLanguage({ ...browser, language: "tlh" })).toBe("en");
  expect(getRequestLanguage(browser)).toBe("de");
  expect(getRequestLanguage({})).toBe("en");
  expect(getBrowserLanguage({ "accept-language": `${"x".repeat(200)},de` })).toBe("en");
});
