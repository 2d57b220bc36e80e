import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { type Item, items } from "#core/lesson/items.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { getMain, press } from "./support/peopleActions.ts";
import { collectPageErrors, expectAccessible, openNewPerson } from "./support/walletActions.ts";

const say = loadTranslate("en");
const path = "/help?view=sitting";

/** The item on screen, found by its text. */
async function shownItem(page: Page): Promise<Item> {
  const text = await getMain(page).getByRole("figure").innerText();
  const sitting = items.find(({ name }) => text.includes(say(`sitting.${name}.text`)));
  if (!sitting) throw new Error(`no item has this text: ${text}`);
  return sitting;
}

/** Answers `count` items correctly, starting at `from`, and continues to the next screen. */
async function answer(page: Page, start: number, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let index = start; index < start + count; index += 1) {
    await expect(getMain(page)).toContainText(`Item ${index + 1} of 10`);
    const item = await shownItem(page);
    items.push(item);
    const saveResponse = page.waitForResponse(/saveSitting/);
    await press(page, item.honest ? /^Honest$/ : /^Scam$/);
    await saveResponse;
    await expect(getMain(page)).toContainText(say(`sitting.${item.name}.why`));
    await expect(getMain(page)).toContainText(say(`sitting.trait.${item.trait}`));
    await press(page, index === 9 ? say("sitting.toEnd") : say("sitting.next"));
  }
  return items;
}

test("a visitor who calls everything a scam, by keyboard alone, catches five and mistrusts five", async ({
  page,
}) => {
  const errors = collectPageErrors(page);
  const main = getMain(page);
  await page.goto(path);
  await expect(main).toContainText(say("sitting.signedOut"));
  await press(page, say("sitting.begin"));
  const media = new Set<string>();
  for (let index = 0; index < 10; index += 1) {
    await expect(main).toContainText(`Item ${index + 1} of 10`);
    const { medium } = await shownItem(page);
    if (!media.has(medium)) await expectAccessible(page);
    await expect(main.getByRole("heading", { name: say("sitting.ask") })).toBeFocused();
    for (const name of ["Honest", "Scam"]) {
      await page.keyboard.press("Tab");
      await expect(main.getByRole("button", { name, exact: true })).toBeFocused();
    }
    await page.keyboard.press("Enter");
    if (!media.has(medium)) await expectAccessible(page);
    media.add(medium);
    await page.keyboard.press("Enter");
  }
  await expect(
    main.getByText("You caught 5 of 5 scams and mistrusted 5 of 5 honest items."),
  ).toBeVisible();
  await expect(main.getByRole("figure")).toHaveCount(5);
  await expect(main).toContainText(say("sitting.end.notKept"));
  await expectAccessible(page);
  const downloadPromise = page.waitForEvent("download");
  await press(page, say("sitting.end.calendar"));
  const file = await downloadPromise;
  expect(file.suggestedFilename()).toBe("drydock-lesson.ics");
  expect(readFileSync(await file.path(), "utf8").match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(errors).toEqual([]);
});

test("a person's sitting continues after a reload, is stored, and the next has ten other items", async ({
  browser,
  baseURL,
}) => {
  const page = await openNewPerson(browser, baseURL!);
  const main = getMain(page);
  await page.goto(path);
  await press(page, say("sitting.begin"));
  const first = await answer(page, 0, 3);
  await page.reload();
  await press(page, say("sitting.begin"));
  first.push(...(await answer(page, 3, 7)));
  expect(new Set(first).size).toBe(10);
  expect(first.filter(({ honest }) => honest)).toHaveLength(5);
  await expect(
    main.getByText("You caught 5 of 5 scams and mistrusted 0 of 5 honest items."),
  ).toBeVisible();
  await expect(main.getByText(say("sitting.end.none"))).toBeVisible();
  await expect(main.getByText(say("sitting.end.kept"))).toBeVisible();
  await expect(main.getByRole("button", { name: say("sitting.end.calendar") })).toBeVisible();
  await expectAccessible(page);
  await press(page, say("sitting.end.again"));
  const second = await answer(page, 0, 10);
  expect(second.filter((item) => first.includes(item))).toEqual([]);
  await page.goto(path);
  await expect(main.getByText(/^You caught 5 of 5 scams/)).toHaveCount(2);
  await page.context().close();
});
