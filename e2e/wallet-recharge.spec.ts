import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import {
  collectPageErrors,
  expectAccessible,
  expectLedgerAddsUp,
  getAvailable,
  openNewPerson,
} from "./support/walletActions.ts";

const rechargePath = "/wallet-info?coin=pUSDT&do=recharge";

/**
 * In the voucher maker: draws a voucher of this kind and amount. Leaves the sheet with the drawing
 * open.
 */
async function draw(page: Page, kind: string, amount: string): Promise<void> {
  await page.getByRole("button", { name: "Create a voucher" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: amount }).first().click();
  await sheet.getByRole("radio", { name: new RegExp(`^${kind}`) }).check();
  await sheet.getByRole("button", { name: "Create it" }).click();
  await expect(sheet.getByRole("img", { name: "Specimen voucher" })).toBeVisible();
}

const choose = (page: Page, picture: { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator("main input[type=file]").first().setInputFiles(picture);

const send = (page: Page) => page.getByRole("button", { name: "Send for review" }).click();

/** Fills in the form by hand, as with a file received from someone. */
async function sendFile(page: Page, amount: string, buffer: Buffer): Promise<void> {
  await page.getByRole("main").getByLabel("Amount").fill(amount);
  await choose(page, { name: "voucher.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("img", { name: "The picture you chose" })).toBeVisible();
  await send(page);
}

/** Waits for the decision on the open recharge, its reason, and what could have been noticed. */
async function waitForDecision(page: Page, state: string, reason: RegExp, noticed: RegExp) {
  const main = page.getByRole("main");
  await expect(main.getByText("Your top-up")).toBeVisible();
  await expect(main.getByRole("listitem").filter({ hasText: state })).toBeVisible({
    timeout: 30_000,
  });
  await expect(main).toContainText(reason);
  await expect(main).toContainText("What you could have noticed");
  await expect(main).toContainText(noticed);
}

test("a good voucher is credited once and anything else is refused", async ({
  browser,
  baseURL,
}) => {
  const page = await openNewPerson(browser, baseURL as string);
  const errors = collectPageErrors(page);
  const main = page.getByRole("main");
  await page.goto(rechargePath);
  await send(page);
  await expect(main.getByText("Enter an amount.")).toBeVisible();
  await main.getByLabel("Amount").fill("100");
  await send(page);
  await expect(main.getByText("Add a picture of the voucher.")).toBeVisible();
  await expectAccessible(page);

  // A screenshot of this page stands in for any other picture.
  const foreignPicture = await page.screenshot();
  await sendFile(page, "100", foreignPicture);
  await expect(main.getByRole("alert")).toContainText("We found no QR code in this picture");
  await expect(main.getByRole("alert")).toContainText("nothing was stored");
  await choose(page, { name: "v.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  const hint = main.getByText("Choose a picture of the voucher.", { exact: true });
  await expect(hint).toBeVisible();
  await expect(main.getByText("No top-ups yet.")).toBeVisible();
  expect(await getAvailable(page, "pUSDT")).toBe("10000");

  await draw(page, "Good", "100");
  await expectAccessible(page);
  const downloadPromise = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Save as PNG" }).click();
  const file = readFileSync(await (await downloadPromise).path());
  await page.keyboard.press("Escape");
  await sendFile(page, "100", file);
  await expect(main.getByText("Under review")).toBeVisible();
  await waitForDecision(page, "Credited", /100 pUSDT credited/, /the issuer’s list decided/);
  await expectAccessible(page);
  await expect.poll(() => getAvailable(page, "pUSDT")).toBe("10100");
  await expectLedgerAddsUp();

  await page.getByRole("button", { name: "Top up again" }).click();
  await sendFile(page, "100", file);
  await waitForDecision(
    page,
    "Refused",
    /this voucher was already used/,
    /a copy looks like the orig/,
  );
  expect(await getAvailable(page, "pUSDT")).toBe("10100");
  await expectLedgerAddsUp();
  expect(errors).toEqual([]);
  await page.context().close();
});

const faulty = [
  [
    "Wrong network",
    /you chose the network .*, but the voucher names/,
    /The voucher shows the network/,
  ],
  ["Already used", /this voucher was already used on/, /a copy looks like the original/],
  [
    "Altered",
    /the issuer signed .*, but the voucher says/,
    /It takes a minute to change an amount/,
  ],
  ["Expired", /the voucher expired on/, /The date under “Valid until”/],
] as const;

test("each faulty voucher is refused with its reason and its visible sign", async ({
  browser,
  baseURL,
}) => {
  const page = await openNewPerson(browser, baseURL as string);
  const errors = collectPageErrors(page);
  const main = page.getByRole("main");
  await page.goto(rechargePath);
  for (const [kind] of faulty) {
    await draw(page, kind, "500");
    await page.getByRole("dialog").getByRole("button", { name: "Use it now" }).click();
    await expect(page.getByRole("img", { name: "The picture you chose" })).toBeVisible();
    await send(page);
    await expect(main.getByText("Your top-up")).toBeVisible();
    await page.getByRole("button", { name: "Top up again" }).click();
  }
  // Once decided, each is listed with its reason and opens from there.
  for (const [kind, reason, noticed] of faulty) {
    await main.getByRole("button").filter({ hasText: kind }).filter({ hasText: "Refused" }).click();
    await waitForDecision(page, "Refused", reason, noticed);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Top up again" }).click();
  }
  await expectLedgerAddsUp();
  expect(await getAvailable(page, "pUSDT")).toBe("10000");
  expect(errors).toEqual([]);
  await page.context().close();
});
