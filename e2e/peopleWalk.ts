import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Browser, expect, type Page } from "@playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sceneNames, soundChoice } from "#core/lesson/scenes.ts";
import { acceptTerms, openTicket, place } from "../scripts/browser/walk.ts";
import { wordsOf } from "../scripts/browser/words.ts";
import type { OwnServer } from "./ownServer.ts";

const say = wordsOf("en");
export const mainOf = (page: Page) => page.getByRole("main");
export const sheetOf = (page: Page) => page.getByRole("dialog");
export const press = (page: Page, name: string | RegExp) =>
  mainOf(page).getByRole("button", { name }).first().click();

interface Specimen {
  name: string;
  sex: number;
  birthday: string;
  document_type: string;
  number: string;
  contact: { country: string; number: string };
}

/** In the workshop: draws an identity whose document teaches `kind`, and saves the picture of it. The sheet is left open. */
export async function drawDocument(page: Page, type: string, kind: string): Promise<Buffer> {
  await press(page, /^Draw (an identity|another)$/);
  const sheet = sheetOf(page);
  await sheet.getByRole("button", { name: type, exact: true }).click();
  await sheet.getByRole("radio", { name: new RegExp(`^${kind}`) }).check();
  await sheet.getByRole("button", { name: "Draw it" }).click();
  await expect(sheet.getByRole("img", { name: /^Specimen document/ })).toBeVisible();
  const saving = page.waitForEvent("download");
  await sheet.getByRole("button", { name: "Save as PNG" }).click();
  return readFileSync(await (await saving).path());
}

/** From the open sheet through the form's first two steps, by hand, as the identity says. */
export async function fillForm(page: Page): Promise<void> {
  const answer = await page.request.get("/api/user/getSpecimenList?page=1&page_size=1");
  const { data } = (await answer.json()) as { data: { items: [Specimen] } };
  const [one] = data.items;
  const main = mainOf(page);
  await sheetOf(page).getByRole("button", { name: "Fill in the form" }).click();
  await main.getByLabel("Name", { exact: true }).fill(one.name);
  await main.getByLabel("Sex", { exact: true }).selectOption(String(one.sex));
  await main.getByLabel("Date of birth").fill(one.birthday);
  await press(page, "Next");
  await main.getByLabel("Document type").selectOption(one.document_type);
  await main.getByLabel("Document number").fill(one.number);
  await main.getByLabel("Country or region of the number").selectOption(one.contact.country);
  await main.getByLabel("Contact number").fill(one.contact.number);
  await press(page, "Next");
}

/** Chooses the picture in the form's third step. */
export async function choosePicture(page: Page, buffer: Buffer): Promise<void> {
  const picture = { name: "document.png", mimeType: "image/png", buffer };
  await mainOf(page).locator("input[type=file]").first().setInputFiles(picture);
}

/** Goes through the six scenes; in the first the person decides wrongly, so that both answers are seen. */
export async function takeLesson(page: Page): Promise<void> {
  const main = mainOf(page);
  await press(page, say("lesson.begin"));
  for (const [at, scene] of sceneNames.entries()) {
    await expect(main.getByRole("heading", { name: say(`lesson.${scene}.title`) })).toBeVisible();
    const choice = at === 0 ? "a" : soundChoice[scene];
    await press(page, say(`lesson.${scene}.${choice}`));
    await expect(main).toContainText(say(`lesson.${scene}.${at === 0 ? "wrong" : "right"}`));
    await press(page, say(at === 5 ? "lesson.toEnd" : "lesson.next"));
  }
  await expect(main.getByText("In 5 of 6 scenes nothing was risked.")).toBeVisible();
}

/** On the trade screen: places an order and waits for the way to its receipt, which is opened and recomputed. */
export async function orderAndCheck(page: Page): Promise<void> {
  const main = mainOf(page);
  await expect(page.getByRole("heading", { level: 1, name: "Contracts" })).toBeVisible();
  await main
    .getByRole("link", { name: /BTC.?USDT/ })
    .first()
    .click();
  await openTicket(page, say);
  await place(page, say);
  const receipt = main.getByRole("link", { name: "Check this result" }).first();
  await receipt.click({ timeout: 60_000 });
  await expect(page.getByText("The arithmetic agrees.", { exact: true })).toBeVisible();
}

