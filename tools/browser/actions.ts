import type { Page } from "playwright";
import type { Translate } from "./words.ts";

export type Theme = "light" | "dark";

/** Sets language and theme for every page that `page` opens from now on; the last call wins. */
export async function setTheme(page: Page, language: string, theme: Theme): Promise<void> {
  await page.addInitScript(
    ([themeName, themeId]) => {
      try {
        localStorage.setItem("language", themeName);
        localStorage.setItem("drydock.theme", themeId);
      } catch {
        // A page without storage shows the defaults.
      }
    },
    [language, theme] as const,
  );
}

/**
 * Waits until the screen's text, code and figures have loaded: a heading, and no loading indicator.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  // By element, since content under an open sheet has no accessible role.
  const heading = page.locator("h1").first();
  const failed = page.locator("#start-failed");
  await heading.or(failed).first().waitFor({ timeout: 30_000 });
  if (await failed.isVisible()) {
    // Browsers occasionally abort a script that two pages load at the same time; the page then
    // offers a reload.
    await failed.getByRole("button").click();
    await heading.waitFor({ timeout: 30_000 });
  }
  await page
    .waitForFunction(
      () =>
        document.fonts.status === "loaded" &&
        document.querySelector(
          "main .skeleton, [role=dialog] .skeleton, main [aria-busy='true']",
        ) === null &&
        // Rows of a long list stay hidden until they have been measured.
        [...document.querySelectorAll<HTMLElement>("[data-records] li")].every(
          (row) => row.style.visibility !== "hidden",
        ),
      undefined,
      { timeout: 4_000 },
    )
    // A screen still loading after that is shown as is, since a person would see it so.
    .catch(() => {});
}

/** Opens the sign-in sheet on the current page. */
export async function openSignIn(page: Page, say: Translate): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: say("account.signIn"), exact: true })
    .first()
    .click();
  await practiceWallet(page, say).waitFor();
}

/** The button that signs in with a practice wallet: a new one, or the one this browser has. */
function practiceWallet(page: Page, say: Translate) {
  return page
    .getByRole("button", { name: say("sign-in.practice.make") })
    .or(page.getByRole("button", { name: say("sign-in.practice.use") }));
}

/** Goes from the open sign-in sheet to the text to sign. */
export async function openReview(page: Page, say: Translate): Promise<void> {
  await page.getByRole("button", { name: say("sign-in.practice.read") }).click();
  await page.getByRole("button", { name: say("sign-in.review.sign"), exact: true }).waitFor();
}

/** Goes from the open sign-in sheet to a session with a new practice wallet. */
export async function signIn(page: Page, say: Translate): Promise<void> {
  const locator = practiceWallet(page, say);
  await locator.click();
  // Not just any sheet: after signing in for an action, the next sheet continues it.
  await locator.waitFor({ state: "hidden" });
}

/** On the trade screen: presses Up, which a newcomer answers with the practice terms. */
export async function pressUpButton(page: Page, say: Translate): Promise<void> {
  const main = page.getByRole("main");
  await main.getByRole("button", { name: say("contracts.ticket.up"), exact: true }).click();
}

/**
 * On the trade screen of a person who has accepted the terms: opens the confirmation of an order.
 */
export async function openTicket(page: Page, say: Translate): Promise<void> {
  await pressUpButton(page, say);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("contracts.confirm.place") })
    .waitFor();
}

/** Places the order under review: in a sheet on a phone, in the ticket on wide screens. */
export async function confirmOrder(page: Page, say: Translate): Promise<void> {
  await page.getByRole("button", { name: say("contracts.confirm.place") }).click();
}

/** Reads the practice terms to the end, by keyboard, and accepts them. */
export async function acceptTerms(page: Page, say: Translate): Promise<void> {
  const accept = page.getByRole("button", { name: say("sign-in.terms.accept"), exact: true });
  await accept.click();
}
