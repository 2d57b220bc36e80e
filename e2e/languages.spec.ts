import { type Browser, expect, type Page, test } from "@playwright/test";
import { locales as listed } from "#core/locales.ts";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { createPeople, type People } from "../tools/browser/people.ts";
import {
  findForeignWords,
  listHelpPaths,
  listLocales,
  listScreenPaths,
} from "../tools/browser/words.ts";
import { countText, getWordLimit, readVisibleText, switchLanguage } from "./support/reading.ts";

const paths = listScreenPaths();
const locales = listLocales();
/**
 * Views of Help in every language; its flags and articles share a layout, so each language takes
 * some of them in turn.
 */
const help = listHelpPaths();
const helpViews = help.filter((path) => !path.includes("&"));
const helpParts = help.filter((path) => path.includes("&"));
const toHelpParts = (turn: number) =>
  helpParts.filter((_, index) => index % locales.length === turn);
const findForeignTexts = Object.fromEntries(
  locales.map((locale) => [locale, findForeignWords(locale)]),
);
const phone = { width: 360, height: 740 };
const tallPhone = { width: 390, height: 844 };

/** Most words in the first screenful before the first control. */
const wordsBeforeControl = 111;
const controls = "a[href], button, input, select, textarea, summary, [role=tab], [tabindex='0']";

let people: People;
let baseURL: string;
test.beforeAll(async ({ browser, baseURL: url }) => {
  baseURL = url as string;
  people = await createPeople(browser, baseURL, { settled: false });
});
test.afterAll(async () => {
  for (const context of Object.values(people?.contexts ?? {})) await context.close();
});

test("the walk covers every language and screen", () => {
  expect(locales.toSorted()).toEqual(listed.toSorted());
  expect(paths.length).toBeGreaterThanOrEqual(25);
  expect(helpViews.length).toBeGreaterThanOrEqual(7);
  expect(helpParts.length).toBeGreaterThanOrEqual(12 + 10);
});

/** Each part has every fourth path, so that all parts take about as long. */
const parts = [0, 1, 2, 3];
const everywhere = [...paths, ...helpViews];

for (const part of parts) {
  test(`screens are translated and fit a phone, part ${part + 1} of ${parts.length}`, async () => {
    const ownScreens = everywhere.filter((_, index) => index % parts.length === part);
    const helpMine = [...locales.keys()].filter((turn) => turn % parts.length === part);
    await Promise.all([
      walk(ownScreens.map((path) => ({ path, shown: locales }))),
      walk(
        helpMine.flatMap((turn) =>
          toHelpParts(turn).map((path) => ({ path, shown: [locales[turn] as string] })),
        ),
      ),
    ]);
  });
}

/** Opens each path once and switches its language in place, as another tab's choice does. */
async function walk(visits: readonly { path: string; shown: readonly string[] }[]): Promise<void> {
  // Tabs of one browser share its language: each walk has a separate browser.
  const { person } = people.contexts;
  const context = await (person.browser() as Browser).newContext({
    storageState: await person.storageState(),
    viewport: phone,
    reducedMotion: "reduce",
    baseURL,
  });
  const page = await context.newPage();
  for (const { path, shown } of visits) {
    await page.goto(path);
    await waitUntilSettled(page);
    for (const locale of shown) {
      await switchLanguage(page, locale);
      await waitUntilSettled(page);
      const texts = await checkPath(page, findForeignTexts[locale] as string[]);
      await page.setViewportSize(tallPhone);
      const { unit, max } = getWordLimit(locale, wordsBeforeControl);
      const place = `${path} in ${locale}`;
      expect
        .soft(
          countText(await readVisibleText(page.locator("main"), controls), unit),
          `${place}: ${unit} before a control`,
        )
        .toBeLessThanOrEqual(max);
      await page.setViewportSize(phone);
      expect.soft(texts.wide, `${place} is wider than the window`).toBe(0);
      expect.soft(texts.spilled, `${place}: text overflows its box`).toEqual([]);
      expect.soft(texts.foreign, `${place}: message keys, or English`).toEqual([]);
    }
  }
  await context.close();
}

/** Whole texts of the page that are in `foreign`, and elements wider than their box. */
function checkPath(page: Page, foreignWords: string[]) {
  return page.evaluate((words) => {
    const knownWords = new Set(words);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const foreign = new Set<string>();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? "";
      const element = node.parentElement;
      if (knownWords.has(text) && !element?.closest("script, style, [lang]:not(html)"))
        foreign.add(text);
    }
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name) ?? "";
        if (knownWords.has(text)) foreign.add(text);
      }
    }
    const spilled = [
      ...document.querySelectorAll<HTMLElement>("button, a, h1, h2, h3, dt, dd, th, td, label"),
    ]
      .filter(
        (element) =>
          // An element that is folded away has no size yet.
          element.checkVisibility() &&
          element.scrollWidth > element.clientWidth + 1 &&
          getComputedStyle(element).display !== "inline" &&
          getComputedStyle(element).overflowX === "visible",
      )
      .map(({ innerText }) => innerText.slice(0, 60));
    return {
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      foreign: [...foreign],
      spilled,
    };
  }, foreignWords);
}
