import { execFile } from "node:child_process";
import { join as joinPath } from "node:path";
import { promisify } from "node:util";
import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { generatePrivateKey } from "viem/accounts";
import {
  addOperator,
  type BrowserUser,
  enterCode,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  getSheet,
  openBrowserUser,
  passphrase,
  phone,
  readFirstCode,
  setPassphrase,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import { injectWallet, type TestWallet } from "./support/wallet.ts";
import { expectAccessible } from "./support/walletActions.ts";

/**
 * Second factors of operators: a security key where the browser allows one (localhost), the
 * passphrase everywhere, and recovery when they are lost.
 */
test.describe.configure({ mode: "serial", timeout: 60_000 });

let server: TestServer;
/** The owner at localhost, which is a secure context with a domain. */
let owner: BrowserUser;
/** The same owner at an IP address. */
let ownerAtAddress: BrowserUser;
let publisher: BrowserUser;
let wallet: TestWallet;
let authenticator: { cdp: CDPSession; id: string };

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  server = await startTestServer(3, {});
  const { port } = new URL(server.url);
  owner = await openBrowserUser(
    browser,
    { ...server, url: `http://localhost:${port}` },
    wideScreen,
  );
  ownerAtAddress = await openBrowserUser(browser, server, phone);
  publisher = await openBrowserUser(browser, { ...server, url: `http://localhost:${port}` }, phone);
  const privateKey = generatePrivateKey();
  wallet = await injectWallet(owner.page, { privateKey });
  await injectWallet(ownerAtAddress.page, { privateKey });
  authenticator = await attachAuthenticator(owner.page);
});

test.afterEach(() => {
  for (const user of [owner, ownerAtAddress, publisher]) expect(user.errors.splice(0)).toEqual([]);
});

test.afterAll(async () => {
  for (const user of [owner, ownerAtAddress, publisher]) await user?.close();
  await server?.stop();
});

/** A virtual authenticator that verifies its user. */
async function attachAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "usb",
      hasResidentKey: false,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

const setUserVerified = (isUserVerified: boolean) =>
  authenticator.cdp.send("WebAuthn.setUserVerified", {
    authenticatorId: authenticator.id,
    isUserVerified,
  });

async function signIn(page: Page): Promise<void> {
  await page.goto("/operator");
  await getButton(page, "Sign in").click();
  await getButton(page, "Test wallet").click();
  await getButton(page, "Sign in with Test wallet").click();
}

async function addKey(page: Page, name: string): Promise<void> {
  await page.getByLabel("Key name").fill(name);
  await getButton(page, "Add a key").click();
}

const badge = (page: Page) => page.getByRole("timer");

test("a security key is registered at localhost and requires a second factor", async () => {
  const { page } = owner;
  await signIn(page);
  await enterCode(page, await readFirstCode(server), "Harbour master");
  await expect(getMain(page)).toContainText("works only at localhost");
  await expectAccessibleAtBoth(page);
  await getButton(page, "Add a key").click();
  await expect(getMain(page)).toContainText("Enter a name of up to 40 characters.");
  await addKey(page, "Blue key");
  await expect(getMain(page)).toContainText("Blue key");
  await expect(getMain(page)).toContainText("Add a second key or a passphrase");
  await expect(page.getByRole("status").filter({ hasText: "Read-only" })).toBeVisible();
  await addKey(page, "The same one");
  await expect(getMain(page)).toContainText("This key is registered already.");
  await expectAccessible(page);
  await setPassphrase(page);
  await expect(page.getByRole("status").filter({ hasText: "Read-only" })).toHaveCount(0);
  // The elevation granted for setup is no longer valid.
  await expect(badge(page)).toHaveCount(0);
});

test("elevation takes a key with user verification, or the passphrase", async () => {
  const { page } = owner;
  await getButton(page, "Elevate access").click();
  await setUserVerified(false);
  await getButton(page, "Use security key").click();
  await expect(getSheet(page)).toContainText("The key didn’t answer, or you cancelled.");
  await expectAccessible(page);
  await setUserVerified(true);
  const signatureCount = wallet.methods.filter((method) => method === "personal_sign").length;
  await getButton(page, "Use security key").click();
  await expect(getSheet(page)).toBeHidden();
  await expect(badge(page)).toBeVisible();
  expect(wallet.methods.filter((method) => method === "personal_sign")).toHaveLength(
    signatureCount + 1,
  );
  await expect(getMain(page)).toContainText(/Blue key.*last used/s);
  await getButton(page, "End elevated access").click();
  await getButton(page, "Elevate access").click();
  await getButton(page, "Use the passphrase instead").click();
  await getSheet(page).getByLabel("Passphrase").fill(passphrase);
  await getSheet(page).getByRole("button", { name: "Elevate access" }).click();
  await expect(badge(page)).toBeVisible();
});

