import type { Locator, Page } from "@playwright/test";
import { documentLanguages } from "../../tools/browser/words.ts";

/** How much someone can be asked to read, in words; Chinese and Japanese count characters. */
export interface Amount {
  unit: "words" | "characters";
  max: number;
}

/** The number of characters that corresponds to 111 words. */
function countCharacters(locale: string): number | null {
  if (locale === "ja") return 280;
  return locale === "cn" || locale === "zh-TW" ? 220 : null;
}

/**
 * The amount of text in `locale` that corresponds to `words` in a language that separates words.
 */
export function getWordLimit(locale: string, words: number): Amount {
  const characters = countCharacters(locale);
  if (characters === null) return { unit: "words", max: words };
  return { unit: "characters", max: Math.ceil((characters * words) / 111) };
}

export function countText(text: string, unit: Amount["unit"]): number {
  return unit === "words"
    ? (text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0)
    : text.replace(/\s/g, "").length;
}

/** Numbers and dates, with the sign, unit or coin that is written on them. */
const figures = /[+−-]?\d[\d.,:/’'\u00a0\u202f]*(?:\s?(?:%|p?[A-Z]{3,4}\b))?/gu;

/** The text without its figures: figures are looked up, only their explanation is read. */
export const removeFigures = (text: string) => text.replace(figures, " ");

/**
 * The text that is drawn: neither folded away nor for screen readers alone. With `above`, only the
 * text in the first screenful before the first element that it matches.
 */
export function readVisibleText(root: Locator, above: string | null = null): Promise<string> {
  return root.evaluate((element, selector) => {
    const first =
      selector === null
        ? undefined
        : [...element.querySelectorAll<HTMLElement>(selector)].find(
            (element) => element.getClientRects().length > 0 && !element.closest("header"),
          );
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let words = "";
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (first && first.compareDocumentPosition(node) !== Node.DOCUMENT_POSITION_PRECEDING) break;
      // Text drawn in a picture is looked at, not read.
      if (node.parentElement?.closest("figure [aria-hidden], .sr-only")) continue;
      if (!node.parentElement?.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1) continue;
      if (selector === null || box.top < innerHeight) words += ` ${node.textContent}`;
    }
    return words;
  }, above);
}

/**
 * Switches the language in place, as another tab's choice does. The document's language is set once
 * the messages of `locale` are on the page.
 */
export async function switchLanguage(page: Page, locale: string): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem("language", chosen);
    dispatchEvent(new StorageEvent("storage", { key: "language", storageArea: localStorage }));
  }, locale);
  await page.waitForFunction(
    (tag) => document.documentElement.lang === tag,
    documentLanguages[locale],
  );
}
