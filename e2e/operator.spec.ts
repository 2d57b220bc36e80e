import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Permission, permissionNames, type Role, roles } from "#core/operator/permissions.ts";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import {
  addOperator,
  appViewport,
  type BrowserUser,
  elevateInSheet,
  enterCode,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  getSheet,
  listMenu,
  openBrowserUser,
  passphrase,
  phone,
  readFirstCode,
  setPassphrase,
  signInAtConsole,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import { allowedMethods, injectWallet, type TestWallet } from "./support/wallet.ts";
import { expectAccessible, expectLedgerAddsUp } from "./support/walletActions.ts";

/**
 * One new instance: its operators join one after another and work side by side, each in their own
 * browser.
 */
test.describe.configure({ mode: "serial", timeout: 60_000 });

let server: TestServer;
let owner: BrowserUser;
let ownersWallet: TestWallet;
let publisher: BrowserUser;
let support: BrowserUser;
let auditor: BrowserUser;
/** Uses the app and is not an operator. */
let person: BrowserUser;
let code: string;

const menu = (page: BrowserUser["page"], name: string) =>
  page.getByRole("link", { name, exact: true });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  server = await startTestServer(1, { WORLD_SPEED: "6" });
  owner = await openBrowserUser(browser, server, wideScreen);
  ownersWallet = await injectWallet(owner.page);
  publisher = await openBrowserUser(browser, server, wideScreen);
  support = await openBrowserUser(browser, server, wideScreen);
  auditor = await openBrowserUser(browser, server, phone);
  person = await openBrowserUser(browser, server, appViewport);
  code = await readFirstCode(server);
});

test.afterEach(() => {
  for (const user of [owner, publisher, support, auditor, person]) {
    expect(user.errors.splice(0)).toEqual([]);
  }
});

test.afterAll(async () => {
  for (const user of [owner, publisher, support, auditor, person]) await user?.close();
  await server?.stop();
});

