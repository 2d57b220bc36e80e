import {
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  parse,
} from "@formatjs/icu-messageformat-parser";
import type { Locale } from "#core/locales.ts";
import type { Glossary } from "./catalogues.ts";

/**
 * Names of the arguments and tags of a message. A plural may be a plain number in a language
 * without plurals.
 */
function listArguments(elements: MessageFormatElement[]): string[] {
  const names = elements.flatMap((element): string[] => {
    if (isLiteralElement(element) || isPoundElement(element)) return [];
    if (isTagElement(element)) return [`<${element.value}>`, ...listArguments(element.children)];
    if (!isPluralElement(element) && !isSelectElement(element)) return [element.value];
    const inner = Object.values(element.options).flatMap((option) => listArguments(option.value));
    return [element.value, ...inner];
  });
  return [...new Set(names)].sort();
}

/** The syntax errors of a translation: empty, malformed, or with different arguments. */
export function findSyntaxProblems(english: string, message: string): string[] {
  if (message.trim() === "") return ["is empty"];
  try {
    const [englishSyntax, syntax] = [english, message].map((text) =>
      String(listArguments(parse(text))),
    );
    return englishSyntax === syntax ? [] : ["has other arguments"];
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}

/**
 * Patterns that the rules of a script forbid, each with the reason. Tags and arguments are removed
 * first.
 */
const sharedRules: [RegExp, string][] = [
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
const localeRules: Partial<Record<Locale, [RegExp, string][]>> = {
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
export function toReadableTexts(message: string): string[] {
  const plainText = message.replace(/<\/?[a-z]+>/gi, "");
  const pieces: string[] = [];
  const strip = (text: string): string => {
    let out = "";
    for (let index = 0; index < text.length; index += 1) {
      if (text[index] !== "{") {
        out += text[index];
        continue;
      }
      let depth = 1;
      let end = index + 1;
      while (end < text.length && depth > 0) {
        if (text[end] === "{") depth += 1;
        if (text[end] === "}") depth -= 1;
        end += 1;
      }
      const optionText = text.slice(index + 1, end - 1);
      for (const [, option] of optionText.matchAll(/\{((?:[^{}]|\{[^{}]*\})*)\}/g))
        pieces.push(strip((option ?? "").trim()));
      out += "7";
      index = end - 1;
    }
    return out;
  };
  pieces.push(strip(plainText));
  return pieces;
}

/** The violations of the typography of the language's script in a message. */
export function findTypographyProblems(locale: Locale, message: string): string[] {
  const texts = toReadableTexts(message);
  return [...sharedRules, ...(localeRules[locale] ?? [])]
    .filter(([rule]) => texts.some((text) => rule.test(text)))
    .map(([, problem]) => problem);
}

/** A Latin word needs a boundary on both sides; CJK has none. */
function containsWord(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![a-zà-öø-ÿ])${escaped}(?![a-zà-öø-ÿ])`, "i").test(text);
}

/** Returns true if an English text contains the term, in the singular or the plural. */
function containsTerm(english: string, term: string): boolean {
  return new RegExp(`\\b${term.replace(/y$/, "(?:y|ie)")}(?:e?s)?\\b`, "i").test(english);
}

/**
 * Words in a message that the glossary rules out, everywhere or where the English text has a term.
 */
export function findWordProblems(
  { terms, never }: Glossary,
  english: string,
  message: string,
): string[] {
  const text = toReadableTexts(message).join(" / ");
  const generalRules = Object.entries(never)
    .filter(([word]) => containsWord(text, word))
    .map(([word, reason]) => `says ${word} (${reason})`);
  const forTerm = Object.entries(terms).flatMap(([term, { word, never: others = [] }]) =>
    others
      .filter((forbidden) => text.toLowerCase().includes(forbidden.toLowerCase()))
      .filter(() => containsTerm(english, term))
      .map((forbidden) => `says ${forbidden} for ${word}`),
  );
  return [...generalRules, ...forTerm];
}
