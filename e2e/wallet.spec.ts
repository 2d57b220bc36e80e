import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import {
  collectPageErrors,
  expectAccessible,
  expectLedgerAddsUp,
  forgeLookAlike,
  getAvailable,
  openNewPerson,
  verifyByCommand,
} from "./support/walletActions.ts";

/** One person goes through all of these tests; a second one receives. */
test.describe.configure({ mode: "serial" });

let server: TestServer;
let page: Page;
let recipientPage: Page;
let errors: string[];

const pin = "482913";
const path = (coin: string, action: string) => `/wallet-info?coin=${coin}&do=${action}`;
const main = () => page.getByRole("main");
const sheet = () => page.getByRole("dialog");

// World time runs six times as fast here: a withdrawal waits for 20 seconds instead of two minutes.
test.beforeAll(async ({ browser }) => {
  server = await startTestServer(2, { WORLD_SPEED: "6" });
  page = await openNewPerson(browser, server.url);
  recipientPage = await openNewPerson(browser, server.url);
  errors = collectPageErrors(page);
});

test.afterEach(async () => {
  expect(errors.splice(0)).toEqual([]);
  await expectLedgerAddsUp(server.data);
});

test.afterAll(async () => {
  await page?.context().close();
  await recipientPage?.context().close();
  await server?.stop();
});

interface Quote {
  given: string;
  received: string;
  at_index: string;
  cost: string;
  steps: { symbol: string; index: string; fee: string; fee_cost: string; spread_cost: string }[];
}

/** Minor units of a decimal string, for a coin with this scale. */
function toMinor(text: string, scale: number): bigint {
  const [integerPart = "0", fraction = ""] = text.split(".");
  return BigInt(integerPart + fraction.padEnd(scale, "0"));
}

/**
 * Exchanges `amount` (null: all of it) for the other coin, and returns the quote that the server
 * sent and the screen showed.
 */
async function exchange(from: string, to: string, amount: string | null): Promise<Quote> {
  await page.goto(`${path(from, "exchange")}&to=${to}`);
  if (amount === null) await main().getByRole("button", { name: "All", exact: true }).click();
  else await main().getByLabel("You give").fill(amount);
  const answer = page.waitForResponse((response) => response.url().endsWith("/quoteExchange"));
  await main().getByRole("button", { name: "Get a quote" }).click();
  const { data: quote } = (await (await answer).json()) as { data: Quote };
  await expect(main().getByRole("timer")).toBeVisible();
  const step = quote.steps[0] as Quote["steps"][number];
  for (const text of [quote.cost, quote.received, quote.at_index, step.spread_cost, step.fee]) {
    await expect(main()).toContainText(`${formatGrouped(text)}`);
  }
  await main().getByRole("button", { name: "Exchange", exact: true }).click();
  await expect(main().getByText("You got").first()).toBeVisible();
  return quote;
}

/** Formats an amount as the page does in English. */
function formatGrouped(text: string): string {
  const [integerPart = "0", fraction = ""] = text.split(".");
  return `${integerPart.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`;
}

test("an exchange there and back loses exactly the fees and spreads of its two quotes", async () => {
  const outbound = await exchange("pUSDT", "pBTC", "1000");
  await expectAccessible(page);
  expect(await getAvailable(page, "pUSDT")).toBe("9000");
  expect(await getAvailable(page, "pBTC")).toBe(outbound.received);
  const inbound = await exchange("pBTC", "pUSDT", null);
  expect(await getAvailable(page, "pBTC")).toBe("0");
  expect(inbound.given).toBe(outbound.received);

  for (const [quote, scale] of [
    [outbound, 8],
    [inbound, 6],
  ] as const) {
    const [step] = quote.steps as [Quote["steps"][number]];
    const worth = toMinor(quote.at_index, scale);
    const cost = toMinor(quote.cost, scale);
    expect(toMinor(quote.received, scale)).toBe(worth - cost);
    expect(cost).toBe(toMinor(step.fee_cost, scale) + toMinor(step.spread_cost, scale));
  }
  const balance = toMinor(await getAvailable(page, "pUSDT"), 6);
  expect(balance).toBe(9_000_000_000n + toMinor(inbound.received, 6));

  // The loss out of 1,000 is both costs plus the index's move in between, up to the rounding of
  // value, fee and spread in the last digit of pBTC.
  const [indexBefore, indexAfter] = [outbound, inbound].map(({ steps }) =>
    Number(steps[0]?.index),
  ) as [number, number];
  const costs = Number(outbound.cost) * indexBefore + Number(inbound.cost);
  const indexMove = Number(outbound.received) * (indexBefore - indexAfter);
  const loss = 1000 - Number(inbound.received);
  expect(Math.abs(loss - costs - indexMove)).toBeLessThan(3e-8 * indexBefore);
});

