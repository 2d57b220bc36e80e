import { type Browser, expect, type Page, test } from "@playwright/test";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import {
  type ClassFacts,
  countOrders,
  countSettledOrders,
  createClass,
  joinByCode,
  type PupilFacts,
} from "../tools/class/classFacts.ts";
import {
  appViewport,
  type BrowserUser,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  openBrowserUser,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";
import { expectAccessible } from "./support/walletActions.ts";

/**
 * A class is debriefed on a projector: its figures come from its orders, none describes fewer than
 * five people, and a pupil's stated confidence counts only if they agree.
 */
test.describe.configure({ mode: "serial", timeout: 90_000 });

const say = loadTranslate("en");
let server: TestServer;
let facts: ClassFacts;
let teacher: BrowserUser;
const pupils: PupilFacts[] = [];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  server = await startTestServer(1, { WORLD_SPEED: "60" });
  facts = await createClass(server, 6);
  teacher = await openSession(browser, facts.teacher.token, wideScreen);
});

test.afterAll(async () => {
  await teacher?.close();
  facts?.client.close();
  await server?.stop();
});

/** A browser with the session of an account that was made over HTTP. */
async function openSession(
  browser: Browser,
  token: string,
  viewport: { width: number; height: number },
): Promise<BrowserUser> {
  const user = await openBrowserUser(browser, server, viewport);
  await user.page.context().addCookies([{ name: "w1Token", value: token, url: server.url }]);
  return user;
}

const slide = (page: Page) => getMain(page).getByRole("article");
const line = (page: Page, label: string) =>
  slide(page)
    .getByRole("paragraph")
    .filter({ hasText: say(label) });

/**
 * Number of printed pages for a class of forty: eight ranges of results and five steps of
 * confidence. The rows are copies, removed afterwards.
 */
async function countPagesOfLargeClass(page: Page): Promise<number | undefined> {
  await page.evaluate(() => {
    for (const [name, count] of [
      ["results", 8],
      ["beliefs", 5],
    ] as const) {
      const body = document.querySelector<HTMLTableSectionElement>(`[data-slide=${name}] tbody`)!;
      while (body.rows.length < count) {
        body.append(body.rows[0]!.cloneNode(true));
        body.rows[body.rows.length - 1]!.classList.add("copy");
      }
    }
  });
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  await page.evaluate(() => {
    for (const copy of document.querySelectorAll("tr.copy")) copy.remove();
  });
  return pdf.match(/\/Type\s*\/Page\b/g)?.length;
}

/** Presses a button that opens or recounts the debrief; returns the server's answer. */
async function count(page: Page, press: string): Promise<ClassDebrief["figures"]> {
  const openResponse = page.waitForResponse((response) => response.url().endsWith("/openDebrief"));
  await getButton(page, say(press)).click();
  const { data } = (await (await openResponse).json()) as { data: ClassDebrief };
  return data.figures;
}

test("a class of four people gets no debrief", async () => {
  const { page } = teacher;
  for (const code of facts.codes.slice(0, 4)) pupils.push(await joinByCode(facts, code));
  await page.goto(`/operator/class/debrief?class=${facts.classId}`);
  await waitUntilSettled(page);
  await getButton(page, say("debrief.open")).click();
  await expect(getMain(page)).toContainText("at least 5 people");
  await expect(slide(page)).toHaveCount(0);
});

