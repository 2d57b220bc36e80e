import { expect, type Page, test } from "@playwright/test";
import { setTheme, waitUntilSettled } from "../tools/browser/actions.ts";
import { createPeople, type People } from "../tools/browser/people.ts";
import type { State, Viewer } from "../tools/browser/state.ts";
import { states } from "../tools/browser/states.ts";
import {
  documentLanguages,
  listLocales,
  listScreenPaths,
  loadTranslate,
} from "../tools/browser/words.ts";
import { listViolations } from "./support/axe.ts";
import {
  countText,
  getWordLimit,
  readVisibleText,
  removeFigures,
  switchLanguage,
} from "./support/reading.ts";

/** Most words in a sheet that asks for a decision. */
const sheetWords = 80;

const locales = ["en", "de", "ja"] as const;
type Locale = (typeof locales)[number];

/**
 * Every path in English (languages.spec.ts has them in all languages); dialogs over a screen in one
 * language each, taken in turn.
 */
const noFacts = { contractId: "", settledOrderId: null, openOrderId: "" };
const paths = new Set(listScreenPaths());
const inAll = states.filter(
  ({ path, perform, settled }) => !perform && !settled && paths.has(path(noFacts)),
);
const inOne = states.filter((state) => !inAll.includes(state) && !state.settled);

let people: People;
test.beforeAll(async ({ browser, baseURL }) => {
  people = await createPeople(browser, baseURL as string, { settled: false });
});
test.afterAll(async () => {
  for (const context of Object.values(people?.contexts ?? {})) await context.close();
});

test("the walk covers every path of the app", () => {
  expect(inAll.length).toBeGreaterThanOrEqual(25);
  expect(inOne.length).toBeGreaterThan(50);
  expect(inOne.filter(({ decision }) => decision).length).toBeGreaterThanOrEqual(10);
});

for (const [turn, locale] of locales.entries()) {
  test(`screens in ${locale} are accessible and fit a phone in both themes`, async () => {
    // Over a hundred states, each checked by axe in two themes.
    test.setTimeout(420_000);
    const ownStates = inOne.filter((_, index) => index % locales.length === turn);
    const walk = async (viewer: Viewer) => {
      const page = await people.contexts[viewer].newPage();
      await page.setViewportSize({ width: 360, height: 740 });
      const errors = collectErrors(page);
      await setTheme(page, locale, "light");
      const all = locale === "en" ? [...inAll, ...ownStates] : ownStates;
      for (const state of all.filter((state) => state.viewer === viewer)) {
        await checkState(page, state, locale, errors);
      }
      await page.close();
    };
    // In parallel, since most of a walk is waiting.
    await Promise.all([walk("visitor"), walk("newcomer"), walk("person")]);
  });
}

test("a price rise is red in Japanese and green in English and German", async () => {
  const page = await people.contexts.visitor.newPage();
  const colours: Record<string, string> = {};
  for (const locale of locales) {
    await setTheme(page, locale, "light");
    await page.goto("/business");
    await waitUntilSettled(page);
    colours[locale] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.className = "text-rise";
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
  }
  expect(colours).toEqual({
    en: "rgb(7, 106, 93)",
    de: "rgb(7, 106, 93)",
    ja: "rgb(176, 32, 75)",
  });
  await page.close();
});

/** Errors the browser reports, each with the URL where it happened. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()} ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // An unknown path correctly answers 404, and requests fail while offline.
    if (/status of 404|ERR_INTERNET_DISCONNECTED/.test(text)) return;
    if (/status of 40[19]/.test(text) && message.location().url.includes("/api/")) return;
    if (message.type() === "error" || /content security policy|trusted ?type/i.test(text)) {
      errors.push(`${page.url()} ${text}`);
    }
  });
  return errors;
}

async function checkState(
  page: Page,
  state: State,
  locale: Locale,
  errors: string[],
): Promise<void> {
  const say = loadTranslate(locale);
  const place = `${state.name} in ${locale}`;
  await page.goto(state.path(people.facts));
  await waitUntilSettled(page);
  if (state.perform) {
    await state.perform(page, say);
    await waitUntilSettled(page);
  }
  const visible = await page.evaluate(() => ({
    title: document.title,
    lang: document.documentElement.lang,
    headings: document.querySelectorAll("h1").length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    mark: document.querySelector("header.fixed > [aria-hidden=true].relative")?.textContent,
  }));
  const mark = say("ui.practice.word");
  expect.soft(visible.title, place).toMatch(/^.+(?: · |・)Drydock/);
  expect.soft(visible.lang, place).toBe(documentLanguages[locale]);
  expect.soft(visible.headings, place).toBe(1);
  expect.soft(visible.wide, `${place} is wider than the window`).toBe(0);
  expect.soft(visible.mark, `the practice band, ${place}`).toBe(mark);
  expect.soft(await violations(page), place).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "dark";
  });
  expect.soft(await violations(page, ["color-contrast"]), `${place}, dark`).toEqual([]);
  if (state.decision) await expectShort(page, state.name);
  await state.leave?.(page);
  expect.soft(errors.splice(0), place).toEqual([]);
}

/**
 * Expects the open sheet to be short in every language; the next page opens in the walk's own
 * language again.
 */
async function expectShort(page: Page, name: string): Promise<void> {
  const open = page.locator("[role=dialog], [role=alertdialog]").last();
  for (const locale of listLocales()) {
    await switchLanguage(page, locale);
    const { unit, max } = getWordLimit(locale, sheetWords);
    const amount = async () => countText(removeFigures(await readVisibleText(open)), unit);
    // Text from the server, such as a title, follows the language a moment later.
    const amountShown = expect.configure({ soft: true }).poll(amount, {
      message: `${name} in ${locale}: ${unit}`,
      timeout: 3_000,
    });
    await amountShown.toBeLessThanOrEqual(max);
  }
}

/**
 * Axe findings that persist on a second run: rows that appear during a run are only partly seen by
 * it. `rules` limits it to what a theme can change.
 */
async function violations(page: Page, rules?: string[]): Promise<unknown[]> {
  const first = await listViolations(page, rules && { rules });
  if (first.length === 0) return first;
  await page.waitForTimeout(1_000);
  await waitUntilSettled(page);
  return listViolations(page, rules && { rules });
}
