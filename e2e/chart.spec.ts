import { expect, test } from "@playwright/test";

const indicators = ["MA", "EMA", "BOLL", "VOL", "MACD", "RSI"];

test("the legend has a value for each indicator line, and the chart violates no policy", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) errors.push(message.text());
  });
  await page.addInitScript((names) => {
    localStorage.setItem("drydock.chart.indicators", JSON.stringify(names));
  }, indicators);
  await page.goto("/business");
  await page
    .getByRole("link", { name: /BTC.?USDT/ })
    .first()
    .click();
  const main = page.getByRole("main");
  const figure = String.raw`\s*−?[\d,.]+K?`;
  const lines = [
    "MA 5",
    "MA 10",
    "MA 30",
    "EMA 12",
    "EMA 26",
    String.raw`BOLL \+2σ`,
    "20",
    "−2σ",
    "VOL 5",
    "VOL 10",
    "DIF",
    "DEA",
    "MACD",
    "RSI 6",
    "RSI 14",
  ];
  // The legend describes the bar under the finger or the crosshair; arrow keys move it too.
  const chart = main.getByRole("application");
  await chart.focus();
  await expect(async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(main).toContainText(/RSI 14/, { timeout: 1_000 });
  }).toPass();
  for (const line of lines) await expect(main).toContainText(new RegExp(line + figure));
  // Moving by a whole range announces a summary of each.
  const announcement = main.locator("p[aria-live=polite].sr-only");
  await page.keyboard.press("PageUp");
  await expect(announcement).toHaveText(
    /^\d+ bars from .+ Highest [\d,.]+ at .+, lowest [\d,.]+ at /,
  );
  await expect(main.locator("canvas").first()).toBeVisible();
  expect(errors).toEqual([]);
});
