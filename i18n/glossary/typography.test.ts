import { describe, expect, test } from "vitest";
import { type Locale, locales } from "#core/locales.ts";
import { messagesOf } from "./catalogues.ts";

/** What the rules of a script do not allow, and why. Tags and arguments are taken out before. */
const everywhere: [RegExp, string][] = [
  [/["]/, "a straight quotation mark"],
  [/\p{L}'\p{L}/u, "a straight apostrophe"],
  [/ {2}/, "two spaces"],
  [/^\s|\s$/, "a space at an end"],
  [/\.\.\./, "three dots for an ellipsis"],
  [/\p{L} - \p{L}/u, "a hyphen for a dash"],
];
const han: [RegExp, string][] = [
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s*(?:[,:;!?]|\.(?![A-Z]))/u,
    "half-width punctuation",
  ],
  [/\p{Script=Han} +\p{Script=Han}/u, "a space inside a sentence"],
  [/[（(][^()（）]*[)）]/u, "a half-width bracket"],
];
const ofLocale: Partial<Record<Locale, [RegExp, string][]>> = {
  fr: [
    [/[^\u202f\u00a0\s\d:;!?][;!?](?=\s|$)/u, "no narrow space before ; ! ?"],
    [/ [;:!?%»]/, "a breaking space before punctuation"],
    [/« /, "a breaking space after «"],
    [/[“”]/, "English quotation marks"],
  ],
  de: [[/“[^„”]*”/, "English quotation marks"]],
  sv: [[/[“„«»]/, "other quotation marks than ”…”"]],
  it: [[/[„]/, "German quotation marks"]],
  ja: [...han.slice(0, 2), [/[“”«»]/, "Western quotation marks"]],
  cn: [...han.slice(0, 2), [/[「」『』«»]/, "quotation marks of Taiwan"]],
  "zh-TW": [...han.slice(0, 2), [/[“”‘’«»]/, "quotation marks of the mainland"]],
};

/** The text that is read: each plural or select option apart, without tags and arguments' names. */
function readable(message: string): string[] {
  const plain = message.replace(/<\/?[a-z]+>/gi, "");
  const pieces: string[] = [];
  const strip = (text: string): string => {
    let out = "";
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] !== "{") {
        out += text[at];
        continue;
      }
      let depth = 1;
      let end = at + 1;
      while (end < text.length && depth > 0) {
        if (text[end] === "{") depth += 1;
        if (text[end] === "}") depth -= 1;
        end += 1;
      }
      const inside = text.slice(at + 1, end - 1);
      for (const [, option] of inside.matchAll(/\{((?:[^{}]|\{[^{}]*\})*)\}/g))
        pieces.push(strip((option ?? "").trim()));
      out += "7";
      at = end - 1;
    }
    return out;
  };
  pieces.push(strip(plain));
  return pieces;
}

// Texts of `terms` are stored with their hash and change only with their version.
describe.each(locales)("%s", (locale) => {
  test("is set by the rules of its script", () => {
    const rules = [...everywhere, ...(ofLocale[locale] ?? [])];
    const wrong = Object.entries(messagesOf(locale)).flatMap(([key, message]) =>
      (key.startsWith("terms.") ? [] : rules)
        .filter(([rule]) => readable(message).some((text) => rule.test(text)))
        .map(([, what]) => `${key}: ${what}: ${message}`),
    );
    expect(wrong).toEqual([]);
  });
});
