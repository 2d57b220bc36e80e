import { expect, type Page, test } from "@playwright/test";
import { loadTranslate } from "../tools/browser/words.ts";
import {
  addOperator,
  appViewport,
  type BrowserUser,
  claimFirst,
  elevateInSheet,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  getSheet,
  openBrowserUser,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import { expectAccessible, expectLedgerAddsUp } from "./support/walletActions.ts";

/** Two operators write at the same time, each in their own browser; a reader follows on a phone. */
test.describe.configure({ mode: "serial", timeout: 60_000 });

const say = loadTranslate("en");
let server: TestServer;
let owner: BrowserUser;
let publisher: BrowserUser;
let reader: BrowserUser;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  server = await startTestServer(1, { WORLD_SPEED: "6" });
  owner = await openBrowserUser(browser, server, wideScreen);
  publisher = await openBrowserUser(browser, server, wideScreen);
  reader = await openBrowserUser(browser, server, appViewport);
  await claimFirst(owner, server, "Harbour master");
  await addOperator(owner.page, publisher, "publisher", "Editor");
  await getButton(owner.page, "Close").last().click();
  await getButton(owner.page, "End elevated access").click();
  await expect(getButton(owner.page, "Elevate access")).toBeVisible();
});

test.afterEach(() => {
  for (const user of [owner, publisher, reader]) expect(user.errors.splice(0)).toEqual([]);
});

test.afterAll(async () => {
  for (const user of [owner, publisher, reader]) await user?.close();
  await server?.stop();
});

const box = (page: Page, name: string) =>
  getMain(page).getByLabel(say(`publishing.field.${name}`), { exact: true });
const state = (page: Page, name: string) =>
  getMain(page).getByText(say(`publishing.state.${name}`), { exact: true });
const title = "The harbour has new opening hours";

/** Opens the sheet and publishes immediately. */
async function publishNow(page: Page): Promise<void> {
  await getButton(page, say("publishing.publish.open")).click();
  await getSheet(page)
    .getByRole("button", { name: say("publishing.publish.now") })
    .click();
}

test("a post is written beside its phone preview and read after publishing", async () => {
  const { page } = publisher;
  await page.goto("/operator/publishing?kind=news");
  await expectAccessibleAtBoth(page);
  await getButton(page, say("publishing.new.news")).click();
  await getButton(page, say("publishing.language.add", { language: "English" })).click();
  await box(page, "title").fill(title);
  await box(page, "summary").fill("From Monday on.");
  await box(page, "body").fill("## Hours\n\nThe desk is open from **nine to five**.");
  const preview = getMain(page).getByRole("region", { name: say("publishing.preview") });
  await expect(preview.getByRole("heading", { name: "Hours", exact: true })).toBeVisible();
  await expectAccessibleAtBoth(page);
  // Unsaved input survives a reload.
  await page.reload();
  await expect(box(page, "title")).toHaveValue(title);
  await getButton(page, say("publishing.save")).click();
  await expect(state(page, "draft")).toBeVisible();
  await reader.page.goto("/news-list");
  await expect(getMain(reader.page)).not.toContainText(title);

  await getButton(page, say("publishing.publish.open")).click();
  await expectAccessible(page);
  await getSheet(page)
    .getByRole("button", { name: say("publishing.publish.now") })
    .click();
  await expect(state(page, "published")).toBeVisible();
  await reader.page.reload();
  await reader.page.getByRole("link", { name: new RegExp(title) }).click();
  await expect(getMain(reader.page)).toContainText("The desk is open from nine to five.");
});

test("a post that promises a return is refused with the words in question", async () => {
  const { page } = publisher;
  await page.goto("/operator/publishing?kind=news");
  await getButton(page, say("publishing.new.news")).click();
  await getButton(page, say("publishing.language.add", { language: "English" })).click();
  await box(page, "title").fill("Guaranteed profit for everybody");
  await expect(getMain(page)).toContainText("“Guarantee”");
  await getButton(page, say("publishing.publish.open")).click();
  await expect(getSheet(page)).toContainText(say("publishing.publish.blocked"));
  await expect(
    getSheet(page).getByRole("button", { name: say("publishing.publish.now") }),
  ).toBeDisabled();
});

test("terms that are too good or too bad are flagged while typing and cannot be published", async () => {
  const { page } = owner;
  await page.goto("/operator/publishing?kind=contract_tiers");
  await getMain(page)
    .getByRole("link", { name: /BTC\/USDT/ })
    .click();
  const tier = getMain(page).getByRole("region", {
    name: say("publishing.tier", { number: "1" }),
  });
  const rate = tier.getByLabel(say("publishing.field.rate_bp"));
  const fee = tier.getByLabel(say("publishing.field.fee_bp"));
  const rateBefore = await rate.inputValue();
  await rate.fill("9900");
  await fee.fill("0");
  await expect(tier).toContainText("99.5");
  await expect(tier).toContainText(/coin flips would return 99\.50? of 100/);
  await expectAccessibleAtBoth(page);
  await rate.fill("5000");
  await expect(tier).toContainText(/coin flips would return 75(\.00)? of 100/);
  await getButton(page, say("publishing.publish.open")).click();
  await expect(getSheet(page)).toContainText(/coin flips would return 75(\.00)? of 100/);
  await expect(
    getSheet(page).getByRole("button", { name: say("publishing.publish.now") }),
  ).toBeDisabled();
  await page.keyboard.press("Escape");

  await rate.fill("9300");
  await publishNow(page);
  await elevateInSheet(page);
  await expect(getMain(page)).toContainText(say("publishing.version", { version: "2" }));
  expect(rateBefore).not.toBe("9300");
  const machinesAnswer = await reader.page.request.get(
    "/api/contract/getContractDetails?contract_id=btc-usdt",
  );
  expect(await machinesAnswer.text()).toContain('"rate_bp":9300');
});

