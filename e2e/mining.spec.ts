import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, type Page, test } from "@playwright/test";
import { dayMs, minuteMs } from "#core/money/time.ts";
import { expectClean } from "./support/axe.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";

/** This test moves the clock of its world, so that a lease's hour and day pass during the test. */
const world = "test-mining";
const hourMs = 60 * minuteMs;

let server: TestServer;
let url: string;
let clock: Socket;
let ticking = true;
let ticker: Promise<void>;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Moves world time forward by `byMs` in one step; returns the resulting time. Moves are serialised.
 */
function advance(byMs: number): Promise<number> {
  const next = queue.then(async () => {
    clock.write("\n");
    const nowMs = Number(String((await once(clock, "data"))[0]).trim());
    clock.write(`${nowMs + byMs}\n`);
    return Number(String((await once(clock, "data"))[0]).trim());
  });
  queue = next;
  return next;
}

/** Advances the world at its ordinary pace, so that prices and leaves keep coming. */
async function tick(): Promise<void> {
  while (ticking) {
    await advance(1_000);
    await sleep(250);
  }
}

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const settings = { WORLD: world, WORLD_CLOCK: "driven", WORLD_START: "2026-01-05T12:00:00Z" };
  server = await startTestServer(2, settings, async (data) => {
    const socket = join(data, `clock-${world}.sock`);
    for (let attempt = 0; !existsSync(socket); attempt++) {
      if (attempt === 200) throw new Error("the world did not start");
      await sleep(250);
    }
    clock = connect(socket);
    await once(clock, "connect");
    // The server becomes healthy once prices arrive, and they arrive only while the clock moves.
    ticker = tick();
  });
  ({ url } = server);
});

test.afterAll(async () => {
  ticking = false;
  await ticker;
  clock?.destroy();
  await server?.stop();
});

async function signIn(page: Page) {
  await page.goto(`${url}/home`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await expect(page.getByRole("main")).toContainText("10,000.00");
}

async function leaseForOneDay(page: Page) {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "1 day", exact: true }).click();
  await expect(main).toContainText("Doesn’t break even in 1 day.");
  await expectClean(page);
  await main.getByRole("button", { name: "Lease", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: /Antminer S21 XP 270T/ });
  await expect(sheet).toContainText(
    "The price was set above what the machine was expected to earn.",
  );
  await expectClean(page);
  await sheet.getByRole("button", { name: "Pay and lease" }).click();
  const terms = page.getByRole("dialog", { name: /practice terms/i });
  await terms.waitFor();
  await terms.getByRole("button", { name: /accept/i }).click();
  await page.waitForURL(/\/mining\/record\?lease_id=/);
}

/** Withdraws the whole balance of the coin on screen to the preselected account elsewhere. */
async function withdrawAll(page: Page) {
  const main = page.getByRole("main");
  const sheet = page.getByRole("dialog");
  await expect(main.getByText("My account elsewhere")).toBeVisible();
  await main.getByRole("button", { name: "All", exact: true }).click();
  await main.getByRole("button", { name: "Review withdrawal" }).click();
  await sheet.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(main.getByRole("button", { name: "Cancel withdrawal" })).toBeVisible();
  await advance(3 * minuteMs);
  await expect(main).toContainText(
    "Paid out of the practice ledger. Nothing was sent on any blockchain.",
    { timeout: 30_000 },
  );
}

test("a machine is leased, works a day and pays out, and the payout is withdrawn", async ({
  page,
}) => {
  await signIn(page);
  await page.goto(`${url}/mining`);
  const main = page.getByRole("main");
  const machine = main.getByRole("article", { name: "Bitmain Antminer S21 XP 270T" });
  await expect(machine).toContainText("Net per day");
  await expectClean(page);
  await machine.getByRole("link", { name: "View Antminer S21 XP 270T" }).click();
  await leaseForOneDay(page);

  await expect(main).toContainText("Setting up");
  await expect(main).toContainText("Until work starts (world time)");
  await expectClean(page);
  await advance(hourMs);
  await expect(main).toContainText("At work");
  await expect(main).toContainText("0 of 1 day paid");

  await advance(dayMs + minuteMs);
  await expect(main).toContainText("1 of 1 day paid", { timeout: 60_000 });
  await expect(main).toContainText("Completed");
  await expectClean(page);

  await main.getByRole("link", { name: "Payouts", exact: true }).click();
  const day = main.getByText(/Day 1 ·/);
  await day.click();
  await expect(main).toContainText("Result for the day");
  await expectClean(page);
  await main.getByRole("link", { name: "Check this number" }).click();
  await expect(page).toHaveURL(/\/verify\?lease_id=/);
  await expect(main).toContainText("The arithmetic agrees", { timeout: 60_000 });

  await page.goto(`${url}/miningrecord`);
  await expect(main).toContainText(/\+0\.000\d+/);
  await main.getByRole("link", { name: "Withdraw pBTC" }).click();
  await expect(page).toHaveURL(/\/wallet-info\?coin=pBTC&do=withdraw/);
  await expect(main).toContainText(/0\.000[12]\d+/);
  await withdrawAll(page);
});