test("a class of six gets its orders counted, and no figure describes fewer than five people", async () => {
  const { page } = teacher;
  for (const code of facts.codes.slice(4)) pupils.push(await joinByCode(facts, code));
  await Promise.all(
    pupils.map(async (pupil, index) => {
      await pupil.order("up", 60 + index);
      await pupil.order("down", 90);
    }),
  );
  // Four of the six agree: one too few.
  for (const pupil of pupils.slice(0, 4)) await pupil.agreeToBeCounted();
  const orders = await countSettledOrders(pupils);
  expect(orders).toHaveLength(12);
  const figures = await count(page, "debrief.open");

  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.results"));
  const results = figures.results!.content;
  expect(results.ranges.every(({ people }) => people >= 5)).toBe(true);
  const ranges = slide(page).getByRole("table", { name: say("debrief.results") });
  await expect(ranges.getByRole("row")).toHaveCount(1 + results.ranges.length);
  for (const [index, { people }] of results.ranges.entries()) {
    await expect(ranges.getByRole("row").nth(index + 1)).toContainText(String(people));
  }
  await expectAccessibleAtBoth(page);

  await page.keyboard.press("PageDown");
  await expect(slide(page).getByRole("heading")).toBeFocused();
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.orders"));
  const expected = countOrders(orders);
  const shares = slide(page).getByRole("table", { name: say("debrief.orders") });
  await expect(shares.getByRole("row").nth(1)).toContainText(`${expected.rightPercent}%`);
  await expect(shares.getByRole("row").nth(2)).toContainText(`${expected.evenPercent}%`);
  await expect(line(page, "debrief.orders.decided")).toContainText(String(expected.decided));
  await expect(line(page, "debrief.orders.people")).toContainText(say("debrief.people.most"));

  await page.keyboard.press("PageDown");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.beliefs"));
  expect(figures.beliefs).toBeNull();
  await expect(slide(page)).toContainText(say("debrief.none"));
  await expect(slide(page).getByRole("table")).toHaveCount(0);

  await page.keyboard.press("End");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.withdrawals"));
  await expect(slide(page)).toContainText(say("debrief.people.few"));
});

test("confidence is shown beside the outcome once a fifth pupil agrees", async ({ browser }) => {
  const pupil = await openSession(browser, pupils[4]!.token, appViewport);
  await pupil.page.goto("/wallet?do=results");
  await getButton(pupil.page, say("beliefs.class.agree")).click();
  await expect(getButton(pupil.page, say("beliefs.class.stop"))).toBeVisible();
  await expectAccessible(pupil.page);

  const { page } = teacher;
  const { beliefs } = await count(page, "debrief.recount");
  const { steps, stated_percent: confidence } = beliefs!.content;
  await page.keyboard.press("PageUp");
  await page.keyboard.press("PageUp");
  await expect(slide(page).getByRole("heading")).toHaveText(say("debrief.beliefs"));
  const table = slide(page).getByRole("table", { name: say("debrief.beliefs") });
  await expect(table.getByRole("row")).toHaveCount(1 + steps.length);
  // Five said 60 to 64 and 90: 62 and 90 on average.
  expect(confidence).toBe(76);
  await expect(line(page, "debrief.beliefs.mean")).toContainText(`${confidence}% sure`);
  await expectAccessible(page);
  expect(await countPagesOfLargeClass(page)).toBe(2);

  await pupil.page.goto("/authorized-activity");
  await getButton(pupil.page, say("beliefs.class.stop")).click();
  await expect(getButton(pupil.page, say("beliefs.class.stop"))).toHaveCount(0);
  expect((await count(page, "debrief.recount")).beliefs).toBeNull();
  await expect(slide(page)).toContainText(say("debrief.none"));
  await pupil.close();
});

test("the print has every figure on a light background, and each opening is logged", async () => {
  const { page } = teacher;
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(slide(page)).toHaveCount(5);
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
  const ground = await getMain(page)
    .locator(".paper-light")
    .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(ground).toBe("rgb(255, 251, 244)");
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.goto("/operator/audit");
  await expect(getButton(page, /Class debrief opened/)).toHaveCount(3);
});

test("each lesson's plan opens", async () => {
  const { page } = teacher;
  await page.goto("/operator/class");
  await getMain(page)
    .getByRole("link", { name: say("lesson-plan.title") })
    .click();
  await expect(getMain(page).getByRole("table").getByRole("row")).toHaveCount(8);
  await expectAccessibleAtBoth(page);
  for (const template of ["usdc-2023", "mining-month", "calm-fortnight", "blank"]) {
    const choice = getMain(page).getByRole("radio", { name: say(`lesson-plan.${template}`) });
    await choice.click();
    await expect(choice).toBeChecked();
    await expect(getMain(page)).toContainText(`--template ${template}`);
  }
  expect(teacher.errors).toEqual([]);
});

test("a lesson's plan prints on one page", async () => {
  const { page } = teacher;
  await page.goto("/operator/class/plan");
  await expect(getMain(page).getByRole("table").getByRole("row")).toHaveCount(8);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});
