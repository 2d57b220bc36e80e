import { expect, type Page, test } from "@playwright/test";
import { openSignIn, setTheme, signIn, waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { expectClean } from "./support/axe.ts";

const say = loadTranslate("en");

/** Presses the button of one promise and returns the result of its check. */
async function check(page: Page, number: number): Promise<string> {
  const part = page.locator(`#promise-${number}`);
  await part.getByRole("button").click();
  const outcome = part.locator("[aria-live] > *");
  await expect(outcome).toBeVisible();
  return outcome.innerText();
}

test("each of the ten promises is checked in the browser and shows its result", async ({
  page,
}) => {
  await page.goto("/help?view=promises");
  await page.getByRole("button", { name: say("help.check.all") }).click();
  await expect(page.getByText(/^\d+ kept, 1 kept but not witnessed, /)).toBeVisible({
    timeout: 30_000,
  });
  const getOutcome = (number: number) => page.locator(`#promise-${number} [aria-live]`);
  for (const number of [1, 2, 3, 4, 7, 9])
    await expect(getOutcome(number)).toContainText(/^Kept, checked/);
  // No one outside follows this log: the result rests on its operator's word.
  await expect(getOutcome(6)).toContainText(/^Kept but not witnessed/);
  // It takes up to about half a minute until a new log's first second is covered by a checkpoint.
  await expect(async () => expect(await check(page, 5)).toMatch(/^Kept/)).toPass();
  for (const number of [8, 10]) expect(await check(page, number)).toContain("Sign in");
  await expectClean(page);

  await page.goto("/ucenter");
  await openSignIn(page, say);
  await signIn(page, say);
  await page.goto("/help?view=promises");
  for (const number of [8, 9, 10]) expect(await check(page, number)).toMatch(/^Kept/);
  await page.locator("#promise-3").getByRole("link").click();
  await expect(page.getByLabel(say("withdraw.amount"))).toHaveValue(/^10[,.]?000/);
});

test("the search finds a red flag, whose source opens through a leave-site page", async ({
  page,
}) => {
  await page.goto("/help");
  await page.getByRole("searchbox").fill("tax");
  const results = page
    .getByRole("main")
    .getByRole("status")
    .filter({ hasText: /results?$/ });
  await expect(results).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/flag=fee/);
  await page.getByRole("button", { name: "www.ic3.gov" }).click();
  const sheet = page.getByRole("dialog", { name: say("leave-site.title") });
  await expect(sheet).toBeVisible();
  const leaveLink = sheet.getByRole("link");
  await expect(leaveLink).toHaveAttribute("href", /^https:\/\/www\.ic3\.gov\//);
  await expect(leaveLink).toHaveAttribute("rel", "noopener noreferrer");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("tax");
  await page.getByRole("searchbox").fill("zebra");
  await expect(page.getByText("Nothing found for “zebra”")).toBeVisible();
});

test("a victim of fraud sees the contacts for their language at the top", async ({ page }) => {
  await setTheme(page, "ja", "light");
  await page.goto("/help?view=caught");
  await waitUntilSettled(page);
  const countries = page.getByRole("main").locator("h3:visible");
  await expect(countries).toHaveText(["日本"]);
  await page.locator("summary").click();
  expect(await countries.count()).toBeGreaterThan(10);
  await page.evaluate(() => scrollTo(0, 0));
  const report = page.getByRole("heading", { name: "届け出先" });
  await expect(report).not.toBeInViewport();
  await page.getByRole("button", { name: "届け出先", exact: true }).click();
  await expect(report).toBeInViewport();
});

test("back restores the position, and a new page starts at the top", async ({ page }) => {
  await page.goto("/help?view=red-flags");
  await waitUntilSettled(page);
  const lastLink = page.getByRole("main").locator("a[href*='flag=']").last();
  await lastLink.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  const scrollBefore = await scrolled();
  expect(scrollBefore).toBeGreaterThan(0);
  await lastLink.click();
  await expect(page).toHaveURL(/flag=/);
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await expect(page).not.toHaveURL(/flag=/);
  await expect.poll(scrolled).toBe(scrollBefore);
});