/** From the list of first steps: reads the terms to their end and accepts them. */
export async function acceptFromSteps(page: Page): Promise<void> {
  await press(page, say("steps.terms"));
  await acceptTerms(page, say);
}

/** Withdraws to an address that is made on the way, with the three questions that come before the first one. */
export async function withdraw(page: Page, amount: string): Promise<void> {
  const main = mainOf(page);
  await expect(main.getByRole("radio", { name: "No" }).first()).toBeVisible();
  for (const no of await main.getByRole("radio", { name: "No" }).all()) await no.check();
  await main.getByLabel("Amount").fill(amount);
  await keepAddress(page, "My own");
  await sheetOf(page)
    .getByRole("button", { name: /My own/ })
    .first()
    .click();
  await press(page, "Review withdrawal");
  await sheetOf(page).getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(main).toContainText("Held for withdrawals and the like");
}

/** Opens the address book of a form and keeps a new practice address by this name. The book stays open. */
export async function keepAddress(page: Page, name: string): Promise<void> {
  await press(page, "Address book");
  const sheet = sheetOf(page);
  await sheet.getByRole("button", { name: "Add address" }).click();
  await sheet.getByLabel("Name").fill(name);
  await sheet.getByRole("button", { name: "Make a practice address" }).click();
  await sheet.getByRole("button", { name: "Save address" }).click();
  await expect(sheet.getByText(name)).toBeVisible();
}

/** A browser of its own with no session. */
export async function visitor(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  return context.newPage();
}

type Send = (method: "GET" | "POST", path: string, input: object) => Promise<unknown>;

/** The calls of the first operator of a new instance, who became one with the code that the start printed. No browser is needed. */
export async function firstOperator(server: OwnServer): Promise<Send> {
  const account = privateKeyToAccount(generatePrivateKey());
  let token = "";
  const send: Send = async (method, path, input) => {
    const query = method === "GET" ? `?${new URLSearchParams(Object.entries(input))}` : "";
    const answer = await fetch(`${server.url}${path}${query}`, {
      method,
      headers: { "content-type": "application/json", "idempotency-key": newKey(), token },
      ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
    });
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: never };
    if (code !== 1) throw new Error(`${path}: ${msg}`);
    return data;
  };
  const { address } = account;
  const nonce = (await send("GET", "/api/user/nonce", { address, chain_id: "1" })) as Record<
    string,
    string
  >;
  const message = [
    `${nonce.domain} wants you to sign in with your Ethereum account:`,
    ...[address, "", nonce.statement, "", `URI: ${nonce.uri}`, "Version: 1", "Chain ID: 1"],
    ...[`Nonce: ${nonce.nonce}`, `Issued At: ${nonce.issued_at}`],
    `Expiration Time: ${nonce.expiration_time}`,
  ].join("\n");
  const signature = await account.signMessage({ message });
  const signedIn = await send("POST", "/api/user/create", {
    ...{ address, type: "erc", message, signature },
  });
  token = (signedIn as { token: string }).token;
  const code = /code, once, within 24 hours: (\S+)/.exec(server.printed())?.[1];
  await send("POST", "/api/operator/claim", { code, name: "Harbour office" });
  return send;
}

/** Publishes at once, and waits until it is out. */
export async function publish(send: Send, kind: "news" | "notice", body: object): Promise<string> {
  const id = randomUUID();
  const path = `/api/operator/publishing/${kind}`;
  const saved = (await send("POST", `${path}/save`, { id, revision: 0, body })) as {
    revision: number;
  };
  await send("POST", `${path}/publish`, { id, revision: saved.revision, at_ms: null });
  await expect.poll(() => send("GET", `${path}/read`, { id })).toMatchObject({ live: true });
  return id;
}

function newKey(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
