import { expect, type Page, test } from "@playwright/test";
import { settle } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { placeOn } from "./support/contractActions.ts";
import { newKey } from "./support/idempotencyKey.ts";
import {
  type BrowserUser,
  button,
  claimFirst,
  expectAccessibleAtBoth,
  hand,
  main,
  openBrowserUser,
  wideScreen,
} from "./support/operatorActions.ts";
import { type OwnServer, startOwnServer } from "./support/ownServer.ts";
import { throughSignIn } from "./support/peopleActions.ts";
import { expectAccessible } from "./support/walletActions.ts";

/** A class of five is debriefed on a projector; what a pupil said counts only if they agree. */
test.describe.configure({ mode: "serial", timeout: 120_000 });

const say = loadTranslate("en");
let server: OwnServer;
let teacher: BrowserUser;
const pupils: BrowserUser[] = [];
let classLink: { class_id: string; code: string };

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  server = await startOwnServer(1, { WORLD_SPEED: "6" });
  teacher = await openBrowserUser(browser, server, wideScreen);
  await claimFirst(teacher, server, "Class teacher");
  classLink = await makeLink(teacher.page);
  for (let number = 0; number < 4; number += 1) await join(browser);
});

test.afterAll(async () => {
  for (const user of [teacher, ...pupils]) await user?.close();
  await server?.stop();
});

async function makeLink(page: Page): Promise<typeof classLink> {
  const answer = await page.request.post("/api/operator/class/makeLink", {
    headers: { "idempotency-key": newKey() },
    data: { label: "Class 7b", limit: 5, expires_at_ms: Date.now() + 86_400_000 },
  });
  const { data } = (await answer.json()) as { data: { link: typeof classLink } };
  return data.link;
}

async function join(browser: Parameters<typeof openBrowserUser>[0]): Promise<void> {
  const pupil = await openBrowserUser(browser, server, hand);
  pupils.push(pupil);
  await pupil.page.goto(`/ucenter?invite=${classLink.code}`);
  await button(pupil.page, "Sign in").first().click();
  await throughSignIn(pupil.page);
  await expect(pupil.page.getByText(/^User /)).toBeVisible();
}

const openDebrief = async (page: Page) => {
  await page.goto(`/operator/class/debrief?class=${classLink.class_id}`);
  await settle(page);
  await button(page, say("debrief.open")).click();
};
const slide = (page: Page) => main(page).getByRole("article");

test("the plan of each lesson is one page of paper", async () => {
  const { page } = teacher;
  await page.goto("/operator/class");
  await main(page)
    .getByRole("link", { name: say("lesson-plan.title") })
    .click();
  await expect(main(page).getByRole("table").getByRole("row")).toHaveCount(8);
  await expectAccessibleAtBoth(page);
  for (const template of ["usdc-2023", "mining-month", "calm-fortnight", "blank"]) {
    await main(page)
      .getByText(say(`lesson-plan.${template}`), { exact: true })
      .first()
      .click();
    await expect(main(page)).toContainText(`--template ${template}`);
    const printed = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(printed.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  }
});

test("a class of four has no figures; one of five has", async ({ browser }) => {
  const { page } = teacher;
  await openDebrief(page);
  await expect(main(page)).toContainText("at least 5 people");
  await join(browser);
  await button(page, say("debrief.open")).click();
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.results"));
  await expect(slide(page)).toContainText(say("debrief.people.few"));
  await expect(slide(page).getByRole("table", { name: say("debrief.results") })).toBeVisible();
  await expectAccessibleAtBoth(page);
});

test("the keys of a presenter's remote change the page, and paper has all of them", async () => {
  const { page } = teacher;
  await button(page, say("debrief.next")).click();
  await expect(slide(page).getByRole("heading")).toBeFocused();
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.orders"));
  await expect(slide(page)).toContainText(say("debrief.none"));
  await page.keyboard.press("PageDown");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.beliefs"));
  await page.keyboard.press("End");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.withdrawals"));
  await expectAccessible(page);
  await page.keyboard.press("PageUp");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.costs"));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(slide(page)).toHaveCount(5);
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
  const ground = await main(page)
    .locator(".paper-light")
    .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(ground).toBe("rgb(255, 251, 244)");
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.goto("/operator/audit");
  await expect(main(page)).toContainText("Class debrief opened");
});

test("a pupil agrees that their answers count, and takes it back under Authorised activity", async () => {
  const { page } = pupils[0]!;
  await page.goto("/business?contract_id=btc-usdt");
  await settle(page);
  const stated = page.waitForResponse((response) => response.url().endsWith("/stateBelief"));
  const belief = page.getByText(say("beliefs.ask"), { exact: true });
  await placeOn(page, "Up", async () => {
    await belief.click();
    await page.getByRole("slider").fill("70");
  });
  await stated;
  await page.goto("/wallet?do=results");
  await button(page, say("beliefs.class.agree")).click();
  await expect(button(page, say("beliefs.class.stop"))).toBeVisible();
  await expectAccessible(page);
  await page.goto("/authorized-activity");
  await button(page, say("beliefs.class.stop")).click();
  await expect(button(page, say("beliefs.class.stop"))).toHaveCount(0);
});
