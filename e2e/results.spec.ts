import { expect, type Page } from "@playwright/test";
import { test } from "./support/fastWorld.ts";
import { completeSignIn } from "./support/peopleActions.ts";

/** Places an order with the page's own session, without its screens. */
function placeOrder(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const call = async (path: string, body?: object) => {
      const response = await fetch(path, {
        method: body ? "POST" : "GET",
        headers: {
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID().replace(/^(.{14})./, "$17"),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return await response.json();
    };
    const { data: user } = await call("/api/user/userinfo", {});
    await call("/api/user/authorize", { version: user.terms.current_version });
    const id = "btc-usdt";
    const { data } = await call(`/api/contract/getContractDetails?contract_id=${id}`);
    const hash = data.terms.terms_hash;
    const order = { contract_id: id, direction: "up", stake: "100", tier: 60, terms_hash: hash };
    const placement = await call("/api/contract/contractPlaceOrder", order);
    return placement.data?.order_id ?? placement.msg;
  });
}

test("a result is announced on any screen and stored in the inbox", async ({ page }) => {
  await page.goto("/home");
  await page.getByRole("button", { name: "Sign in" }).first().click();
  await completeSignIn(page);
  await expect(page.getByRole("link", { name: "Inbox, nothing new" })).toBeVisible();
  expect(await placeOrder(page)).toMatch(/^[0-9a-f-]{36}$/);
  await expect(page.getByRole("link", { name: /1 open order/ })).toBeVisible();
  await expect(page).toHaveTitle(/^1 open order · /);
  const receipt = page.getByRole("link", { name: "Receipt", exact: true });
  await expect(receipt).toBeVisible({ timeout: 60_000 });
  const notice = page.getByRole("status").filter({ has: receipt });
  await expect(notice).toContainText(/BTC\/USDT: (won|lost|tie)/);
  await expect(notice).toContainText(
    /Orders lost here|of the [\d,]+ orders here lost|Expected for/,
  );
  await expect(page).not.toHaveTitle(/open order/);
  await page.getByRole("link", { name: /^Inbox, \d+ new$/ }).click();
  const list = page.getByRole("main").getByRole("listitem");
  await expect(list.first()).toContainText(/BTC\/USDT: order (won|lost|tied)/);
  await expect(list.first()).toContainText("New");
  await page.goto("/wallet?do=where");
  await expect(page.getByRole("rowheader", { name: /Luck/ })).toBeVisible();
  await expect(page.getByText("The lines add up to the total")).toBeVisible();
  await page.goto("/home");
  await expect(page.getByRole("link", { name: "Inbox, nothing new" })).toBeVisible();
});
