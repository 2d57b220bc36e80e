import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { items, media } from "#core/lesson/items.ts";
import { choices, sceneNames, stages } from "#core/lesson/scenes.ts";
import { locales } from "#core/locales.ts";

const root = join(import.meta.dirname, "../../../..");
const catalogue = (locale: string, namespace: string) =>
  JSON.parse(readFileSync(join(root, `i18n/${namespace}/${locale}.json`), "utf8")) as Record<
    string,
    string
  >;

const expectedKeys = items.flatMap(({ name, medium, trait }) => [
  ...(medium === "chat" ? [`sitting.${name}.from`] : []),
  `sitting.${name}.text`,
  `sitting.${name}.why`,
  `sitting.trait.${trait}`,
]);
const scenes = sceneNames.flatMap((scene) =>
  ["title", "from", "says1", "says2", ...choices, "right", "wrong"].map(
    (part) => `lesson.${scene}.${part}`,
  ),
);

describe.each(locales)("texts in %s", (locale) => {
  const texts = catalogue(locale, "sitting");

  test("every item has its texts, and no text remains of a removed item", () => {
    const named = [...expectedKeys, ...media.map((medium) => `sitting.medium.${medium}`)];
    expect(named.filter((key) => !texts[key]?.trim())).toEqual([]);
    const ofItems = Object.keys(texts).filter((key) => /\.(text|why|from)$|\.trait\./.test(key));
    expect(
      ofItems.filter((key) => !expectedKeys.includes(key) && key !== "sitting.end.remind.text"),
    ).toEqual([]);
  });

  test("every scene and stage of the first lesson has its texts", () => {
    const lesson = catalogue(locale, "lesson");
    const named = [
      ...scenes,
      ...stages.flatMap((stage) => [`lesson.stage.${stage}`, `lesson.friend.${stage}`]),
    ];
    expect(named.filter((key) => !lesson[key]?.trim())).toEqual([]);
  });

  test("no item leads to a real site: addresses end in .example", () => {
    const foreignAddresses = Object.entries(texts).filter(([, text]) =>
      (text.match(/[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi) ?? []).some(
        (name) => /[a-z]\.[a-z]{2,}/i.test(name) && !name.endsWith(".example"),
      ),
    );
    expect(foreignAddresses).toEqual([]);
  });
});

test("an item and its explanation each have 18 to 45 words in English, which take a few seconds to read", () => {
  const texts = catalogue("en", "sitting");
  const count = (key: string) => texts[key]!.split(/\s+/).length;
  const lengths = items.map(({ name }) => ({ name, words: count(`sitting.${name}.text`) }));
  expect(lengths.filter(({ words }) => words < 18 || words > 45)).toEqual([]);
  expect(items.filter(({ name }) => count(`sitting.${name}.why`) > 30)).toEqual([]);
});