/** Adds an address to the open book; creates a new one if none is given. */
async function addToBook(name: string, address: string | null): Promise<void> {
  await main().getByRole("button", { name: "Address book" }).click();
  await sheet().getByRole("button", { name: "Add address" }).click();
  await sheet().getByLabel("Name").fill(name);
  if (address) await sheet().getByRole("textbox", { name: "Practice address" }).fill(address);
  else await sheet().getByRole("button", { name: "Create a practice address" }).click();
  await sheet().getByRole("button", { name: "Save address" }).click();
  await expect(sheet().getByText(name, { exact: true })).toBeVisible();
}

async function setPin(): Promise<void> {
  await page.goto("/ucenter");
  await main()
    .getByRole("button", { name: /PIN for withdrawing and sending/ })
    .click();
  await sheet().getByLabel("New PIN", { exact: true }).fill(pin);
  await sheet().getByLabel("Repeat new PIN").fill(pin);
  await expectAccessible(page);
  await sheet().getByRole("button", { name: "Set PIN" }).click();
  await expect(sheet()).toBeHidden();
}

/** Enters the PIN when asked: first a wrong one, then the right one. */
async function enterPin(): Promise<void> {
  const boxes = sheet().getByLabel("Enter your PIN").last();
  await boxes.fill("000000");
  await expect(sheet().last().getByText(/PIN/).last()).toBeVisible();
  await expect(boxes).toHaveValue("");
  await boxes.fill(pin);
}

const pendingWithdrawal = () =>
  main()
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: "Cancel withdrawal" }) });

test("a quote for an amount to receive pays at least that amount", async () => {
  await page.goto(`${path("pUSDT", "exchange")}&to=pBTC`);
  await main().getByRole("radio", { name: "I want to receive" }).click();
  await main().getByLabel("Amount to receive").fill("0.001");
  await expect(main()).toContainText(/You’d give about .+ pUSDT/);
  await expectAccessible(page);
  await main().getByRole("button", { name: "Get a quote" }).click();
  await expect(main().getByRole("timer")).toBeVisible();
  await expect(main()).toContainText(/0\.001000?\d* *pBTC/);
  await expect(main()).not.toContainText("You’d give about");
});

test("a withdrawal asks for the PIN, holds the money and returns it when cancelled", async () => {
  await setPin();
  await page.goto(path("pUSDT", "withdraw"));
  await expect(main()).toContainText("Is anyone asking you to pay before you can withdraw?");
  await main()
    .getByRole("group", { name: /asking you to pay/ })
    .getByLabel("Yes")
    .check();
  await expect(main()).toContainText("No payment will release the money.");
  await addToBook("My other account", null);
  await sheet()
    .getByRole("button", { name: /My other account/ })
    .first()
    .click();
  await main().getByLabel("Amount").fill("19");
  await expect(main()).toContainText(/The minimum for part of the balance is/);
  await main().getByLabel("Amount").fill("100");
  await expect(main()).toContainText("99.00");
  await expectAccessible(page);
  const balanceBefore = await getAvailable(page, "pUSDT");
  await main().getByRole("button", { name: "Review withdrawal" }).click();
  await expect(sheet()).toContainText("Nobody has to approve it");
  await expectAccessible(page);
  await sheet().getByRole("button", { name: "Withdraw", exact: true }).click();
  await enterPin();
  await expect(pendingWithdrawal()).toContainText("99.00");
  await expect(main()).toContainText("Held, for example for withdrawals");
  expect(toMinor(await getAvailable(page, "pUSDT"), 6)).toBe(
    toMinor(balanceBefore, 6) - 100_000_000n,
  );
  await expectLedgerAddsUp(server.data);
  await expectAccessible(page);
  await pendingWithdrawal().getByRole("button", { name: "Cancel withdrawal" }).click();
  await expect(main()).toContainText("Cancelled. The whole amount is available again");
  expect(await getAvailable(page, "pUSDT")).toBe(balanceBefore);
});

