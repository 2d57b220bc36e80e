import type { Page } from "playwright";
import { choices, sceneNames } from "#core/lesson/scenes.ts";
import { sittingSize } from "#core/lesson/sittings.ts";
import { waitUntilSettled } from "./actions.ts";
import { getSheet, press, type State } from "./state.ts";
import type { Translate } from "./words.ts";

/** States of the screens about people: verification, lesson, personal data, news and notices. */
export const peopleStates: readonly State[] = [
  { name: "newcomer-home", viewer: "newcomer", path: () => "/home" },
  {
    name: "sheet-identity-workshop",
    viewer: "newcomer",
    path: () => "/real_name",
    perform: async (page, say) => {
      await openSpecimenMaker(page, say);
    },
  },
  {
    name: "sheet-identity-document",
    viewer: "person",
    path: () => "/real_name",
    perform: openDocument,
  },
  {
    name: "identity-form",
    viewer: "person",
    path: () => "/real_name",
    perform: async (page, say) => {
      await openDocument(page, say);
      const fill = page.getByRole("dialog").getByRole("button", { name: say("identity.fill") });
      await fill.click();
      // Each field reports what is missing.
      await press(page, say("identity.next"));
    },
  },
  {
    name: "lesson-scene",
    viewer: "visitor",
    path: () => "/help?view=lesson",
    perform: async (page, say) => {
      await press(page, say("lesson.begin"));
      await press(page, say("lesson.tip.c"));
    },
  },
  {
    name: "lesson-end",
    viewer: "visitor",
    path: () => "/help?view=lesson",
    perform: async (page, say) => {
      await press(page, say("lesson.begin"));
      for (const [index, scene] of sceneNames.entries()) {
        await press(page, say(`lesson.${scene}.${choices[index % choices.length]}`));
        await press(page, say(index + 1 < sceneNames.length ? "lesson.next" : "lesson.toEnd"));
      }
    },
  },
  {
    name: "sitting-item",
    viewer: "visitor",
    path: () => "/help?view=sitting",
    perform: async (page, say) => {
      await press(page, say("sitting.begin"));
      await press(page, say("sitting.scam"));
    },
  },
  {
    name: "sitting-end",
    viewer: "visitor",
    path: () => "/help?view=sitting",
    perform: async (page, say) => {
      await press(page, say("sitting.begin"));
      for (let index = 1; index <= sittingSize; index += 1) {
        await press(page, say("sitting.scam"));
        await press(page, say(index < sittingSize ? "sitting.next" : "sitting.toEnd"));
      }
    },
  },
  {
    name: "sheet-export",
    decision: true,
    viewer: "person",
    path: () => "/ucenter",
    perform: async (page, say) => {
      await press(page, say("account.export"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-delete",
    decision: true,
    viewer: "person",
    path: () => "/ucenter",
    perform: async (page, say) => {
      await press(page, say("account.delete"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-own-limits",
    decision: true,
    viewer: "person",
    path: () => "/ucenter",
    perform: async (page, say) => {
      await press(page, say("account.limits"));
      await getSheet(page);
    },
  },
  {
    name: "request-read",
    viewer: "person",
    path: () => "/authorized-activity",
    perform: (page, say) => press(page, say("wallet-requests.reader.try.permit")),
  },
  {
    name: "dialog-end-all",
    decision: true,
    viewer: "person",
    path: () => "/authorized-activity",
    perform: async (page, say) => {
      await press(page, say("wallet-requests.sessions.endAll"));
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "news-post",
    viewer: "visitor",
    path: () => "/news-list",
    perform: async (page) => {
      await page.locator("main a[href*='post_id=']").first().click();
      await page.locator("main article").waitFor();
    },
  },
  ...(["bar", "dialog"] as const).map(
    (type): State => ({
      name: `notice-${type}`,
      viewer: "visitor",
      path: () => "/news-list",
      perform: (page) => showNotice(page, type),
      leave: (page) => page.unroute(noticePath),
    }),
  ),
];

async function openSpecimenMaker(page: Page, say: Translate): Promise<void> {
  const buttonNames = [say("identity.open"), say("identity.another")];
  const [first, second] = buttonNames.map((name) =>
    page.getByRole("main").getByRole("button", { name }),
  );
  await first!.or(second!).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("identity.draw") })
    .waitFor();
}

/**
 * Opens the document of the person's identity, drawing one only if there is none, since draws per
 * day are limited.
 */
async function openDocument(page: Page, say: Translate): Promise<void> {
  const show = page.getByRole("main").getByRole("button", { name: say("identity.show") });
  if (await show.isVisible()) await show.click();
  else {
    await openSpecimenMaker(page, say);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("identity.draw") })
      .click();
  }
  await page.getByRole("dialog").locator("canvas").waitFor();
}

const noticePath = "**/api/index/findNotice?*";

/**
 * Simulates a notice published by an operator in English; a real one would cover every other screen
 * of the walk.
 */
async function showNotice(page: Page, type: "bar" | "dialog"): Promise<void> {
  await page.route(noticePath, async (route) => {
    const text = "Exercise today: the class begins at ten, and the world is paused at noon.";
    const title = type === "bar" ? "" : "Exercise today";
    const words = { severity: "important", language: "en", title, text, until_ms: null };
    const notice = route.request().url().endsWith(type)
      ? { notice_id: "00000000-0000-4000-8000-000000000001", version: 1, type, ...words }
      : null;
    await route.fulfill({ json: { code: 1, msg: "", data: { notice } } });
  });
  await page.reload();
  await waitUntilSettled(page);
  const locator = type === "bar" ? page.locator("section output") : page.getByRole("alertdialog");
  await locator.waitFor();
}