test("at an IP address elevation takes the passphrase, as keys are unavailable", async () => {
  const { page } = ownerAtAddress;
  await signIn(page);
  await expect(getMain(page).getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto("/operator/security");
  await expect(getMain(page)).toContainText("never at an IP address");
  await expect(getMain(page)).toContainText("Works only at localhost");
  await expect(getButton(page, "Add a key")).toHaveCount(0);
  await expectAccessibleAtBoth(page);
  await getButton(page, "Elevate access").click();
  await expect(getButton(page, "Use security key")).toHaveCount(0);
  await getSheet(page).getByLabel("Passphrase").fill(passphrase);
  await getSheet(page).getByRole("button", { name: "Elevate access" }).click();
  await expect(badge(page)).toBeVisible();
});

test("an owner resets another operator's factor, and a new one takes the code", async () => {
  await addOperator(owner.page, publisher, "publisher", "Editor");
  const { page } = owner;
  await page.goto("/operator/operators");
  await getButton(page, /^Editor/).click();
  await getButton(page, "Reset second factor").click();
  await expect(getSheet(page)).toContainText("Enter the reason.");
  await getSheet(page).getByLabel("Reason").fill("Lost their phone");
  await expectAccessible(page);
  await getButton(page, "Reset second factor").click();
  const code = await page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){6}$/).innerText();
  await expect(getSheet(page)).toContainText("Give it to “Editor” in person.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(getMain(page)).toContainText("No second factor yet");

  const publisherPage = publisher.page;
  await publisherPage.goto("/operator/security");
  await expect(getMain(publisherPage)).toContainText("Your second factor was reset");
  await expectAccessibleAtBoth(publisherPage);
  await publisherPage.getByRole("textbox", { name: "Passphrase", exact: true }).fill(passphrase);
  await publisherPage.getByLabel("Repeat passphrase").fill(passphrase);
  await getButton(publisherPage, "Set passphrase").click();
  await expect(getMain(publisherPage)).toContainText("A code has 28 letters and digits");
  await publisherPage.getByLabel("One-time code").fill("0000-0000-0000-0000-0000-0000-0000");
  await getButton(publisherPage, "Set passphrase").click();
  await expect(getMain(publisherPage)).toContainText("This code is unknown, used or expired.");
  await publisherPage.getByLabel("One-time code").fill(code);
  await setPassphrase(publisherPage, "another passphrase of theirs");
  await expect(getMain(publisherPage)).not.toContainText("Your second factor was reset");
});

test("a command on the server resets the only owner, and the audit shows it", async () => {
  const command = joinPath(import.meta.dirname, "../tools/operator/operator.ts");
  const env = { ...process.env, DRYDOCK_DATA: server.data };
  const run = (address: string) =>
    promisify(execFile)("node", [command, "reset", address], { env });
  const stranger = "0x52908400098527886E0F7030069857D2E4169EE7";
  await expect(run(stranger)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is not an operator of the world"),
  });
  await expect(run("0x1234")).rejects.toMatchObject({ code: 2 });
  const { stdout } = await run(wallet.address);
  const code = /: ([0-9A-Z]{4}(?:-[0-9A-Z]{4}){6})\n/.exec(stdout)![1]!;
  const { page } = owner;
  await page.goto("/operator/security");
  await expect(getMain(page)).toContainText("Your second factor was reset");
  await expect(getMain(page)).not.toContainText("last used");
  await page.getByLabel("One-time code").fill(code);
  await addKey(page, "Red key");
  await expect(getMain(page)).toContainText("Add a second key or a passphrase");
  await setPassphrase(page);
  await page.goto("/operator/audit");
  await expect(getMain(page)).toContainText(
    "Console second factor reset by a command on the server",
  );
  await getButton(page, "Check").click();
  await expect(getMain(page)).toContainText("Intact");
});
