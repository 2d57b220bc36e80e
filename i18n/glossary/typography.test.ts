import { expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { readMessages } from "./catalogues.ts";
import { findTypographyProblems } from "./problems.ts";

// Texts of `terms` are stored with their hash and change only with their version.
test.each(locales)("%s follows the typography of its script", (locale) => {
  const offences = Object.entries(readMessages(locale))
    .filter(([key]) => !key.startsWith("practice-terms."))
    .flatMap(([key, message]) =>
      findTypographyProblems(locale, message).map((problem) => `${key}: ${problem}: ${message}`),
    );
  expect(offences).toEqual([]);
});