/** Withdraws the whole available balance to the address in the book. */
async function withdrawAll(): Promise<void> {
  await main().getByRole("button", { name: "All", exact: true }).click();
  await main().getByRole("button", { name: "Address book" }).click();
  await sheet()
    .getByRole("button", { name: /My other account/ })
    .first()
    .click();
  await main().getByRole("button", { name: "Review withdrawal" }).click();
  await expect(sheet()).toContainText("Your whole available balance");
  await sheet().getByRole("button", { name: "Withdraw", exact: true }).click();
  await sheet().getByLabel("Enter your PIN").last().fill(pin);
  await expect(pendingWithdrawal()).toBeVisible();
}

test("a balance below the minimum can be withdrawn whole", async () => {
  await exchange("pUSDT", "pUSDC", "5");
  expect(Number(await getAvailable(page, "pUSDC"))).toBeLessThan(20);
  await expectLedgerAddsUp(server.data);
  await page.goto(path("pUSDC", "withdraw"));
  await withdrawAll();
  expect(await getAvailable(page, "pUSDC")).toBe("0");
});

let address: string;

test("sending warns of a new recipient and of a look-alike, and arrives immediately", async () => {
  await recipientPage.goto(path("pUSDT", "receive"));
  await expect(
    recipientPage.getByRole("img", { name: /QR code of your practice address/ }),
  ).toBeVisible();
  address = await recipientPage.locator("main p.sr-only").innerText();
  expect(address).toMatch(/^p(eth|tron)1/);
  await recipientPage.getByLabel("Amount to ask for").fill("250.5");
  await expect(recipientPage.getByRole("img", { name: /asking for 250.5 pUSDT/ })).toBeVisible();
  await expectAccessible(recipientPage);

  // The book holds an address with the same beginning and end: comparing only the ends mistakes one
  // for the other.
  await page.goto(path("pUSDT", "withdraw"));
  await addToBook("Friend", forgeLookAlike(address));
  await page.keyboard.press("Escape");

  await page.goto(path("pUSDT", "send"));
  const recipient = main().getByLabel("Recipient’s address");
  await recipient.fill("0x52908400098527886E0F7030069857D2E4169EE7");
  await recipient.blur();
  await expect(main()).toContainText(/real/i);
  await recipient.fill(`drydock-practice:${address}?coin=pUSDT&practice=1&amount=250.5`);
  await expect(recipient).toHaveValue(address);
  await expect(main().getByText(/You’ve never sent to this address/)).toBeVisible();
  await expect(main().getByRole("alert")).toContainText("This isn’t the address you know");
  await expect(main().getByLabel("Amount")).toHaveValue("250.5");
  await expectAccessible(page);
  await main().getByRole("button", { name: "Review" }).click();
  await expect(sheet()).toContainText("can’t be reversed");
  await expect(sheet()).toContainText("This isn’t the address you know");
  await expectAccessible(page);
  const balanceBefore = toMinor(await getAvailable(page, "pUSDT"), 6);
  await sheet().getByRole("button", { name: "Send now" }).click();
  await sheet().getByLabel("Enter your PIN").last().fill(pin);
  await expect(main().getByRole("heading", { name: "Sent" })).toBeVisible();
  expect(toMinor(await getAvailable(page, "pUSDT"), 6)).toBe(balanceBefore - 250_500_000n);
  expect(await getAvailable(recipientPage, "pUSDT")).toBe("10250.5");

  await main().getByRole("button", { name: "Send again" }).click();
  await recipient.fill(address);
  await expect(main().getByText(/You’ve sent to this address once/)).toBeVisible();
  await recipientPage.goto("/wallet-record");
  await expect(recipientPage.getByRole("main")).toContainText("Received");
  await expect(recipientPage.getByRole("main")).toContainText("+250.50");
});

