import { describe, expect, test } from "vitest";
import { errors } from "#api/errors.ts";
import { createMessages, locales, readLanguage } from "#server/platform/http/language.ts";

const messages = createMessages();
/** What the http layer itself puts into a sentence. */
const values: Record<string, Record<string, string | number>> = {
  "request.malformed": { field: "stake" },
  "request.too_many": { retry_after_seconds: 2 },
  "server.failed": { request_id: "r1" },
};

describe.each(locales)("in %s", (locale) => {
  test.each(Object.keys(errors))("%s has a sentence of its own", (name) => {
    const text = messages.say(locale, name, values[name] ?? {});
    expect(text).not.toBe(name);
    expect(text).not.toContain("{");
    if (locale !== "en") expect(text).not.toBe(messages.say("en", name, values[name] ?? {}));
    for (const value of Object.values(values[name] ?? {})) expect(text).toContain(String(value));
  });
});

test("an unknown language is English, an unknown key is itself", () => {
  expect(readLanguage("tlh")).toBe("en");
  expect(readLanguage("__proto__")).toBe("en");
  expect(readLanguage(undefined)).toBe("en");
  expect(messages.say("de", "no.such.key")).toBe("no.such.key");
});
