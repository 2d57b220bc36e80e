import { expect, type Page, test } from "@playwright/test";
import {
  acceptTerms,
  confirmOrder,
  pressUpButton,
  waitUntilSettled,
} from "../tools/browser/actions.ts";
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
  phone,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import {
  expectAccessible,
  expectLedgerAddsUp,
  getAvailable,
  signIn,
} from "./support/walletActions.ts";

/**
 * One person on a phone and two operators who help: everything done to the person shows in their
 * records immediately.
 */
test.describe.configure({ mode: "serial", timeout: 60_000 });

const say = loadTranslate("en");
let server: TestServer;
let owner: BrowserUser;
let support: BrowserUser;
let person: BrowserUser;
/** The recipient of the person's withdrawals, who also signs up too late. */
let otherOperator: BrowserUser;
let userId: string;
let address: string;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  server = await startTestServer(1, { WORLD_SPEED: "1" });
  owner = await openBrowserUser(browser, server, wideScreen);
  support = await openBrowserUser(browser, server, phone);
  person = await openBrowserUser(browser, server, appViewport);
  otherOperator = await openBrowserUser(browser, server, appViewport);
  await claimFirst(owner, server, "Harbour master");
  await addOperator(owner.page, support, "support", "Desk");
  await Promise.all([signIn(person.page), signIn(otherOperator.page)]);
  userId = await readField<string>(person.page, "/api/user/userinfo", "user_id");
  address = await readField<string>(
    otherOperator.page,
    "/api/user/getReceiveAddress?coin=pUSDT",
    "address",
  );
});

test.afterEach(() => {
  for (const user of [owner, support, person, otherOperator])
    expect(user.errors.splice(0)).toEqual([]);
});

test.afterAll(async () => {
  for (const user of [owner, support, person, otherOperator]) await user?.close();
  await server?.stop();
});

async function readField<Value>(page: Page, path: string, name: string): Promise<Value> {
  const answer = path.includes("userinfo")
    ? await page.request.post(path)
    : await page.request.get(path);
  return ((await answer.json()) as { data: Record<string, Value> }).data[name] as Value;
}

const field = (page: Page, key: string) =>
  page.getByRole("textbox", { name: say(key), exact: true });

/** The person's records, with the latest action on them first. */
const records = () => getMain(person.page);

async function withdraw(amount: string | null): Promise<void> {
  const { page } = person;
  await page.goto("/wallet-info?coin=pUSDT&do=withdraw");
  if (amount === null)
    await getMain(page).getByRole("button", { name: "All", exact: true }).click();
  else await getMain(page).getByLabel(say("withdraw.amount")).fill(amount);
  await getMain(page)
    .getByRole("textbox", { name: say("withdraw.to") })
    .fill(address);
  await getMain(page)
    .getByRole("button", { name: say("withdraw.review") })
    .click();
  await getSheet(page)
    .getByRole("button", { name: say("withdraw.do"), exact: true })
    .click();
  await expect(getMain(page).getByRole("button", { name: say("withdraw.cancel") })).toBeVisible();
}

/** Creates a code on the person's own page and returns it. */
async function readOutCode(): Promise<string> {
  const { page } = person;
  await page.goto("/ucenter?support=code");
  await getSheet(page)
    .getByRole("button", { name: say("viewing.make") })
    .click();
  const viewCode = getSheet(page).getByText(
    /^[34679ACDEFGHJKMNPQRTWXY]{4} [34679ACDEFGHJKMNPQRTWXY]{4}$/,
  );
  return await viewCode.innerText();
}

/** Uses the practice wallet that this browser holds. */
async function signInAgain(page: Page): Promise<void> {
  await page.goto("/wallet");
  await getButton(page, say("account.signIn")).first().click();
  const use = getButton(page, say("sign-in.practice.use"));
  await use.click();
  // Another sheet may follow: the question of who invited them.
  await use.waitFor({ state: "hidden" });
}

async function openWith(page: Page, code: string): Promise<void> {
  await page.goto("/operator/people");
  await field(page, "people.code").fill(code);
  await getButton(page, say("people.code.open")).click();
}

test("a look-up by id shows only the account's status and notifies the person", async () => {
  const { page } = support;
  await person.page.goto("/wallet-record");
  await waitUntilSettled(person.page);
  await page.goto("/operator/people");
  await expectAccessibleAtBoth(page);
  await field(page, "people.id").fill("nobody-of-this-name");
  await getButton(page, say("people.id.find")).click();
  await expect(getMain(page)).toContainText("Account not found.");
  await page.goto("/operator/people");
  await field(page, "people.id").fill(userId);
  await getButton(page, say("people.id.find")).click();
  await expect(getMain(page)).toContainText(say("people.allowed"));
  await expect(getMain(page)).not.toContainText("10,000");
  await expectAccessibleAtBoth(page);
  await expect(records()).toContainText(say("audit.people.found"));
  await expectAccessible(person.page);
});

