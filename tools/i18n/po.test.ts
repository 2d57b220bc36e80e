import { expect, test } from "vitest";
import { readMessages } from "#i18n/glossary/catalogues.ts";
import { formatPo, parsePo } from "./po.ts";

test("a language survives a round trip through its po file", () => {
  const french = readMessages("fr");
  const entries = Object.entries(readMessages("en")).map(([key, english]) => ({
    key,
    english,
    note: "",
    files: [],
    translation: french[key] ?? "",
  }));
  const parsed = parsePo(formatPo("fr", entries));
  expect(parsed).toEqual(
    entries.map(({ key, english, translation }) => ({ key, english, translation })),
  );
});

test("an entry shows where a message is used and its note", () => {
  const text = formatPo("de", [
    {
      key: "withdraw.all",
      english: "All",
      note: "A chip that fills in the whole balance.",
      files: ["web/screens/withdraw/amount.tsx"],
      translation: "Alles",
    },
  ]);
  expect(text).toContain("#. A chip that fills in the whole balance.");
  expect(text).toContain("#: web/screens/withdraw/amount.tsx");
  expect(text).toContain('msgctxt "withdraw.all"');
});

test("text that is not a gettext file is refused", () => {
  expect(() => parsePo('msgid "a\n')).toThrow();
});
