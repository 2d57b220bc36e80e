import { expect, type Page, test } from "@playwright/test";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { expectClean } from "./support/axe.ts";
import { openMarket } from "./support/contractActions.ts";

async function signIn(page: Page) {
  await page.goto("/home");
  await expect(page.getByText("Practice", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
}

/** Presses Up or Down, accepts the practice terms the first time, and confirms. */
async function placeOrder(page: Page, direction: "Up" | "Down") {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: direction, exact: true }).click();
  const sheet = page.getByRole("dialog", { name: `BTC/USDT ${direction}` });
  const terms = page.getByRole("dialog", { name: /practice terms/i });
  await terms.or(sheet).waitFor();
  if (await terms.isVisible()) {
    await expectClean(page);
    // Five lines summarise the terms; the whole text is one press away.
    await expect(terms.getByRole("listitem")).toHaveCount(5);
    await expect(terms.getByText("Drydock is a place to practise.")).toBeHidden();
    await terms.getByText("The full text").click();
    await expect(terms.getByText("Drydock is a place to practise.")).toBeVisible();
    await terms.getByRole("button", { name: /accept/i }).click();
  }
  await expect(sheet).toContainText("101.00");
  await sheet.getByRole("button", { name: "Place order" }).click();
}

/**
 * The README's "Try it", as a new person does it: from nothing to a receipt checked in their own
 * browser, with the 60-second tier, in under two minutes. Uses only the page; nothing is set up
 * behind it.
 */
test("a practice wallet gets a checked receipt in under two minutes", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) errors.push(message.text());
  });
  const startedMs = Date.now();

  await signIn(page);
  await expect(page.getByRole("main")).toContainText("10,000.00");
  await expectClean(page);

  await openMarket(page);
  const main = page.getByRole("main");
  await expect(main).toContainText("53.16%");
  await expect(main).toContainText("Average cost per 100 staked");
  await expect(main).toContainText("Simulated market: whoever set it up may know what comes next.");
  await expectClean(page);

  await placeOrder(page, "Up");
  const card = main.getByRole("region", { name: "Orders" }).getByRole("article");
  await expect(card).toContainText("start in");
  await expect(card).toContainText(/Prices: \d+ of 10/, { timeout: 75_000 });
  const receipt = card.getByRole("link", { name: "Check this result" });
  await expect(receipt).toBeVisible({ timeout: 30_000 });
  await expectClean(page);
  // Repeating the order takes one press, which asks for confirmation first.
  await card.getByRole("button", { name: "Same order again" }).click();
  const openDialog = page.getByRole("dialog", { name: "BTC/USDT Up" });
  await expect(openDialog).toContainText("101.00");
  await openDialog.getByRole("button", { name: "Back" }).click();

  await receipt.click();
  await expect(page).toHaveURL(/\/verify\?order_id=/);
  await expect(page.getByText("The arithmetic agrees.", { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  await expect(
    page.getByText("This does not show that any money exists or can be paid.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("main")).toContainText(/witness/i);
  expect(Date.now() - startedMs).toBeLessThan(120_000);
  await expectClean(page);

  await page.goto("/wallet-record");
  await expect(page.getByRole("main")).toContainText("−101");
  // Rows of a long list stay hidden until they have been measured.
  await waitUntilSettled(page);
  await expectClean(page);
  expect(errors).toEqual([]);
});