test("a person code shows the person's pages until the person ends the viewing", async () => {
  const { page } = support;
  await openWith(page, "3333 3333");
  await expect(getMain(page)).toContainText("This code is unknown, used or expired.");
  const code = await readOutCode();
  await expectAccessible(person.page);
  await openWith(page, code.toLowerCase());
  await expect(getMain(page).getByRole("tab", { name: say("people.part.wallet") })).toBeVisible();
  await expect(getMain(page)).toContainText("10,000");
  await expectAccessibleAtBoth(page);
  for (const part of ["orders", "withdrawals", "records", "account"]) {
    await getMain(page)
      .getByRole("tab", { name: say(`people.part.${part}`) })
      .click();
    await waitUntilSettled(page);
  }
  await expect(getMain(page)).not.toContainText(/0x[0-9a-f]{6}/i);
  // The person who reads out the code sees immediately who is viewing.
  await expect(getSheet(person.page)).toContainText(say("viewing.now", { role: "Support" }));
  await openWith(owner.page, code);
  await expect(getMain(owner.page)).toContainText("This code is unknown, used or expired.");

  await getSheet(person.page)
    .getByRole("button", { name: say("viewing.end") })
    .click();
  await expect(getSheet(person.page)).toContainText(say("viewing.nobody"));
  await expect(getMain(page)).toContainText(say("people.over.title"));
  await expectAccessibleAtBoth(page);
  await person.page.goto("/wallet-record");
  for (const act of ["viewed", "viewed_wallet", "viewed_orders", "viewed_withdrawals"]) {
    await expect(records()).toContainText(say(`audit.people.${act}`));
  }
});

test("an operator can pay a pending withdrawal early with a reason, but cannot refuse it", async () => {
  const { page } = support;
  await withdraw("100");
  await openWith(page, await readOutCode());
  await getMain(page)
    .getByRole("tab", { name: say("people.part.withdrawals") })
    .click();
  await expect(
    getMain(page).getByRole("button", { name: /refuse|reject|hold|delay|deny/i }),
  ).toHaveCount(0);
  await getButton(page, say("people.pay")).click();
  await expectAccessible(page);
  await getSheet(page)
    .getByRole("button", { name: say("people.pay") })
    .click();
  await expect(getSheet(page)).toContainText(say("console.change.whyForm"));
  await field(page, "console.change.why").fill("You asked for it at the desk");
  await getSheet(page)
    .getByRole("button", { name: say("people.pay") })
    .click();
  await elevateInSheet(page);
  await expect(getMain(page)).toContainText(say("withdraw.state.left"));
  await expect(getButton(page, say("people.pay"))).toHaveCount(0);
  await person.page.goto("/wallet-info?coin=pUSDT&do=withdraw");
  await expect(getMain(person.page)).toContainText(
    say("withdraw.operator.text", { role: "Support", reason: "You asked for it at the desk" }),
  );
});

test("when two operators suspend concurrently, one succeeds and the other is informed", async () => {
  for (const { page } of [owner, support]) {
    await page.goto(`/operator/people?user=${userId}`);
    await getButton(page, say("people.suspend")).click();
    await field(page, "console.change.why").fill("Take a break, as we agreed");
  }
  // The owner's session is still elevated, and so is the support operator's.
  const pages = [owner.page, support.page];
  await Promise.all(
    pages.map((page) =>
      getSheet(page)
        .getByRole("button", { name: say("people.suspend.do") })
        .click(),
    ),
  );
  const getRefusal = () =>
    Promise.all(pages.map((page) => page.getByText(say("people.changed_meanwhile")).count()));
  await expect
    .poll(async () => (await getRefusal()).reduce((sum, count) => sum + count, 0))
    .toBe(1);
  for (const page of pages) {
    await page.goto(`/operator/people?user=${userId}`);
    await expect(getMain(page)).toContainText(say("people.stopped"));
  }
});

test("a suspended person sees the reason, opens no positions and withdraws all", async () => {
  const { page } = person;
  await signInAgain(page);
  await page.goto("/wallet-record");
  await getMain(page)
    .getByRole("button", { name: new RegExp(say("audit.people.suspended")) })
    .click();
  await expect(getSheet(page)).toContainText("Take a break, as we agreed");
  await expectAccessible(page);

  await page.goto("/business?contract_id=btc-usdt");
  await waitUntilSettled(page);
  await pressUpButton(page, say);
  await acceptTerms(page, say);
  await confirmOrder(page, say);
  await expect(page.getByText(say("session.suspended")).first()).toBeVisible();

  await withdraw(null);
  expect(await getAvailable(page, "pUSDT")).toBe("0");
});

