import { expect, type Locator, type Page } from "@playwright/test";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { expectClean } from "./support/axe.ts";
import { test } from "./support/fastWorld.ts";

const say = loadTranslate("en");

/**
 * Counts what a newcomer does and sees: taps, and the words of each line of text in the window at a
 * tap, each line once.
 */
function countWalk(page: Page) {
  const labels = new Set<string>();
  let taps = 0;
  const record = async () => {
    const lines = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const visible: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? "";
        const element = node.parentElement;
        if (!element || text === "" || !element.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight)
          visible.push(text);
      }
      return visible;
    });
    for (const line of lines) labels.add(line);
  };
  return {
    look: record,
    tap: async (target: Locator) => {
      await record();
      await target.click({ timeout: 60_000 });
      taps += 1;
    },
    taps: () => taps,
    /** Only words that contain a letter: figures change with the market. */
    words: () =>
      [...labels].reduce((sum, line) => sum + (line.match(/[\p{L}’'-]*\p{L}+/gu)?.length ?? 0), 0),
  };
}

/**
 * A newcomer's first ten minutes without help, from the first visit to a checked receipt, following
 * only the list on the home screen and its links. World time runs six times as fast, so waiting for
 * the market takes a sixth of its usual time.
 */
test("a newcomer follows the list for ten minutes, and each step is ticked when it is done", async ({
  page,
}) => {
  const main = page.getByRole("main");
  const sheet = page.getByRole("dialog");
  const button = (name: string) => sheet.getByRole("button", { name, exact: true });
  const steps = main.getByRole("region", { name: say("first-steps.title") });
  const step = (name: string) => steps.getByRole("link", { name: say(`first-steps.${name}`) });
  const walk = countWalk(page);
  const home = async () => {
    await walk.tap(page.getByRole("navigation").getByRole("link", { name: say("app.tab.home") }));
    await expect(steps).toBeVisible();
  };
  await page.goto("/home");
  await waitUntilSettled(page);
  const startedMs = Date.now();
  await walk.tap(main.getByRole("button", { name: say("home.invite.action") }));
  await walk.tap(button(say("sign-in.practice.make")));
  await expect(steps).toContainText("0 of 5");
  await expectClean(page);

  await walk.tap(step("order"));
  await walk.tap(main.getByRole("button", { name: say("contracts.ticket.up"), exact: true }));
  await walk.tap(button(say("sign-in.terms.accept")));
  await walk.tap(button(say("contracts.confirm.place")));
  await expect(sheet).toHaveCount(0);
  await home();
  await expect(steps).toContainText("1 of 5");

  // Straight to the sheet, for the same contract.
  await walk.tap(step("thousand"));
  await expect(sheet.getByRole("figure").first()).toBeVisible({ timeout: 30_000 });
  await expect(sheet.getByRole("figure").first()).toContainText(/\d of 1,000 people have less/);
  await walk.look();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/do=/);
  await home();
  await expect(steps).toContainText("2 of 5");

  // A picture viewed to its end counts, regardless of the choices.
  await walk.tap(step("fraud"));
  await walk.tap(main.getByRole("button", { name: say("thief.nothing") }));
  await expect(main).toContainText(say("thief.gain.loss"));
  await walk.tap(main.getByRole("button", { name: say("thief.again") }));
  await walk.tap(main.getByRole("button", { name: say("thief.gain.4") }));
  await walk.tap(main.getByRole("button", { name: say("thief.tool.log") }));
  await expect(main).toContainText(say("thief.gain.seen"));
  await home();
  await expect(steps).toContainText("3 of 5");

  // Skipped, then resumed where it was left.
  await walk.tap(steps.getByRole("button", { name: say("first-steps.away") }));
  await expect(steps).toHaveCount(0);
  await page.reload();
  await waitUntilSettled(page);
  await expect(steps).toHaveCount(0);
  await walk.tap(page.getByRole("link", { name: say("app.help"), exact: true }).first());
  await walk.tap(main.getByRole("link", { name: say("help.steps") }));
  await expect(steps).toContainText("3 of 5");

  await walk.tap(step("withdraw"));
  // The amount and the person's own account elsewhere are already filled in.
  await expect(main.getByText("My account elsewhere")).toBeVisible();
  await walk.tap(main.getByRole("button", { name: say("withdraw.review") }));
  await walk.tap(button(say("withdraw.do")));
  await expect(sheet).toHaveCount(0);
  await home();
  // Requested is not yet paid; on a slow machine it may be paid by now.
  await expect(steps).toContainText(new RegExp(`${say("first-steps.paying")}|4 of 5`));

  await walk.tap(step("receipt"));
  await walk.tap(main.getByRole("link", { name: /^Order, BTC/ }).first());
  await expect(page.getByText("The arithmetic agrees.", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await walk.look();
  await walk.tap(page.getByRole("navigation").getByRole("link", { name: say("app.tab.home") }));
  // Checked off once it has been paid, which takes two minutes of world time.
  await expect(main).toContainText(say("first-steps.all"), { timeout: 90_000 });
  await walk.look();
  await expectClean(page);
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  process.stdout.write(
    `first ten minutes: ${walk.taps()} taps, ${seconds} s at six times the speed, ${walk.words()} words in view\n`,
  );
  expect(walk.taps()).toBeLessThanOrEqual(40);
});
