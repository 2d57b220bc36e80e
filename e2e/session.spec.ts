import { expect, type Page, test } from "@playwright/test";
import { generatePrivateKey } from "viem/accounts";
import { expectClean } from "./support/axe.ts";
import { allowedMethods, injectWallet } from "./support/wallet.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function openSignIn(page: Page, path = "/ucenter") {
  await page.goto(path);
  await button(page, /^Sign in$/).click();
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
}

async function signInWithWallet(page: Page) {
  await openSignIn(page);
  await button(page, "Test wallet").click();
  await button(page, "Sign in with Test wallet").click();
  await expect(page.getByText("Signed in with a browser wallet")).toBeVisible();
}

test("a practice wallet signs in, is backed up and is restored in another browser", async ({
  page,
  browser,
  baseURL,
}) => {
  await openSignIn(page, "/ucenter?invite=HARBOUR7");
  await expectClean(page);
  await button(page, "Read before signing").click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Signing in moves no money and permits nothing.");
  await sheet.getByText("Read the exact text").click();
  await expect(sheet).toContainText("wants you to sign in with your Ethereum account");
  await expectClean(page);
  expect(await page.content()).not.toMatch(/0x[0-9a-fA-F]{40}/);
  await sheet.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("We didn’t use the invite code")).toBeVisible();
  const user = await page.getByText(/^User /).innerText();
  await expect(page.getByText("Not backed up yet")).toBeVisible();
  await button(page, /^Back up the practice wallet/).click();
  const backup = await sheet.getByText(/drydock-practice-1:/).innerText();
  await expectClean(page);
  await button(page, "Later").click();
  expect(await page.content()).not.toMatch(/0x[0-9a-fA-F]{40}/);

  const otherContext = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const second = await otherContext.newPage();
  await openSignIn(second);
  await button(second, "Restore from a backup").click();
  await second.getByLabel("Backup text").fill(backup.slice(0, -1));
  await second.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(second.getByText("The text is too short or too long")).toBeVisible();
  await second.getByLabel("Backup text").fill(backup);
  await second.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(second.getByText(user, { exact: true })).toBeVisible();
  await otherContext.close();
});