test("a class link admits new people while sign-up is closed", async ({ browser }) => {
  const { page } = owner;
  await page.goto("/operator/class");
  await expectAccessibleAtBoth(page);
  await getButton(page, say("classes.link.make")).first().click();
  await field(page, "classes.label").fill("Tuesday group");
  await field(page, "classes.limit").fill("1");
  await expectAccessible(page);
  await getSheet(page)
    .getByRole("button", { name: say("classes.link.make") })
    .click();
  const link = await getSheet(page)
    .getByText(/\/home\?invite=/)
    .innerText();
  await page.keyboard.press("Escape");
  await expect(getMain(page)).toContainText("Tuesday group");
  await getMain(page)
    .getByRole("radio", { name: say("classes.signUp.class_links") })
    .check();
  await getButton(page, say("classes.signUp.save")).click();
  await expect(page.getByText(say("classes.signUp.done"))).toBeVisible();

  const latecomer = await openBrowserUser(browser, server, appViewport);
  try {
    await latecomer.page.goto("/ucenter");
    await getMain(latecomer.page)
      .getByRole("button", { name: say("account.signIn"), exact: true })
      .first()
      .click();
    await getButton(latecomer.page, say("sign-in.practice.make")).click();
    await expect(getSheet(latecomer.page)).toContainText(
      "New accounts need a class link right now.",
    );
    await expectAccessible(latecomer.page);
    // The same person, with the class link.
    await latecomer.page.goto(link);
    await signInAgain(latecomer.page);
    await expect.poll(() => getAvailable(latecomer.page, "pUSDT")).toBe("10000");
    expect(latecomer.errors).toEqual([]);
  } finally {
    await latecomer.close();
  }
  await page.reload();
  await expect(getMain(page)).toContainText("1 of 1 joined");
  await otherOperator.page.reload();
  await expect(getMain(otherOperator.page)).toContainText("10,000.00");
});

test("a pause of the class is shown on every phone and blocks new actions until it ends", async () => {
  const { page } = owner;
  await otherOperator.page.goto("/business?contract_id=btc-usdt");
  await page.goto("/operator/class");
  await getButton(page, say("classes.clock.pause.title")).click();
  const dialog = page.getByRole("alertdialog").or(getSheet(page));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("classes.clock.pause"), exact: true }).click();
  await expect(page.getByText(say("classes.clock.done.paused"))).toBeVisible();
  await expect(getButton(page, say("classes.clock.callOff"))).toBeVisible();

  await expect(otherOperator.page.getByText("Your class pauses at")).toBeVisible();
  await expect(otherOperator.page.getByText(say("app.pause.reached"))).toBeVisible({
    timeout: 20_000,
  });
  await expect(getMain(otherOperator.page)).toContainText(say("contracts.blocked.classPaused"));
  await expectAccessible(otherOperator.page);

  await getButton(page, say("classes.clock.resume")).click();
  await expect(getMain(page)).toContainText(say("classes.clock.running"));
  await expect(otherOperator.page.getByText(say("app.pause.reached"))).toBeHidden();
  await expect(getMain(otherOperator.page)).not.toContainText(say("contracts.blocked.classPaused"));
});

test("an announcement is shown on every phone, and switched-off contracts are labelled", async () => {
  const { page } = owner;
  await page.goto("/operator/class");
  await getButton(page, say("classes.announce")).click();
  await field(page, "classes.announce.text").fill("We begin at ten.");
  await expectAccessible(page);
  await getSheet(page)
    .getByRole("button", { name: say("classes.announce.do") })
    .click();
  await expect(getSheet(page)).toBeHidden();
  await expect(async () => {
    await otherOperator.page.goto("/home");
    await expect(otherOperator.page.getByText("We begin at ten.")).toBeVisible({ timeout: 2_000 });
  }).toPass();

  await getButton(page, say("classes.contracts.switchOff")).click();
  await page
    .getByRole("alertdialog")
    .or(getSheet(page))
    .getByRole("button", { name: say("classes.contracts.switchOff") })
    .click();
  await expect(getMain(page)).toContainText(say("classes.contracts.off"));
  await otherOperator.page.goto("/business?contract_id=btc-usdt");
  await expect(getMain(otherOperator.page)).toContainText(say("contracts.ticket.off"));
  await expectAccessible(otherOperator.page);
});

test("ending sessions updates the page without a reload, and the person can return", async () => {
  const { page } = support;
  await page.goto(`/operator/people?user=${userId}`);
  await getButton(page, say("people.endSessions")).click();
  await field(page, "console.change.why").fill("Your phone was lost");
  await getSheet(page)
    .getByRole("button", { name: say("people.endSessions.do") })
    .click();
  await expect(person.page.getByText("Your session has ended")).toBeVisible();
  await expect(getSheet(page)).toBeHidden();
});

test("the audit lists each action with its person, and the ledger adds up", async () => {
  const { page } = owner;
  await page.goto("/operator/audit");
  await field(page, "console.audit.person").fill(userId);
  for (const act of [
    "found",
    "viewed",
    "viewed_wallet",
    "paid_now",
    "suspended",
    "sessions_ended",
  ]) {
    await expect(getMain(page)).toContainText(say(`audit.people.${act}`));
  }
  await expect(
    getMain(page).getByRole("button", { name: new RegExp(say("audit.people.suspended")) }),
  ).toHaveCount(1);
  await expectLedgerAddsUp(server.data);
});
