import { expect, type Page } from "@playwright/test";
import { acceptTerms } from "../../tools/browser/actions.ts";
import { loadTranslate } from "../../tools/browser/words.ts";

const say = loadTranslate("en");

/**
 * Presses Up or Down, accepts the practice terms if they come first, and places the order;
 * `beforeConfirm` runs while the confirmation is open.
 */
export async function placeOrder(
  page: Page,
  direction: "Up" | "Down",
  beforeConfirm: () => Promise<void> = async () => {},
): Promise<void> {
  const button = page.getByRole("main").getByRole("button", { name: direction, exact: true });
  await button.click();
  const accept = page.getByRole("button", { name: say("sign-in.terms.accept"), exact: true });
  const confirm = page.getByRole("button", { name: say("contracts.confirm.place") });
  await accept.or(confirm).waitFor();
  if (await accept.isVisible()) await acceptTerms(page, say);
  await beforeConfirm();
  await confirm.click();
  await confirm.waitFor({ state: "hidden" });
}

/** Goes from home to BTC/USDT through the list of contracts, as a person does. */
export async function openMarket(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /Contracts/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Contracts" })).toBeVisible();
  await page
    .getByRole("link", { name: /BTC.?USDT/ })
    .first()
    .click();
}

/** Signs a new person in and places one order on BTC/USDT; returns once it is listed. */
export async function signInAndPlaceOrder(page: Page): Promise<void> {
  await page.goto("/home");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await openMarket(page);
  const main = page.getByRole("main");
  await placeOrder(page, "Up");
  await expect(main.getByRole("region", { name: "Orders" }).getByRole("article")).toBeVisible();
}
