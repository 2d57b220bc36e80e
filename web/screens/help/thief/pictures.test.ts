import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { locales } from "#core/locales.ts";
import { localeTags } from "#i18n/locales.ts";
import { getTextShape, wrapPart } from "./pictureShape.ts";
import { isSeenThrough, thiefScenes, tools } from "./scenes.ts";
import { measureText, wrapText } from "./wrapText.ts";

const folder = join(import.meta.dirname, "../../../../i18n/thief");

const readMessages = (locale: string) =>
  JSON.parse(readFileSync(join(folder, `${locale}.json`), "utf8")) as Record<string, string>;

describe.each(locales)("%s", (locale) => {
  const messages = readMessages(locale);

  test("every text of a picture fits into its part", () => {
    const tooLong = thiefScenes.flatMap(({ id, parts }) =>
      parts.flatMap(({ drawing }, index) => {
        const shape = getTextShape(drawing);
        if (!shape) return [];
        const text = messages[`thief.${id}.${index + 1}`] ?? "";
        const lines = wrapPart(text, shape, localeTags[locale]);
        return lines.length > 0 && lines.length <= shape.lines ? [] : [`${id}: ${text}`];
      }),
    );
    expect(tooLong).toEqual([]);
  });

  test("every picture has all its texts", () => {
    const keys = thiefScenes.flatMap(({ id }) =>
      ["title", "1", "2", "3", "4", "seen", "loss"].map((part) => `thief.${id}.${part}`),
    );
    expect(keys.filter((key) => !messages[key])).toEqual([]);
  });
});

test("wrapping drops only the space at a break, and keeps punctuation with its word", () => {
  expect(wrapText("one two three", 5, "en")).toEqual(["one two", "three"]);
  expect(wrapText("les actifs\u00a0: retrouvés", 3.6, "fr")).toEqual([
    "les",
    "actifs\u00a0:",
    "retrouvés",
  ]);
  expect(wrapText("出金はランク3から：あと1,760", 8, "ja").join("")).toBe(
    "出金はランク3から：あと1,760",
  );
  for (const line of wrapText("先に税金4,000を24時間以内に、支払う。", 6, "ja"))
    expect(line).not.toMatch(/^[、。：]/);
  for (const line of wrapText("Paga prima 4.000 di tasse, entro 24 ore", 9, "it"))
    expect(measureText(line)).toBeLessThanOrEqual(9);
});

test("every picture has a wrong and a harmless part, and every tool exposes at least one", () => {
  for (const scene of thiefScenes) {
    const wrongParts = [1, 2, 3, 4].filter((part) => isSeenThrough(scene, part));
    expect(wrongParts.length).toBeGreaterThan(0);
    expect(wrongParts.length).toBeLessThan(4);
    expect(isSeenThrough(scene, "nothing")).toBe(false);
  }
  expect(new Set(thiefScenes.map(({ tool }) => tool))).toEqual(new Set(tools));
});