test("a withdrawal is paid automatically and links to its receipt", async () => {
  await page.goto(path("pUSDC", "withdraw"));
  const text = "Paid out of the practice ledger. Nothing was sent on any blockchain.";
  await expect(main()).toContainText(text, { timeout: 45_000 });
  await expect(main().getByRole("link", { name: "Open receipt" })).toBeVisible();
  await expect(main()).toContainText("You have no pUSDC to withdraw.");
  await expectAccessible(page);
});

test("starting over opens a new attempt, and the old one can be read and exported", async () => {
  await page.goto(path("pUSDT", "withdraw"));
  await withdrawAll();
  await page.goto("/wallet?do=attempts");
  await main().getByRole("button", { name: "See what happens" }).click();
  await expect(sheet()).toContainText("You can’t reopen a closed attempt");
  await expectAccessible(page);
  await sheet().getByRole("button", { name: "Start over with 10,000" }).click();
  await expect(page.getByText("You have 10,000 pUSDT again")).toBeVisible();
  await expect(page).toHaveURL(/\/home$/);
  // The withdrawal request still stands.
  await page.goto(path("pUSDT", "withdraw"));
  await expect(main().getByRole("button", { name: "Cancel withdrawal" })).toBeVisible();
  await page.goto("/wallet?do=attempts");
  await expect(main().getByText("Attempt 2")).toBeVisible();
  expect(await getAvailable(page, "pUSDT")).toBe("10000");
  expect(await getAvailable(page, "pUSDC")).toBe("0");
  await expect(main().getByRole("button", { name: "See what happens" })).toBeDisabled();
  await expectAccessible(page);

  await main()
    .getByRole("link", { name: /Attempt 1/ })
    .click();
  await expect(main()).toContainText("When it closed");
  await expectAccessible(page);
  const downloadPromise = page.waitForEvent("download");
  await main().getByRole("link", { name: "Save all as CSV" }).click();
  const csv = readFileSync(await (await downloadPromise).path(), "utf8");
  for (const kind of ["attempt.start", "exchange.execute", "send.move", "withdraw.leave"]) {
    expect(csv).toContain(kind);
  }
  // One was cancelled by hand; the other is still pending.
  expect(csv).toContain("withdraw.cancel");
  await main().getByRole("link", { name: "Read the records" }).click();
  await expect(main()).toContainText("Records of an earlier attempt.");
  await expect(main()).toContainText("Withdrawal cancelled");
  await expect(main()).toContainText("Exchanged");
  await expectAccessible(page);
});

test("a closed attempt's record shows its costs, and its receipt passes both checks", async () => {
  await main()
    .getByRole("button", { name: /Exchanged/ })
    .first()
    .click();
  await expect(sheet()).toContainText("Total cost");
  await expect(sheet()).toContainText("Balance after");
  await expectAccessible(page);
  await sheet().getByRole("link", { name: "Check this number" }).click();
  await expect(page).toHaveURL(/\/verify\?journal_id=/);
  // The log commits to all accounts about once a minute.
  await expect(page.getByText("The arithmetic agrees.", { exact: true }).first()).toBeVisible({
    timeout: 75_000,
  });
  await expectAccessible(page);
  const downloadPromise = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save receipt" }).first().click();
  const receipt = readFileSync(await (await downloadPromise).path(), "utf8");
  expect(await verifyByCommand(receipt, server.url)).toContain("The arithmetic agrees.");
  const forgedReceipt = receipt.replace(/"amount": ?"-?(\d)/, (match, digit: string) =>
    match.replace(digit, String((Number(digit) + 1) % 10)),
  );
  expect(forgedReceipt).not.toBe(receipt);
  await expect(verifyByCommand(forgedReceipt, server.url)).rejects.toThrow();
});
