import { expect, type Locator, type Page, test } from "@playwright/test";
import { startTestServer, type TestServer } from "./support/testServer.ts";

/** More Tab presses than any screen has tab stops. */
const stopsMax = 120;

/** Presses Tab until `target` has the focus; the focus ring must be visible there. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      const ring = await target.evaluate((element) => getComputedStyle(element).outlineStyle);
      expect(ring, "the focus ring is visible").not.toBe("none");
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target.toString()}`);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

test.use({ hasTouch: false });

// World time runs six times as fast here, so the order is over after ten seconds.
let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer(2, { WORLD_SPEED: "6" });
});
test.afterAll(() => server?.stop());

/** As in main-job.spec.ts, but by keyboard alone: no click, tap or scripted focus. */
test("the main path works by keyboard: sign in, order, settle, check and withdraw", async ({
  page,
}) => {
  await page.goto(`${server.url}/home`);
  const main = page.getByRole("main");
  const dialog = page.getByRole("dialog");
  await press(page, main.getByRole("button", { name: "Sign in" }).first());
  await press(page, dialog.getByRole("button", { name: "Create a practice wallet" }));
  await expect(main).toContainText("10,000.00");

  await press(page, main.getByRole("link", { name: /Contracts/ }).first());
  await press(page, main.getByRole("link", { name: /BTC.?USDT/ }).first());
  await expect(main).toContainText("53.16%");
  await press(page, main.getByRole("button", { name: "Up", exact: true }));
  const terms = page.getByRole("dialog", { name: /practice terms/i });
  await terms.waitFor();
  await press(page, terms.getByRole("button", { name: /accept/i }), "Space");
  await press(page, dialog.getByRole("button", { name: "Place order" }));
  const card = main.getByRole("region", { name: "Orders" }).getByRole("article");
  await expect(card).toContainText(/start in|Prices:/);

  const receipt = card.getByRole("link", { name: "Check this result" });
  await expect(receipt).toBeVisible({ timeout: 100_000 });
  await press(page, receipt);
  await expect(page.getByText("The arithmetic agrees.", { exact: true })).toBeVisible({
    timeout: 20_000,
  });

  await press(page, page.getByRole("navigation").getByRole("link", { name: "Home" }));
  await press(page, main.getByRole("link", { name: /balance|wallet/i }).first());
  await press(page, main.getByRole("link", { name: /pUSDT/ }).first());
  await press(page, main.getByRole("link", { name: "Withdraw", exact: true }).first());
  // Three short questions precede the first withdrawal, each a choice of two; the arrow keys
  // choose.
  const questions = main.getByRole("radiogroup").or(main.getByRole("group"));
  await expect(questions.first()).toBeVisible();
  for (const answers of await main.getByRole("radio", { name: "No" }).all()) {
    await press(page, answers, "Space");
  }
  await press(page, main.getByRole("button", { name: "All", exact: true }));
  await press(page, main.getByRole("button", { name: "Address book" }));
  await press(page, dialog.getByRole("button", { name: "Add address" }));
  await reach(page, dialog.getByLabel("Name"));
  await page.keyboard.type("My own");
  await press(page, dialog.getByRole("button", { name: "Create a practice address" }));
  await press(page, dialog.getByRole("button", { name: "Save address" }));
  await press(page, dialog.getByRole("button", { name: /My own/ }).first());
  await press(page, main.getByRole("button", { name: "Review withdrawal" }));
  await press(page, dialog.getByRole("button", { name: "Withdraw", exact: true }));
  await expect(main).toContainText("Held, for example for withdrawals");
});
