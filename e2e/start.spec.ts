import { expect, type Page, test } from "@playwright/test";
import { loadTranslate } from "../tools/browser/words.ts";

const say = loadTranslate("en");

const reloadOffer = (page: Page) => page.locator("#start-failed");

/** URL pattern of the entry chunk of each bundle; its other chunks have different names. */
const entries = [
  ["/home", "**/assets/index-*.js"],
  ["/operator", "**/operator/assets/index-*.js"],
] as const;

for (const [path, entry] of entries) {
  test(`${path} offers a reload when its first script fails, and the reload works`, async ({
    page,
  }) => {
    const violations: string[] = [];
    page.on("console", (message) => {
      if (/content security policy|trusted/i.test(message.text())) violations.push(message.text());
    });
    await page.route(entry, (route) => route.abort("connectionreset"));
    await page.goto(path);
    await expect(reloadOffer(page)).toContainText("This screen couldn’t be loaded");
    expect(violations).toEqual([]);
    await page.unroute(entry);
    await reloadOffer(page).getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expect(reloadOffer(page)).toHaveCount(0);
  });
}

test("the offer is in the language chosen in this browser", async ({ page }) => {
  await page.goto("/home");
  await page.evaluate(() => localStorage.setItem("language", "de"));
  await page.route("**/assets/vendor-*.js", (route) => route.abort("connectionreset"));
  // The service worker caches the script for offline starts; this browser has lost its cache.
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      await registration.unregister();
    }
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page
    .context()
    .newCDPSession(page)
    .then((cdp) => cdp.send("Network.setCacheDisabled", { cacheDisabled: true }));
  await page.reload();
  await expect(reloadOffer(page)).toContainText("Diese Seite konnte nicht geladen werden");
  await expect(reloadOffer(page)).toHaveAttribute("lang", "de");
});

test("a hanging first script is given up after 120 s, and a late one still starts the app", async ({
  page,
}) => {
  await page.clock.install();
  let release = () => {};
  const holdUntil = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/index-*.js", async (route) => {
    await holdUntil;
    await route.continue();
  });
  await page.goto("/home", { waitUntil: "commit" });
  await page.waitForFunction(() => typeof Reflect.get(globalThis, "offerReload") === "function");
  await page.clock.fastForward(119_000);
  await expect(reloadOffer(page)).toHaveCount(0);
  await page.clock.fastForward(2_000);
  await expect(reloadOffer(page)).toBeVisible();
  release();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await expect(reloadOffer(page)).toHaveCount(0);
});

test("when a sheet's code does not load, the screen keeps its input", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.route("**/assets/KeysSheet-*.js", (route) => route.abort("connectionreset"));
  await page.goto("/business?contract_id=btc-usdt");
  const stake = page.getByRole("textbox", { name: say("contracts.ticket.stake"), exact: true });
  await stake.fill("37");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const alert = page.getByRole("alert").filter({ hasText: say("app.chunk.title") });
  await expect(alert).toBeVisible();
  await expect(stake).toHaveValue("37");
  await alert.getByRole("button", { name: say("ui.close") }).click();
  await expect(alert).toBeHidden();
  await expect(stake).toHaveValue("37");
});