test("a machine that earns more than it costs is refused with both figures", async () => {
  const { page } = owner;
  await page.goto("/operator/publishing?kind=machine");
  await getButton(page, say("publishing.new.machine")).click();
  for (const [name, value] of Object.entries({
    product_id: "gift-1",
    maker: "Nobody",
    model: "Gift",
    source: "none",
    hashrate_ths: "500",
    power_w: "100",
    price_per_day: "0.01",
  })) {
    await box(page, name).fill(value);
  }
  await expect(getMain(page)).toContainText(
    /would earn [\d.,]+ pUSDT a day and cost [\d.,]+ pUSDT/,
  );
  await expectAccessibleAtBoth(page);
  await getButton(page, say("publishing.publish.open")).click();
  await expect(
    getSheet(page).getByRole("button", { name: say("publishing.publish.now") }),
  ).toBeDisabled();
});

test("when two operators edit one post, the second sees both versions and loses nothing", async () => {
  const [first, second] = [publisher.page, owner.page];
  for (const page of [first, second]) {
    await page.goto("/operator/publishing?kind=news");
    await getMain(page)
      .getByRole("link", { name: new RegExp(title) })
      .click();
    await expect(box(page, "title")).toHaveValue(title);
  }
  await box(first, "summary").fill("From Tuesday on.");
  await box(second, "summary").fill("From Wednesday on.");
  await getButton(first, say("publishing.save")).click();
  await expect(getMain(first)).toContainText(say("publishing.head.draft"));
  await getButton(second, say("publishing.save")).click();
  const conflict = getMain(second)
    .getByRole("alert")
    .filter({ has: second.getByRole("heading", { name: say("publishing.conflict.title") }) });
  await expect(conflict).toContainText("From Tuesday on.");
  await expect(conflict).toContainText("From Wednesday on.");
  await expect(conflict).toContainText("Editor");
  await expectAccessibleAtBoth(second);
  await conflict.getByRole("button", { name: say("publishing.conflict.keep") }).click();
  await expect(conflict).toBeHidden();

  // Both review the same draft and publish at the same time: it is published once, and one of them
  // gets an error.
  const sheets = [getSheet(first), getSheet(second)];
  await first.reload();
  for (const page of [first, second]) {
    await expect(box(page, "summary")).toHaveValue("From Wednesday on.");
    await getButton(page, say("publishing.publish.open")).click();
  }
  await Promise.all(
    sheets.map((sheet) =>
      sheet.getByRole("button", { name: say("publishing.publish.now") }).click(),
    ),
  );
  const notified = () =>
    Promise.all(
      sheets.map((sheet) => sheet.getByText(say("publishing.changed_meanwhile")).count()),
    );
  await expect.poll(async () => (await notified()).reduce((sum, count) => sum + count, 0)).toBe(1);
  for (const page of [first, second]) {
    await page.keyboard.press("Escape");
    await expect(getMain(page)).toContainText(/People see version 2/);
  }
  const answer = await reader.page.request.get("/api/index/getNewsList");
  const { data } = (await answer.json()) as {
    data: { items: { title: string; summary: string }[] };
  };
  expect(data.items.filter((post) => post.title === title).map(({ summary }) => summary)).toEqual([
    "From Wednesday on.",
  ]);
  const versions = getMain(first).getByRole("button", { name: /^Version \d/ });
  await expect(versions).toHaveCount(2);
  await versions.last().click();
  await expect(getSheet(first)).toContainText("From Monday on.");
  await expectAccessible(first);
});

test("two posts published concurrently each appear once", async () => {
  const titles = ["Notes of the owner", "Notes of the editor"];
  const pages = [owner.page, publisher.page];
  for (const [index, page] of pages.entries()) {
    await page.goto("/operator/publishing?kind=news");
    await getButton(page, say("publishing.new.news")).click();
    await getButton(page, say("publishing.language.add", { language: "English" })).click();
    for (const name of ["title", "summary", "body"]) {
      await box(page, name).fill(titles[index] as string);
    }
  }
  await Promise.all(pages.map(publishNow));
  for (const page of pages) await expect(state(page, "published")).toBeVisible();
  await reader.page.goto("/news-list");
  for (const title of titles) {
    await expect(reader.page.getByRole("link", { name: new RegExp(title) })).toHaveCount(1);
  }
});

test("publishing changes no balance", async () => {
  await expectLedgerAddsUp(server.data);
});
