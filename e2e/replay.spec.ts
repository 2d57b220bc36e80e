import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { placeOrder } from "./support/contractActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";

/**
 * A recording of real markets kept beside the project where available; it is never part of the
 * project.
 */
const recording = join(import.meta.dirname, "../../shared/data");
let server: TestServer;
let url: string;

test.skip(!existsSync(recording), "no recording of real markets beside the project");

test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startTestServer(1, {
    WORLD: "quake",
    MARKET: `replay:${recording}`,
    WORLD_START: "2023-03-11T06:50:00Z",
    WORLD_SPEED: "60",
  });
  ({ url } = server);
});

test.afterAll(() => server?.stop());

async function placeShortOrder(page: Page, direction: "Up" | "Down") {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /^Change stake and duration/ }).click();
  const fields = page.getByRole("dialog", { name: "Stake and duration" });
  await fields.getByRole("radio", { name: /^5 min pays/ }).check();
  await fields.getByRole("button", { name: "Done" }).click();
  await placeOrder(page, direction);
  return main.getByRole("region", { name: "Orders" }).getByRole("article").first();
}

test("the main path works on a recording of USDC losing its peg", async ({ page }) => {
  await page.goto(`${url}/home`);
  await expect(
    page.getByText("These prices are a recording, not today’s market.").first(),
  ).toBeVisible();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await expect(page.getByRole("main")).toContainText("10,000.00");

  await page.goto(`${url}/business?contract_id=usdc-usdt`);
  await expect(
    page.getByText("These prices are a recording, not today’s market.").first(),
  ).toBeVisible();
  const card = await placeShortOrder(page, "Down");
  const check = card.getByRole("link", { name: "Check this result" });
  await expect(check).toBeVisible({ timeout: 60_000 });
  await check.click();
  await expect(page.getByText("The arithmetic agrees.", { exact: true })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole("main")).toContainText(/recording|replay/i);

  // The lowest minute, 07:15, passes while this waits: the price on the page goes below 0.90.
  await page.goto(`${url}/business?contract_id=usdc-usdt`);
  await expect(async () => {
    const low = await page.getByRole("main").locator("dd").nth(1).innerText();
    expect(Number(low)).toBeLessThan(0.9);
  }).toPass({ timeout: 60_000 });
});