test("the printed code creates the first operator, and wrong or used codes are refused", async () => {
  const { page } = owner;
  await page.goto("/operator");
  await expect(page).toHaveTitle(/Drydock/);
  await expectAccessibleAtBoth(page);
  await getButton(page, "Sign in").click();
  await getButton(page, "Test wallet").click();
  await getButton(page, "Sign in with Test wallet").click();
  await expect(getMain(page).getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await expectAccessibleAtBoth(page);

  await enterCode(page, "7K2Q", "");
  await expect(getMain(page)).toContainText("A code has 28 letters and digits");
  await expect(getMain(page)).toContainText("Enter a name of up to 40 characters.");
  await enterCode(page, "0000-0000-0000-0000-0000-0000-0000", "Harbour master");
  await expect(getMain(page)).toContainText("This code is unknown, used or expired.");
  await expectAccessible(page);
  // The input is kept; a code is accepted in upper or lower case and without its dashes.
  await expect(page.getByLabel("Your name for other operators")).toHaveValue("Harbour master");
  await page.getByLabel("One-time code").fill(code.toLowerCase().replaceAll("-", " "));
  await getButton(page, "Become an operator").click();
  await expect(getMain(page).getByRole("heading", { name: "Security", level: 1 })).toBeVisible();
  await menu(page, "Overview").click();
  await expect(getMain(page).getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(getMain(page)).toContainText("Harbour master");
  await expect(getMain(page)).toContainText("First operator code used");
  await expectAccessibleAtBoth(page);

  await signInAtConsole(publisher.page);
  await enterCode(publisher.page, code, "Too late");
  await expect(getMain(publisher.page)).toContainText("This code is unknown, used or expired.");
});

test("without a second factor the console is read-only and links to the setup", async () => {
  const { page } = owner;
  const banner = page.getByRole("status").filter({ hasText: "Read-only" });
  for (const path of ["/operator/operators", "/operator/class", "/operator/publishing"]) {
    await page.goto(path);
    await expect(getMain(page).getByRole("heading", { level: 1 })).toBeVisible();
    await expect(banner).toBeVisible();
    await expect(getButton(page, /^(Invite|Create|New|Elevate|Announce)/)).toHaveCount(0);
  }
  await banner.getByRole("link", { name: "Set it up" }).click();
  await expect(getMain(page).getByRole("heading", { name: "Security", level: 1 })).toBeFocused();
  await expectAccessibleAtBoth(page);
  // An IP address: browsers allow no security key here, and the page says so.
  await expect(getMain(page)).toContainText("never at an IP address");
  await page.getByRole("textbox", { name: "Passphrase", exact: true }).fill("too short");
  await getButton(page, "Set passphrase").click();
  await expect(getMain(page)).toContainText("Use 12 to 128 characters.");
  await page.getByRole("textbox", { name: "Passphrase", exact: true }).fill(passphrase);
  await getButton(page, "Set passphrase").click();
  await expect(getMain(page)).toContainText("The two passphrases don’t match.");
  await expectAccessible(page);
  await setPassphrase(page);
  await expect(banner).toHaveCount(0);
  await expect(getButton(page, "Elevate access")).toBeVisible();
});

test("elevation requires a signature and the passphrase, expires and can be ended", async () => {
  const { page } = owner;
  const countBefore = ownersWallet.methods.length;
  await getButton(page, "Elevate access").click();
  await expectAccessible(page);
  await getSheet(page).getByLabel("Passphrase").fill(passphrase);
  ownersWallet.fail("personal_sign", { code: 4001, message: "User rejected" });
  await getSheet(page).getByRole("button", { name: "Elevate access" }).click();
  await expect(getSheet(page)).toContainText("You declined in the wallet.");
  ownersWallet.fail("personal_sign", null);
  await getSheet(page).getByLabel("Passphrase").fill("a wrong passphrase");
  await getSheet(page).getByRole("button", { name: "Elevate access" }).click();
  await expect(getSheet(page)).toContainText("Wrong passphrase. Your access wasn’t elevated.");
  await expectAccessible(page);
  await elevateInSheet(page);
  await expect(page.getByRole("timer")).toHaveText(/^(10:00|09:5\d|9:5\d)/);
  await getButton(page, "End elevated access").click();
  await expect(getButton(page, "Elevate access")).toBeVisible();
  for (const method of ownersWallet.methods.slice(countBefore))
    expect(allowedMethods).toContain(method);
});

test("an owner's invitation code exists only in the owner's browser", async () => {
  const { page } = owner;
  const requestTexts: string[] = [];
  page.on("request", (request) =>
    requestTexts.push(`${request.url()} ${request.postData() ?? ""}`),
  );
  await page.getByRole("link", { name: "Operators", exact: true }).click();
  // Screen readers announce a navigation: the heading has focus.
  await expect(getMain(page).getByRole("heading", { name: "Operators", level: 1 })).toBeFocused();
  await expectAccessibleAtBoth(page);
  await getButton(page, "Invite an operator").click();
  await expectAccessible(page);
  await getSheet(page)
    .getByRole("radio", { name: /^Auditor/ })
    .check();
  await getButton(page, "Create code").click();
  // The elevation has ended: it is requested again on the way, and the input is kept.
  await elevateInSheet(page);
  const code = await page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){6}$/).innerText();
  await expect(getSheet(page)).toContainText("become “Auditor”");
  await expectAccessible(page);
  expect(requestTexts.join("\n")).not.toMatch(
    new RegExp(`${code}|${code.replaceAll("-", "")}`, "i"),
  );
  await getSheet(page).getByRole("button", { name: "Close" }).first().click();
  await expect(getMain(page)).toContainText("Unused codes");

  await signInAtConsole(auditor.page);
  await enterCode(auditor.page, code, "Ledger reader");
  await expect(getMain(auditor.page).getByRole("heading", { name: "Overview" })).toBeVisible();
  await addOperator(page, support, "support", "Desk");
  await addOperator(page, publisher, "publisher", "Editor");
  await page.goto("/operator/operators");
  for (const name of ["Harbour master", "Ledger reader", "Desk", "Editor"]) {
    await expect(getMain(page)).toContainText(name);
  }
  await expect(getMain(page)).not.toContainText("Unused codes");
});

