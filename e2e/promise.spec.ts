import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectClean } from "./support/axe.ts";
import { placeOrder } from "./support/contractActions.ts";
import { test } from "./support/fastWorld.ts";

async function signIn(page: Page) {
  await page.goto("/home");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await expect(page.getByRole("main")).toContainText("10,000.00");
}

async function placeFirstOrder(page: Page) {
  await page.goto("/business");
  const main = page.getByRole("main");
  await page
    .getByRole("link", { name: /BTC.?USDT/ })
    .first()
    .click();
  await placeOrder(page, "Up");
  await expect(main.getByRole("region", { name: "Orders" }).getByRole("article")).toHaveCount(1);
}

interface Stored {
  state: string;
  problem: string | null;
  kept: { sent: { key: string } };
}

const readStored = (page: Page) =>
  page.evaluate(
    () => JSON.parse(localStorage.getItem("drydock.acknowledgements") ?? "[]") as Stored[],
  );

test("the browser keeps an order's acknowledgement and compares it in a later visit", async ({
  page,
  context,
}) => {
  await signIn(page);
  await placeFirstOrder(page);
  await expect.poll(async () => (await readStored(page)).length).toBe(1);
  const address = page.url();
  await page.close();

  const laterPage = await context.newPage();
  await laterPage.goto(address);
  await expect
    .poll(async () => (await readStored(laterPage)).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(["kept"]);
  await expect(laterPage.getByRole("alert")).toHaveCount(0);
  const receipt = laterPage.getByRole("link", { name: "Check this result" });
  await receipt.click({ timeout: 100_000 });
  await expect(laterPage.getByText("The arithmetic agrees.", { exact: true })).toBeVisible();
  await expect(laterPage.getByText("The promise you were given")).toBeVisible();
});

test("a server that reverses an order is reported with evidence to save", async ({ page }) => {
  await signIn(page);
  // A dishonest server: it accepts a different direction from the one pressed.
  await page.route("**/api/contract/contractPlaceOrder", (route) => {
    const requestBody = route.request().postDataJSON() as object;
    return route.continue({ postData: JSON.stringify({ ...requestBody, direction: "down" }) });
  });
  await placeFirstOrder(page);
  await page.reload();
  const alarm = page.getByRole("alert", { name: "This instance broke a promise it had signed" });
  await expect(alarm).toBeVisible({ timeout: 30_000 });
  await expect(alarm).toContainText("something other than what this browser sent");
  await expect(alarm).toContainText("Save the evidence");
  await expectClean(page);

  const downloadPromise = page.waitForEvent("download");
  await alarm.getByRole("button", { name: "Save the evidence" }).click();
  const file = JSON.parse(readFileSync(await (await downloadPromise).path(), "utf8"));
  expect(file).toMatchObject({ format: "drydock.acknowledgement.kept/1", practice: true });
  await alarm.getByRole("button", { name: "Got it" }).click();
  await expect(alarm).toHaveCount(0);
  await page.reload();
  await page.waitForTimeout(6_000);
  await expect(alarm).toHaveCount(0);
});
