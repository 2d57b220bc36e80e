import { expect, type Page } from "@playwright/test";

/** Signs a new person in and places one order on BTC/USDT; returns when it stands. */
export async function placeOrderOf(page: Page): Promise<void> {
  await page.goto("/home");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Make a practice wallet" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Later" }).click();
  await page
    .getByRole("link", { name: /Contracts/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Contracts" })).toBeVisible();
  await page
    .getByRole("link", { name: /BTC.?USDT/ })
    .first()
    .click();
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Up", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "BTC/USDT Up" });
  await sheet.getByRole("button", { name: "Place order" }).click();
  const terms = page.getByRole("dialog", { name: /practice terms/i });
  await terms.getByRole("button", { name: /accept/i }).click();
  await expect(main.getByRole("region", { name: "Orders" }).getByRole("article")).toBeVisible();
}