/** Every page of the console and the permission it requires; null: open to every operator. */
const pages: readonly (readonly [path: string, permission: Permission | null])[] = [
  ["/operator", null],
  ["/operator/publishing", "publish.news"],
  ["/operator/people", "people.find"],
  ["/operator/class", "class.links"],
  ["/operator/instance", "instance.view"],
  ["/operator/use", "instance.view"],
  ["/operator/errors", "instance.view"],
  ["/operator/settings", "instance.view"],
  ["/operator/worlds", "instance.worlds"],
  ["/operator/security", null],
  ["/operator/operators", "operators.manage"],
  ["/operator/audit", "audit.read"],
];

test("each role sees and opens only permitted pages", async () => {
  const users = { owner, publisher, support, auditor };
  for (const [role, { page }] of Object.entries(users) as [Role, BrowserUser][]) {
    const isPermitted = (permission: Permission | null) =>
      permission === null || roles[role].includes(permission);
    const [menuPaths, otherPaths] = [true, false].map((isInside) =>
      pages.filter(([, permission]) => isPermitted(permission) === isInside).map(([path]) => path),
    );
    expect(await listMenu(page), role).toEqual(menuPaths);
    for (const path of otherPaths as string[]) {
      await page.goto(path);
      await expect(getMain(page).getByRole("heading", { level: 1 })).toHaveText(
        "You can’t open that page",
      );
    }
  }
  await expectAccessibleAtBoth(publisher.page);
  const answer = await publisher.page.request.get("/api/operator/getAudit");
  expect([answer.status(), ((await answer.json()) as { error: string }).error]).toEqual([
    403,
    "operator.not_permitted",
  ]);
  await expect(getButton(auditor.page, "Elevate access")).toHaveCount(0);
});

test("the audit shows every action, its chain verifies and its export matches", async () => {
  const { page } = auditor;
  await page.goto("/operator/audit");
  await expect(getMain(page)).toContainText("First operator code used");
  await expect(getMain(page)).toContainText("Operator joined");
  await getButton(page, "Check").click();
  await expect(getMain(page)).toContainText("Intact");
  await expectAccessibleAtBoth(page);
  const downloadPromise = page.waitForEvent("download");
  await getMain(page).getByRole("link", { name: "Export CSV" }).click();
  const lines = readFileSync(await (await downloadPromise).path(), "utf8")
    .trimEnd()
    .split("\r\n");
  // The export itself is an audit event, and the latest one.
  const answer = await page.request.get("/api/operator/checkAudit");
  const { data: chain } = (await answer.json()) as { data: { acts: number; head: string } };
  expect(lines).toHaveLength(chain.acts + 1);
  expect(lines.at(-1)).toContain(chain.head);
  expect(lines.slice(1).every((line) => line.startsWith('"practice, backed by nothing",'))).toBe(
    true,
  );
  await getMain(page)
    .getByRole("button", { name: /Operator code created/ })
    .first()
    .click();
  await expect(getSheet(page)).toContainText("Entry hash");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
});

test("a person without a role sees the operators' permissions and the head of the audit chain", async () => {
  const { page } = person;
  await page.goto("/help?view=powers");
  const permissions = page.locator("[data-permission]");
  await expect(permissions).toHaveCount(permissionNames.length);
  const shownNames = await permissions.evaluateAll((items) =>
    items.map((item) => item.dataset.permission),
  );
  expect(new Set(shownNames)).toEqual(new Set(permissionNames));
  const answer = await auditor.page.request.get("/api/operator/checkAudit");
  const { data: chain } = (await answer.json()) as { data: { head: string } };
  await expect(page.getByTitle(chain.head)).toBeVisible();
});

test("the app never requests the console's bundle and does not link to it", async () => {
  const { page, requestedPaths } = person;
  for (const path of ["/home", "/ucenter", "/news-list", "/help", "/authorized-activity"]) {
    await page.goto(path);
    await waitUntilSettled(page);
    await expect(page.locator("a[href^='/operator']")).toHaveCount(0);
  }
  expect(requestedPaths.length).toBeGreaterThan(20);
  expect(requestedPaths.filter((path) => path.startsWith("/operator"))).toEqual([]);
});

test("the console changed nothing in the ledger", async () => {
  await expectLedgerAddsUp(server.data);
});
