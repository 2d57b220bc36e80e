import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import {
  appViewport,
  type BrowserUser,
  claimFirst,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  openBrowserUser,
  wideScreen,
} from "./support/operatorActions.ts";
import { completeSignIn } from "./support/peopleActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import { expectAccessible } from "./support/walletActions.ts";

/**
 * A teacher prints codes; a pupil joins with one, does a task, and moves to another device; what the
 * teacher looks at is in the pupil's records.
 */
test.describe.configure({ mode: "serial", timeout: 90_000 });

const say = loadTranslate("en");
let server: TestServer;
let teacher: BrowserUser;
let pupil: BrowserUser;
/** The other device of the same pupil. */
let tablet: BrowserUser;
let codes: string[];
/** The class link, for those without a code. */
let link: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  server = await startTestServer(1, { WORLD_SPEED: "1" });
  teacher = await openBrowserUser(browser, server, wideScreen);
  pupil = await openBrowserUser(browser, server, appViewport);
  tablet = await openBrowserUser(browser, server, appViewport);
  await claimFirst(teacher, server, "Class teacher");
});

test.afterAll(async () => {
  for (const user of [teacher, pupil, tablet]) await user?.close();
  await server?.stop();
});

/**
 * A person invited by a friend is asked right after the sign-up, or at the next start; until then
 * the browser remembers to ask.
 */
async function expectNotAskedWhoSent(page: Page): Promise<void> {
  const question = page.getByRole("dialog", { name: say("invites.ask.title") });
  const readAsked = () => page.evaluate(() => localStorage.getItem("drydock.invite_asked"));
  expect(await readAsked()).toBeNull();
  await expect(question).toHaveCount(0);
  await page.reload();
  await waitUntilSettled(page);
  expect(await readAsked()).toBeNull();
  await expect(question).toHaveCount(0);
}

const pin = "482915";
const row = (page: Page, number: number) =>
  getMain(page)
    .getByRole("table", { name: say("classes.room.table") })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: String(number), exact: true }) });

test("codes are created for a class, and unused ones print ten to a page", async () => {
  const { page } = teacher;
  await page.goto("/operator/class");
  await getButton(page, say("classes.link.make")).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel(say("classes.label")).fill("Class 7b");
  await sheet.getByRole("button", { name: say("classes.link.make") }).click();
  await expect(sheet.getByRole("button", { name: say("classes.link.copy") })).toBeVisible();
  link = await sheet.getByText(/\/home\?invite=/).innerText();
  await page.goto("/operator/class");
  await getMain(page)
    .getByRole("link", { name: say("classes.codes.open") })
    .click();
  await expect(getMain(page).getByText(say("classes.codes.loopback"))).toBeVisible();
  await getMain(page).getByLabel(say("classes.codes.count")).fill("12");
  await getButton(page, say("classes.codes.make")).click();
  await expect(getMain(page)).toContainText(
    say("classes.codes.state", { unused: "12", used: "0" }),
  );
  await expectAccessibleAtBoth(page);
  await page.emulateMedia({ media: "print" });
  const slips = page.locator(".slip");
  await expect(slips).toHaveCount(12);
  await expect(slips.first()).toBeVisible();
  await expect(getMain(page)).toBeHidden();
  const pdf = await page.pdf();
  // Twelve slips: two pages.
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  codes = await slips.locator(".slip-code").allInnerTexts();
  for (const code of codes) expect(code).toMatch(/^[3-9A-Y]{4}(-[3-9A-Y]{4}){2}$/);
  await page.emulateMedia({ media: "screen" });
});

test("a pupil reads what the teacher can see, joins by a scanned code, and gets the tasks", async () => {
  const { page } = pupil;
  await page.goto(`/class#${codes[0]!.replaceAll("-", "")}`);
  await expect(getMain(page)).toContainText(say("class-room.join.sees", { number: "1" }));
  await expect(getMain(page)).toContainText(say("class-room.join.records"));
  // The code does not stay in the address.
  expect(new URL(page.url()).hash).toBe("");
  await expectAccessible(page);
  await getButton(page, say("class-room.join.do")).click();
  await expect(getMain(page)).toContainText(
    say("class-room.seen.code", { number: "1" }).slice(0, 40),
  );
  await expect(getMain(page)).toContainText(
    say("class-room.tasks.count", { done: "0", total: "7" }),
  );
  await expectAccessible(page);
  expect(pupil.requestedPaths.join(" ")).not.toContain(codes[0]!.slice(0, 4));
  await expectNotAskedWhoSent(page);
});

