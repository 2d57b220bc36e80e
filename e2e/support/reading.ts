import type { Page } from "@playwright/test";

/** How much somebody can be asked to read, in words; Chinese and Japanese count characters. */
export interface Amount {
  unit: "words" | "characters";
  most: number;
}

/** What stands for 111 words. */
function charactersOf(locale: string): number | null {
  if (locale === "ja") return 280;
  return locale === "cn" || locale === "zh-TW" ? 220 : null;
}

/** As much in `locale` as `words` are in a language that separates them. */
export function amountFor(locale: string, words: number): Amount {
  const characters = charactersOf(locale);
  if (characters === null) return { unit: "words", most: words };
  return { unit: "characters", most: Math.ceil((characters * words) / 111) };
}

export function amountOf(text: string, unit: Amount["unit"]): number {
  return unit === "words"
    ? (text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0)
    : text.replace(/\s/g, "").length;
}

const tags: Record<string, string> = { cn: "zh-CN" };

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
    tags[locale] ?? locale,
  );
}