test("a browser wallet receives only four kinds of requests and signs a text", async ({ page }) => {
  const wallet = await injectWallet(page);
  await signInWithWallet(page);
  expect(wallet.methods).toEqual([
    "eth_requestAccounts",
    "eth_chainId",
    "net_version",
    "personal_sign",
  ]);
  await page.reload();
  await expect(page.getByText("Signed in with a browser wallet")).toBeVisible();
  for (const path of ["/home", "/business", "/wallet", "/authorized-activity", "/verify"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  for (const method of wallet.methods) expect(allowedMethods).toContain(method);
  expect(wallet.methods).toHaveLength(4);
});

test("a wallet at window.ethereum is discovered, and each of its refusals is explained", async ({
  page,
}) => {
  const wallet = await injectWallet(page, { announce: "window.ethereum", chainId: 137 });
  await openSignIn(page);
  wallet.fail("eth_requestAccounts", { code: -32002, message: "already pending" });
  await button(page, "Browser wallet").click();
  await expect(page.getByText("still waiting for you to answer an earlier request")).toBeVisible();
  wallet.fail("eth_requestAccounts", null);
  await button(page, "Browser wallet").click();
  wallet.fail("personal_sign", { code: 4001, message: "User rejected" });
  await button(page, "Sign in with Browser wallet").click();
  await expect(page.getByText("You declined in the wallet.")).toBeVisible();
  wallet.fail("personal_sign", null);
  await button(page, "Get a new message").click();
  await button(page, "Sign in with Browser wallet").click();
  await expect(page.getByText("Signed in with a browser wallet")).toBeVisible();
});

test("changing the account ends the session, and changing network or locking does not", async ({
  page,
}) => {
  const wallet = await injectWallet(page);
  await signInWithWallet(page);
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await wallet.changeChain(10);
  await expect(page.getByText("changed its network")).toBeVisible();
  await wallet.changeAccount();
  await expect(page.getByRole("dialog")).toContainText("switched accounts");
  await button(page, "Test wallet").click();
  await button(page, "Sign in with Test wallet").click();
  await expect(page.getByText("Signed in with a browser wallet")).toBeVisible();
  await wallet.lock();
  await expect(page.getByText("You stay signed in here.")).toBeVisible();
  await expect(page.getByText("Signed in with a browser wallet")).toBeVisible();
  expect(await page.evaluate(() => "stays" in window)).toBe(true);
});

test("a session ended elsewhere ends on this page with a message", async ({
  page,
  browser,
  baseURL,
}) => {
  const privateKey = generatePrivateKey();
  await injectWallet(page, { privateKey });
  await signInWithWallet(page);
  const otherContext = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const second = await otherContext.newPage();
  await injectWallet(second, { privateKey });
  await signInWithWallet(second);
  await second.goto("/authorized-activity");
  const sessions = second.getByRole("region", { name: "Open sessions" });
  await expect(sessions.getByRole("button", { name: "End", exact: true })).toHaveCount(2);
  await expectClean(second);
  await sessions.getByRole("button", { name: "End", exact: true }).last().click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await expect(page.getByText("You’re not signed in")).toBeVisible();

  // Ending all sessions also ends the current one, after a warning.
  await signInWithWallet(page);
  await second.reload();
  await expect(sessions.getByRole("button", { name: "End", exact: true })).toHaveCount(2);
  await sessions.getByRole("button", { name: "End all" }).click();
  const sure = second.getByRole("alertdialog", { name: "End every session?" });
  await expect(sure).toContainText("ends every session, this one too");
  await expectClean(second);
  await sure.getByRole("button", { name: "End all" }).click();
  await expect(second.getByText("Sign in to see what you signed and accepted.")).toBeVisible();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  for (const item of [page, second]) {
    const answer = await item.request.post("/api/user/userinfo", { data: {} });
    expect(answer.status()).toBe(401);
  }
  await otherContext.close();
});

test("a wallet that declines or answers too late deletes no account", async ({ page }) => {
  const wallet = await injectWallet(page);
  await signInWithWallet(page);
  const user = await page.getByText(/^User /).innerText();
  let requestCount = 0;
  let refuse = true;
  // The server's answer from five minutes after the sign-in on.
  await page.route("**/api/user/deleteAccount", (route) => {
    requestCount += 1;
    if (!refuse) return route.continue();
    refuse = false;
    const body = { code: 0, msg: "Sign in again.", data: null, error: "account.sign_in_again" };
    return route.fulfill({ status: 403, json: body });
  });
  const sheet = page.getByRole("dialog", { name: "Delete account" });
  const begin = async () => {
    requestCount = 0;
    refuse = true;
    await button(page, /Delete account/).click();
    await sheet.getByLabel("Type “delete” to continue").fill("delete");
    await sheet.getByRole("button", { name: "Delete for good" }).click();
  };
  const leave = async () => {
    await sheet.getByRole("button", { name: "Keep the account" }).click();
    await expect(sheet).toBeHidden();
  };
  wallet.fail("personal_sign", { code: 4001, message: "User rejected" });
  await begin();
  await expect(sheet).toContainText("You declined in the wallet.");
  await expectClean(page);
  await leave();
  wallet.fail("personal_sign", null);

  let answerLate = () => {};
  const lateAnswer = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  wallet.answer("personal_sign", async ([rawMessage]) => {
    await lateAnswer;
    return await wallet.sign(rawMessage as `0x${string}`);
  });
  await begin();
  await expect(sheet).toContainText("Waiting for your wallet.");
  await expectClean(page);
  await leave();
  answerLate();
  wallet.answer("personal_sign", null);
  // The sheet that the late answer could still open is gone once the page has been answered again.
  await page.evaluate(async () => {
    for (let count = 0; count < 5; count += 1) await fetch("/api/health");
  });
  expect(requestCount).toBe(1);
  expect(await page.getByText(/^User /).innerText()).toBe(user);

  await begin();
  await expect(page.getByRole("dialog", { name: "Account deleted" })).toBeVisible();
  expect(requestCount).toBe(2);
});
