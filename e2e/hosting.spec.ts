import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectClean } from "./support/axe.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";

/**
 * A recording of real markets kept beside the project where available; strategies do trade on it.
 */
const recording = join(import.meta.dirname, "../../shared/data");

let server: TestServer;

test.skip(!existsSync(recording), "no recording of real markets beside the project");

test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startTestServer(7, {
    WORLD: "quake",
    MARKET: `replay:${recording}`,
    WORLD_START: "2023-03-11T00:00:00Z",
    WORLD_SPEED: "60",
  });
});

test.afterAll(async () => {
  await server?.stop();
});

async function signIn(page: Page) {
  await page.goto(`${server.url}/home`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await expect(page.getByRole("main")).toContainText("10,000.00");
}

test("a person subscribes, sees a trade, redeems and finds both in the records", async ({
  page,
}) => {
  await signIn(page);
  await page.goto(`${server.url}/ai`);
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Cross-venue arbitrage" }).click();
  await expect(main).toContainText("at a price nobody knows yet");
  await expectClean(page);

  await main.getByRole("button", { name: "Subscribe" }).click();
  const sheet = page.getByRole("dialog", { name: /^Subscribe/ });
  await expect(sheet).toContainText("You can lose money.");
  await sheet.getByLabel("Amount").fill("1000");
  await expectClean(page);
  await sheet.getByRole("button", { name: "Place subscription" }).click();
  const terms = page.getByRole("dialog", { name: /practice terms/i });
  await terms.getByRole("button", { name: /accept/i }).click();
  await expect(main.getByRole("button", { name: "Redeem" })).toBeVisible({ timeout: 30_000 });

  await page.goto(`${server.url}/robot-run-page`);
  await expect(main).toContainText("Gap needed");
  const trades = main.getByRole("region", { name: "Latest trades" });
  await trades.getByRole("button").first().click({ timeout: 60_000 });
  const trade = page.getByRole("dialog", { name: /Paper trade \d+/ });
  await expect(trade).toContainText("At the decision");
  await expectClean(page);
  await page.keyboard.press("Escape");
  await expectClean(page);

  await page.goto(`${server.url}/ai/product?product_id=cross-btc`);
  await main.getByRole("button", { name: "Redeem" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Redeem units" }).click();
  await page.goto(`${server.url}/ai/record`);
  await main.getByRole("tab", { name: "Completed" }).click();
  await expect(main.getByRole("button", { name: /Redemption.*Executed/ })).toBeVisible({
    timeout: 30_000,
  });
  await expect(main.getByRole("button", { name: /Subscription.*Executed/ })).toBeVisible();
  const pools = main.getByRole("group", { name: "Pool" });
  await pools.getByRole("button", { name: "Buy and hold" }).click();
  await expect(main).toContainText("There’s nothing here for this pool.");
  await page.reload();
  await expect(main).toContainText("There’s nothing here for this pool.");
  await expectClean(page);
  await pools.getByRole("button", { name: "All pools" }).click();
  await expect(main.getByRole("button", { name: /Subscription.*Executed/ })).toBeVisible();
  await expectClean(page);
});
