import { expect, test } from "@playwright/test";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { loadTranslate } from "../tools/browser/words.ts";
import { expectClean } from "./support/axe.ts";

const say = loadTranslate("en");

test("a picture is marked by keyboard, then names the tool that exposes it and offers to try it", async ({
  page,
}) => {
  await page.goto("/help");
  await waitUntilSettled(page);
  const main = page.getByRole("main");
  await main.getByRole("link", { name: say("help.view.thief") }).press("Enter");
  await main.getByRole("link", { name: say("thief.begin") }).press("Enter");
  await expect(main.getByRole("heading", { name: say("thief.tail.title") })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  const picture = main.getByRole("img", { name: /^Staged picture: An order that just ended/ });
  await expect(picture).toBeVisible();
  await expectClean(page);
  // The list describes every part in words, so that the picture can be marked without seeing it.
  const parts = main.getByRole("group", { name: say("thief.ask") }).getByRole("button");
  await expect(parts).toHaveCount(5);
  await expect(parts.nth(1)).toHaveAccessibleName(`2 ${say("thief.tail.2")}`);
  await parts.nth(1).press("Enter");
  const tools = main.getByRole("group", { name: say("thief.how") });
  await tools.getByRole("button", { name: say("thief.tool.log") }).press("Enter");
  await expect(main).toContainText(say("thief.notThat"));
  await expect(main).toContainText(say("thief.tail.seen"));
  await expect(main).not.toContainText(say("thief.tail.loss"));
  await expectClean(page);
  // The receipt can be falsified right away, on the screen that already offers it.
  await main.getByRole("link", { name: say("thief.try.receipt") }).press("Enter");
  await expect(page).toHaveURL(/\/verify\?specimen=1$/);
  await expect(page.getByRole("heading", { name: say("altered-copy.title") })).toBeVisible();
  await page.goBack();
  await expect(picture).toBeVisible();
});

test("pressing a harmless part leads to the loss, and the picture can be viewed again", async ({
  page,
}) => {
  const requestTexts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && !/userinfo|config/.test(request.url()))
      requestTexts.push(request.url());
  });
  await page.goto("/help?view=thief&scene=helper");
  await waitUntilSettled(page);
  const main = page.getByRole("main");
  const picture = main.getByRole("img", { name: /^Staged picture/ });
  const box = (await picture.boundingBox())!;
  // The fourth part is at the foot of the picture.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 65);
  await expect(main).toContainText(say("thief.harmless"));
  await expect(main).toContainText(say("thief.helper.loss"));
  await expectClean(page);
  await main.getByRole("button", { name: say("thief.again") }).click();
  // The third, a wallet's request, gives it away.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 140);
  await expect(main).toContainText(say("thief.right"));
  await main.getByRole("button", { name: say("thief.tool.reader") }).click();
  await expect(main).toContainText(say("thief.helper.seen"));
  await main.getByRole("link", { name: say("thief.toEnd") }).click();
  await expect(main).toContainText("You saw through 1 of 1.");
  await expect(main.getByRole("link", { name: /^Someone who gets it back/ })).toContainText(
    say("thief.seen"),
  );
  await expectClean(page);
  // Only pictures and choices: nothing to fill in, nothing sent.
  await expect(main.locator("input, select, textarea, form")).toHaveCount(0);
  expect(requestTexts).toEqual([]);
});
