import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { getMain, getSheet, press } from "./peopleActions.ts";
import { expectAccessible } from "./walletActions.ts";

/**
 * Excludes the person from contracts for one day, on their own page; the contract ticket then says
 * so.
 */
export async function excludeUntilTomorrow(page: Page): Promise<void> {
  const main = getMain(page);
  await page.goto("/ucenter");
  await press(page, /Your limits/);
  await getSheet(page).getByRole("button", { name: "One day" }).click();
  const sure = page.getByRole("alertdialog");
  await expect(sure).toContainText("Nobody can undo this");
  await sure.getByRole("button", { name: "Exclude me for one day" }).click();
  await expect(getSheet(page)).toContainText("You excluded yourself until");
  await expectAccessible(page);
  await page.goto("/business?contract_id=btc-usdt");
  await expect(main).toContainText("You excluded yourself until");
  await expect(main.getByRole("button", { name: "Up", exact: true })).toHaveCount(0);
}

/** Downloads the archive from the person's own page and unpacks it: text by file name. */
export async function exportAll(page: Page): Promise<Record<string, string>> {
  await page.goto("/ucenter");
  await press(page, /Export everything/);
  const downloadPromise = page.waitForEvent("download");
  await getSheet(page).getByRole("button", { name: "Create the archive" }).click();
  const bytes = readFileSync(await (await downloadPromise).path());
  await expect(getSheet(page)).toContainText("Saved as ");
  await expectAccessible(page);
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, strFromU8(content)]));
}

/** Deletes the account and returns the receipt's id, read from the saved receipt. */
export async function deleteAccount(page: Page): Promise<string> {
  await page.goto("/ucenter");
  await press(page, /Delete account/);
  const sheet = getSheet(page);
  await expect(sheet).toContainText("Your self-exclusion from contracts until");
  await expect(sheet.getByRole("button", { name: "Delete for good" })).toBeDisabled();
  await sheet.getByLabel("Type “delete” to continue").fill("delete");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Delete for good" }).click();
  await expect(sheet).toContainText("Account deleted");
  const downloadPromise = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "Save the receipt" }).click();
  const receipt = JSON.parse(readFileSync(await (await downloadPromise).path(), "utf8")) as {
    receipt_id: string;
    postings_kept: number;
  };
  expect(receipt.postings_kept).toBeGreaterThan(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  return receipt.receipt_id;
}

/** The opaque id of the signed-in user. */
export async function getUserId(page: Page): Promise<string> {
  const answer = await page.request.post("/api/user/userinfo", { data: {} });
  const { data } = (await answer.json()) as { data: { user_id: string } };
  return data.user_id;
}