test("a person who joins by the class link is not asked who invited them", async ({ browser }) => {
  const guest = await openBrowserUser(browser, server, appViewport);
  const { page } = guest;
  await page.goto(link);
  await getMain(page)
    .getByRole("button", { name: say("home.invite.action") })
    .click();
  await completeSignIn(page);
  await expectNotAskedWhoSent(page);
  await page.goto("/uc-team");
  await expect(getMain(page)).toContainText("By a class link");
  expect(guest.errors).toEqual([]);
  await guest.close();
});

test("a task done in the browser is ticked there and in the room view, which shows only numbers", async () => {
  const { page } = pupil;
  await page.goto("/verify?part=price");
  // It takes up to about half a minute until a new log's first second is covered by a checkpoint.
  await expect(async () => {
    await getButton(page, say("verify.price.look")).click();
    await expect(getMain(page)).toContainText(say("verify.price.agrees"), { timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await page.goto("/class");
  await expect(getMain(page)).toContainText(
    say("class-room.tasks.count", { done: "1", total: "7" }),
  );

  const { page: console } = teacher;
  await getButton(console, say("classes.room.open")).click();
  await expect(row(console, 1)).toContainText(say("classes.room.joined"));
  await expect(row(console, 1).getByText(say("classes.room.done"))).toHaveCount(1);
  await expect(row(console, 2)).toContainText(say("classes.room.absent"));
  await expectAccessibleAtBoth(console);
  await page.goto("/wallet-record");
  await expect(getMain(page)).toContainText("Class tasks viewed, code by code");
});

test("the export contains no names and is recorded for the pupil", async () => {
  const { page } = teacher;
  await getButton(page, say("classes.room.close")).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    getMain(page)
      .getByRole("link", { name: say("classes.room.export") })
      .click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(13);
  expect(lines[0]).toContain(say("class-room.task.price"));
  expect(lines[1]).toMatch(/,1,Yes,No,No,Yes,/);
  await pupil.page.reload();
  await expect(getMain(pupil.page)).toContainText("Class tasks exported, code by code");
});

test("the code and the PIN restore the wallet on another device, and a wrong PIN uses up an attempt", async () => {
  const { page } = pupil;
  await page.goto("/class");
  await getMain(page).getByLabel(say("class-room.pin"), { exact: true }).fill(pin);
  await getButton(page, say("class-room.backup.do")).click();
  await expect(getMain(page)).toContainText(say("class-room.backup.stored"));

  const { page: tabletPage } = tablet;
  await tabletPage.goto("/class");
  await getMain(tabletPage).getByLabel(say("class-room.code")).fill(codes[0]!.toLowerCase());
  await getButton(tabletPage, say("class-room.code.next")).click();
  await expect(getMain(tabletPage)).toContainText(say("class-room.used.text"));
  await expectAccessible(tabletPage);
  const field = getMain(tabletPage).getByLabel(say("class-room.pin"), { exact: true });
  await field.fill("111111");
  await getButton(tabletPage, say("class-room.restore")).click();
  await expect(getMain(tabletPage)).toContainText("4 tries are left");
  await field.fill(pin);
  await getButton(tabletPage, say("class-room.restore")).click();
  await expect(getMain(tabletPage)).toContainText(
    say("class-room.tasks.count", { done: "1", total: "7" }),
  );
});

test("closing a class invalidates its codes", async () => {
  const { page } = teacher;
  await page.goto("/operator/class");
  await getButton(page, say("classes.link.close")).click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: say("classes.link.close") })
    .click();
  await expect(getMain(page)).toContainText(say("classes.link.closed"));
  await tablet.page.goto("/class");
  await expect(getMain(tablet.page).getByLabel(say("class-room.code"))).toBeVisible();
  await getMain(tablet.page).getByLabel(say("class-room.code")).fill(codes[1]!);
  await getButton(tablet.page, say("class-room.code.next")).click();
  await expect(getMain(tablet.page)).toContainText("We don’t know this class code");
  await tablet.page.goto("/wallet");
  await expect(getMain(tablet.page)).toContainText("10,000");
});
