import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * The violations that axe finds on the page, each with the elements concerned. `rules` limits it to
 * some rules, `include` to what a selector matches.
 */
export async function listViolations(
  page: Page,
  { rules, include }: { rules?: string[]; include?: string } = {},
): Promise<[string, string[]][]> {
  await waitForTransitions(page);
  // Legacy mode halves the time: without frames, no separate page is needed for the result.
  let axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (rules) axe = axe.withRules(rules);
  if (include) axe = axe.include(include);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
}

/**
 * While fading, a colour has the contrast of neither end, and a busy machine may be measured in the
 * middle.
 */
async function waitForTransitions(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter(
        ({ effect, playState, timeline }) =>
          playState === "running" &&
          timeline === document.timeline &&
          effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    const animationsOver = Promise.allSettled(finite.map(({ finished }) => finished));
    // A transition that the browser does not advance, as on a page that it does not draw, never
    // ends.
    await Promise.race([animationsOver, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  });
}

/** Checks that axe finds nothing in the current theme. */
export async function expectClean(page: Page, options?: { include: string }): Promise<void> {
  expect(await listViolations(page, options)).toEqual([]);
}
