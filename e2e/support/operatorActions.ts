import { type Browser, expect, type Page } from "@playwright/test";
import type { Role } from "#core/operator/permissions.ts";
import { waitUntilSettled } from "../../tools/browser/actions.ts";
import type { TestServer } from "./testServer.ts";
import { collectPageErrors, expectAccessible } from "./walletActions.ts";

export const wideScreen = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
/** Viewport of the app's own users. */
export const appViewport = { width: 360, height: 740 };

/** One console page in its own browser context, and the errors its browser reports. */
export interface BrowserUser {
  page: Page;
  errors: string[];
  /** Every URL it has requested so far. */
  requestedPaths: string[];
  close(): Promise<void>;
}

export async function openBrowserUser(
  browser: Browser,
  server: TestServer,
  viewport: { width: number; height: number },
): Promise<BrowserUser> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const requestedUrls: string[] = [];
  page.on("request", (request) => requestedUrls.push(new URL(request.url()).pathname));
  return {
    page,
    requestedPaths: requestedUrls,
    errors: collectPageErrors(page),
    close: () => context.close(),
  };
}

export const getMain = (page: Page) => page.getByRole("main");
export const getSheet = (page: Page) => page.getByRole("dialog");
export const getButton = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) });

/** The code printed at start, shortly after the server's first answer. */
export async function readFirstCode(server: TestServer): Promise<string> {
  const code = /type this code.*: ([0-9A-Z-]{34})/;
  await expect.poll(() => server.readOutput()).toMatch(code);
  return code.exec(server.readOutput())?.[1] as string;
}

/** Signs in on the console's entry page with a new practice wallet, unless already signed in. */
export async function signInAtConsole(page: Page): Promise<void> {
  await page.goto("/operator");
  const entryPage = getMain(page).getByRole("heading", { name: "Enter your code" });
  const signIn = getButton(page, "Sign in");
  await expect(entryPage.or(signIn)).toBeVisible();
  if (await entryPage.isVisible()) return;
  await signIn.click();
  await getButton(page, /^Create a practice wallet/).click();
  await getButton(page, "Later").click();
}

/** Enters a code and a name on the entry page. */
export async function enterCode(page: Page, code: string, name: string): Promise<void> {
  await page.getByLabel("One-time code").fill(code);
  await page.getByLabel("Your name for other operators").fill(name);
  await getButton(page, "Become an operator").click();
}

/** The passphrase of every operator in these tests. */
export const passphrase = "kettle ochre vane and lamp";

/** Sets the passphrase on the page where a new operator arrives; the wallet signs on the way. */
export async function setPassphrase(page: Page, text = passphrase): Promise<void> {
  await expect(getMain(page).getByRole("heading", { name: "Security", level: 1 })).toBeVisible();
  await page.getByRole("textbox", { name: "Passphrase", exact: true }).fill(text);
  await page.getByLabel("Repeat passphrase").fill(text);
  await getButton(page, /^(Set|Change) passphrase$/).click();
  await expect(page.getByText("Saved.")).toBeVisible();
}

/** Signs again with this browser's wallet and the passphrase, in the sheet that has opened. */
export async function elevateInSheet(page: Page): Promise<void> {
  const elevating = page.getByRole("dialog", { name: "Elevated access" });
  await elevating.getByLabel("Passphrase").fill(passphrase);
  await elevating.getByRole("button", { name: "Elevate access" }).click();
  await expect(elevating).toBeHidden();
}

/** The owner creates a code for this role; the person at `user` signs in and redeems it. */
export async function addOperator(
  owner: Page,
  user: BrowserUser,
  role: Role,
  name: string,
): Promise<void> {
  await owner.goto("/operator/operators");
  await getButton(owner, "Invite an operator").click();
  await getSheet(owner)
    .getByRole("radio", { name: new RegExp(`^${role}`, "i") })
    .check();
  await getButton(owner, "Create code").click();
  const shownCode = owner.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){6}$/);
  const elevating = owner.getByRole("dialog", { name: "Elevated access" });
  await expect(shownCode.or(elevating)).toBeVisible();
  if (await elevating.isVisible()) await elevateInSheet(owner);
  const code = await shownCode.innerText();
  await signInAtConsole(user.page);
  await enterCode(user.page, code, name);
  // Auditors change nothing, so they are asked for no second factor.
  if (role !== "auditor") await setPassphrase(user.page);
  await user.page.goto("/operator");
  await expect(getMain(user.page).getByRole("heading", { name: "Overview" })).toBeVisible();
}

/** The menu's links, in order. On a narrow window it is opened first and closed again. */
export async function listMenu(page: Page): Promise<string[]> {
  const opener = getButton(page, "Open the menu");
  const narrow = await opener.isVisible();
  if (narrow) await opener.click();
  const links = page.getByRole("navigation", { name: "Menu" }).getByRole("link");
  await expect(links.first()).toBeVisible();
  const hrefs = await links.evaluateAll((all) =>
    all.map((item) => item.getAttribute("href") ?? ""),
  );
  if (narrow) {
    await page.keyboard.press("Escape");
    await expect(getSheet(page)).toBeHidden();
  }
  return hrefs;
}

/**
 * Checks accessibility in both themes, and that nothing is wider than the window, at 1280 px and at
 * 390 px.
 */
export async function expectAccessibleAtBoth(page: Page): Promise<void> {
  const before = page.viewportSize() ?? wideScreen;
  for (const size of [wideScreen, phone]) {
    await page.setViewportSize(size);
    await waitUntilSettled(page);
    await expectAccessible(page);
  }
  await page.setViewportSize(before);
}

/** Makes `user` the first operator of a new instance, with a practice wallet, at the overview. */
export async function claimFirst(
  user: BrowserUser,
  server: TestServer,
  name: string,
): Promise<void> {
  await signInAtConsole(user.page);
  await enterCode(user.page, await readFirstCode(server), name);
  await setPassphrase(user.page);
  await user.page.goto("/operator");
  await expect(getMain(user.page).getByRole("heading", { name: "Overview" })).toBeVisible();
}
