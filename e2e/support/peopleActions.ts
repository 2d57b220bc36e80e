import { readFileSync } from "node:fs";
import { type Browser, expect, type Page } from "@playwright/test";
import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { correctChoices, sceneNames } from "#core/lesson/scenes.ts";
import { loadTranslate } from "../../tools/browser/words.ts";

const say = loadTranslate("en");
export const getMain = (page: Page) => page.getByRole("main");
export const getSheet = (page: Page) => page.getByRole("dialog");
export const press = (page: Page, name: string | RegExp) =>
  getMain(page).getByRole("button", { name }).first().click();

/**
 * Goes from the open sign-in sheet to a session, with this browser's practice wallet or a new one.
 */
export async function completeSignIn(page: Page): Promise<void> {
  const sheet = getSheet(page);
  const choiceButton = sheet.getByRole("button", {
    name: /^(Create a|Sign in with the) practice wallet/,
  });
  await choiceButton.click();
  await choiceButton.waitFor({ state: "hidden" });
}

interface Specimen {
  name: string;
  sex: number;
  birthday: string;
  document_type: string;
  number: string;
  contact: { country: string; number: string };
}

/**
 * In the specimen maker: draws an identity whose document teaches `kind`, and saves its picture.
 * Leaves the sheet open.
 */
export async function drawDocument(page: Page, type: string, kind: string): Promise<Buffer> {
  await press(page, /^Create (an identity|another)$/);
  const sheet = getSheet(page);
  await sheet.getByRole("button", { name: type, exact: true }).click();
  await sheet.getByRole("radio", { name: new RegExp(`^${kind}`) }).check();
  await sheet.getByRole("button", { name: "Create it" }).click();
  await expect(sheet.getByRole("img", { name: /^Specimen document/ })).toBeVisible();
  const downloadPromise = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "Save as PNG" }).click();
  return readFileSync(await (await downloadPromise).path());
}

/** Goes from the open sheet through the form's first two steps, typing the identity's details. */
export async function fillForm(page: Page): Promise<void> {
  const answer = await page.request.get("/api/user/getSpecimenList?page=1&page_size=1");
  const { data } = (await answer.json()) as { data: { items: [Specimen] } };
  const [specimen] = data.items;
  const main = getMain(page);
  await getSheet(page).getByRole("button", { name: "Fill in the form" }).click();
  await main.getByLabel("Name", { exact: true }).fill(specimen.name);
  await main.getByLabel("Sex", { exact: true }).selectOption(String(specimen.sex));
  await main.getByLabel("Date of birth").fill(specimen.birthday);
  await press(page, "Next");
  await main.getByLabel("Document type").selectOption(specimen.document_type);
  await main.getByLabel("Document number").fill(specimen.number);
  await main.getByLabel("Country or region of the number").selectOption(specimen.contact.country);
  await main.getByLabel("Contact number").fill(specimen.contact.number);
  await press(page, "Next");
}

/** Reads the content of the QR code in a saved picture. */
export async function readQrCode(file: string): Promise<string> {
  const picture = sharp(file).ensureAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data });
}

/** Chooses the picture in the form's third step. */
export async function choosePicture(page: Page, buffer: Buffer): Promise<void> {
  const picture = { name: "document.png", mimeType: "image/png", buffer };
  await getMain(page).locator("input[type=file]").first().setInputFiles(picture);
}

/**
 * Completes the twelve scenes; the person decides wrongly in the first, so that both responses are
 * covered.
 */
export async function takeLesson(page: Page): Promise<void> {
  const main = getMain(page);
  await press(page, say("lesson.begin"));
  for (const [index, scene] of sceneNames.entries()) {
    await expect(main.getByRole("heading", { name: say(`lesson.${scene}.title`) })).toBeVisible();
    const choice = index === 0 ? "a" : correctChoices[scene];
    await press(page, say(`lesson.${scene}.${choice}`));
    await expect(main).toContainText(say(`lesson.${scene}.${index === 0 ? "wrong" : "right"}`));
    await press(page, say(index === sceneNames.length - 1 ? "lesson.toEnd" : "lesson.next"));
  }
  await expect(main.getByText("In 11 of 12 scenes you risked nothing.")).toBeVisible();
}

/**
 * Withdraws to an address created on the way, answering the three questions before the first
 * withdrawal.
 */
export async function withdraw(page: Page, amount: string): Promise<void> {
  const main = getMain(page);
  await expect(main.getByRole("radio", { name: "No" }).first()).toBeVisible();
  for (const no of await main.getByRole("radio", { name: "No" }).all()) await no.check();
  await main.getByLabel("Amount").fill(amount);
  await saveAddress(page, "My own");
  await getSheet(page)
    .getByRole("button", { name: /My own/ })
    .first()
    .click();
  await press(page, "Review withdrawal");
  await getSheet(page).getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(main).toContainText("Held, for example for withdrawals");
}

/**
 * Opens the address book of a form and saves a new practice address under this name. Leaves the
 * book open.
 */
export async function saveAddress(page: Page, name: string): Promise<void> {
  await press(page, "Address book");
  const sheet = getSheet(page);
  await sheet.getByRole("button", { name: "Add address" }).click();
  await sheet.getByLabel("Name").fill(name);
  await sheet.getByRole("button", { name: "Create a practice address" }).click();
  await sheet.getByRole("button", { name: "Save address" }).click();
  await expect(sheet.getByText(name)).toBeVisible();
}

/** A page in a new browser context without a session. */
export async function openVisitor(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  return context.newPage();
}
