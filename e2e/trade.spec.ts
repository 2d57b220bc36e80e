import { expect, type Locator, type Page, test } from "@playwright/test";
import { acceptTerms, openSignIn, signIn, waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { createIdempotencyKey } from "./support/idempotencyKey.ts";

const say = loadTranslate("en");
const trade = "/business?contract_id=btc-usdt";
const sizes = [
  [360, 740],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const;

const direction = (page: Page, name: "Up" | "Down") =>
  page.getByRole("main").getByRole("button", { name, exact: true });

async function readData<Data>(page: Page, path: string): Promise<Data> {
  return ((await (await page.request.get(path)).json()) as { data: Data }).data;
}

/** Places an order of the longest tier, which stays open. */
async function placeThroughApi(page: Page): Promise<void> {
  const { terms } = await readData<{ terms: { terms_hash: string } }>(
    page,
    "/api/contract/getContractDetails?contract_id=btc-usdt",
  );
  const answer = await page.request.post("/api/contract/contractPlaceOrder", {
    headers: { "idempotency-key": createIdempotencyKey() },
    data: {
      contract_id: "btc-usdt",
      direction: "up",
      stake: "10",
      tier: 86_400,
      terms_hash: terms.terms_hash,
    },
  });
  expect(answer.status()).toBe(200);
}

/** Expects the whole element on screen, with nothing covering it. */
async function expectInReach(button: Locator, place: string): Promise<void> {
  await expect(button, place).toBeInViewport({ ratio: 1 });
  const isUncovered = await button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element.contains(hit);
  });
  expect(isUncovered, `${place}: nothing covers it`).toBe(true);
}

async function expectEverySize(page: Page, orders: number): Promise<void> {
  for (const [width, height] of sizes) {
    const place = `${width}x${height} with ${orders} open orders`;
    await page.setViewportSize({ width, height });
    // First on arrival; the second round only rotates the device.
    if (orders === 1 || width === 360) await page.goto(trade);
    await waitUntilSettled(page);
    const chips = page.getByRole("list", { name: "Open orders" }).getByRole("listitem");
    await expect(chips, place).toHaveCount(orders);
    await expectInReach(direction(page, "Up"), `Up at ${place}`);
    await expectInReach(direction(page, "Down"), `Down at ${place}`);
    const { wide, tall } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      tall: document.documentElement.scrollHeight - innerHeight,
    }));
    expect(wide, `${place} is wider than the window`).toBeLessThanOrEqual(0);
    if (width >= 1280) expect(tall, `${place} scrolls`).toBeLessThanOrEqual(0);
  }
}

test("the chosen direction is kept through sign-in and terms, and no order is placed", async ({
  page,
  context,
}) => {
  await page.goto(trade);
  await direction(page, "Up").click();
  await signIn(page, say);
  await acceptTerms(page, say);
  const sheet = page.getByRole("dialog", { name: "BTC/USDT Up" });
  await expect(sheet).toContainText("−101.00");
  expect((await readData<{ items: unknown[] }>(page, "/api/contract/getOrderList")).items).toEqual(
    [],
  );
  await sheet.getByRole("button", { name: "Back" }).click();

  await placeThroughApi(page);
  await expectEverySize(page, 1);
  for (let count = 1; count < 5; count += 1) await placeThroughApi(page);
  await expectEverySize(page, 5);

  await context.setOffline(true);
  await expect(direction(page, "Up")).toBeDisabled();
  await expect(direction(page, "Up")).toHaveAccessibleDescription(/offline/);
  await context.setOffline(false);
  await expect(direction(page, "Up")).toBeEnabled();
});

test("in a low window the costs are above the button and a placed order is in view", async ({
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(trade);
  await direction(page, "Up").click();
  await signIn(page, say);
  await acceptTerms(page, say);
  const panel = page.getByRole("region", { name: "BTC/USDT Up" });
  const placeButton = panel.getByRole("button", { name: "Place order" });
  await expectInReach(placeButton, "Place order");
  await expectInReach(panel.getByRole("button", { name: "Back" }), "Back");
  for (const figure of ["+89.00", "−101.00", "53.16%"])
    await expect(panel.getByRole("definition").filter({ hasText: figure })).toBeInViewport({
      ratio: 1,
    });
  await placeButton.click();
  const chips = page.getByRole("list", { name: "Open orders" });
  await expect(chips.getByRole("listitem")).toBeInViewport({ ratio: 1 });
});

test("U opens the ticket, Escape closes it and Enter places orders until the tier's limit", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/ucenter");
  await openSignIn(page, say);
  await signIn(page, say);
  await page.goto(trade);
  const ask = page.getByRole("region", { name: "BTC/USDT Up" });
  const first = page.getByRole("radio", { name: /^1 min/ });
  await expect(direction(page, "Up")).toBeEnabled();
  await page.keyboard.press("u");
  await acceptTerms(page, say);
  await expect(ask).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(direction(page, "Up")).toBeFocused();
  for (let remaining = 5; remaining > 0; remaining -= 1) {
    await expect(first).toBeChecked();
    await expect(first).toHaveAccessibleName(new RegExp(`${remaining} of 5 left today`));
    await page.keyboard.press("u");
    await expect(ask).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(ask).toHaveCount(0);
  }
  await expect(first).toBeDisabled();
  await expect(page.getByRole("radio", { name: /^5 min/ })).toBeChecked();
  await page.keyboard.press("3");
  await expect(page.getByRole("radio", { name: /^15 min/ })).toBeChecked();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard and chart help" })).toContainText(
    "Single-key shortcuts",
  );
});
