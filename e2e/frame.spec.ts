import { expect, type Page, test } from "@playwright/test";
import { expectClean } from "./support/axe.ts";

const getScroll = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const activeTab = (page: Page) =>
  page.getByRole("navigation", { name: "Main screens" }).locator("[aria-current=page]");

test("back closes a sheet, forward does not reopen it, and the next back leaves the page", async ({
  page,
}) => {
  await page.goto("/help");
  await page.goto("/home");
  const sheet = page.getByRole("dialog");
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).first().click();
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/home$/);
  await page.goForward();
  await expect(page).toHaveURL(/\/home$/);
  await expect(sheet).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/help$/);
});

test("back and reload restore a list's position, and its tab scrolls to the top", async ({
  page,
}) => {
  await page.goto("/home");
  const news = page.getByRole("link", { name: "All news" });
  // The page grows while its parts arrive.
  const scrollToNews = async () => {
    await news.evaluate((link) => link.scrollIntoView({ block: "center" }));
    return getScroll(page);
  };
  await expect.poll(scrollToNews).toBeGreaterThan(200);
  const scrollBefore = await getScroll(page);
  await news.click();
  await expect(page.getByRole("heading", { level: 1, name: "News" })).toBeVisible();
  await expect.poll(() => getScroll(page)).toBe(0);
  await expect(activeTab(page)).toHaveText("Home");
  // By then the content above may have one line of news or prices more or less.
  const nearby = async () => Math.abs((await getScroll(page)) - scrollBefore);
  await page.goBack();
  await expect.poll(nearby).toBeLessThan(60);
  await page.reload();
  await expect.poll(nearby).toBeLessThan(60);
  await activeTab(page).click();
  await expect.poll(() => getScroll(page)).toBe(0);
});

test("a screen outside the tabs highlights the tab from which it was opened", async ({ page }) => {
  await page.goto("/ucenter");
  await page.getByRole("link", { name: "Help" }).first().click();
  await expect(activeTab(page)).toHaveText("Me");
  await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
  await page.getByRole("link", { name: "Help" }).first().click();
  await expect(activeTab(page)).toHaveText("Home");
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/help$/);
  await expect(activeTab(page)).toHaveText("Me");
});

test("the language follows the browser's, with English as the fallback", async ({ browser }) => {
  for (const [locale, home] of [
    ["de-AT", "Start"],
    ["pt-BR", "Home"],
  ] as const) {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto("/home");
    await expect(page.getByRole("navigation").getByRole("link", { name: home })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("language"))).toBeNull();
    await context.close();
  }
});

test("a toast covers no control", async ({ page }) => {
  await page.goto("/help?view=caught");
  await page.getByRole("button", { name: /Copy/ }).first().click();
  const message = page.locator("output > span");
  await expect(message).toBeVisible();
  const covered = await message.evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [...document.querySelectorAll("a, button, input, select")]
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const isApart =
          left >= box.right || right <= box.left || top >= box.bottom || bottom <= box.top;
        return control.checkVisibility() && !isApart;
      })
      .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent);
  });
  expect(covered).toEqual([]);
});

const sizes = [
  [360, 740],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const;
const paths = [
  "/home",
  "/business",
  "/ai",
  "/robot-run-page",
  "/mining",
  "/wallet",
  "/help",
  "/help?view=lesson",
  "/help?view=sitting",
  "/verify",
  "/authorized-activity",
  "/ucenter",
  "/operator",
];

test("no screen overflows its window at six sizes, and each has one navigation", async ({
  page,
}) => {
  for (const path of paths) {
    await page.goto(path);
    await page.locator("h1").first().waitFor();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const wider = () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      await expect.poll(wider, { message: `${path} at ${width}x${height}` }).toBe(0);
      if (path === "/operator") continue;
      const places = page.getByRole("navigation", { name: "Main screens" });
      await expect(places).toHaveCount(1);
      await expect(places.getByRole("link", { name: "Trade" })).toBeInViewport();
    }
  }
});

test("the search opens from the keyboard on a wide screen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/home");
  await expect(page.getByRole("button", { name: "Search everything" })).toBeVisible();
  await expectClean(page);
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search everything" });
  const box = search.getByRole("searchbox");
  await expect(box).toBeFocused();
  await box.fill("wallet req");
  await expect(search.getByRole("link", { name: /Read a wallet request/ })).toBeVisible();
  await expectClean(page);
  await box.fill("btcusdt");
  await expect(search.getByRole("link", { name: /BTC\/USDT/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/business\?contract_id=/);
  await expect(search).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/home$/);
});
