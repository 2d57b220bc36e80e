import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectClean } from "./support/axe.ts";
import {
  claimFirst,
  elevateInSheet,
  expectAccessibleAtBoth,
  getButton,
  getMain,
  getSheet,
  openBrowserUser,
  wideScreen,
} from "./support/operatorActions.ts";
import { startTestServer, type TestServer } from "./support/testServer.ts";

/** An address with two worlds: the main one, and one for a class. */
let server: TestServer;
let url: string;
let code: string;
let address: string;
const command = join(import.meta.dirname, "../tools/worlds/worlds.ts");

test.beforeAll(async () => {
  test.setTimeout(240_000);
  server = await startTestServer(4, {});
  ({ url } = server);
  const env = { ...process.env, DRYDOCK_DATA: server.data, PORT: new URL(url).port };
  const output = execFileSync(process.execPath, [command, "create", "class-7b"], {
    env,
  }).toString();
  [, code = "", address = ""] = /its code is (\S+), its address (\S+)/.exec(output)!;
  await expect
    .poll(
      () =>
        fetch(`${address}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        timeout: 120_000,
      },
    )
    .toBe(true);
});
test.afterAll(() => server?.stop());

test("a code opens its world, and a wrong code reveals no world", async ({ page }) => {
  await page.goto(url);
  const main = page.getByRole("main");
  await expect(
    main.getByRole("heading", { name: "Several worlds share this address" }),
  ).toBeVisible();
  await expectClean(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectClean(page);
  const field = main.getByRole("textbox", { name: "Your world’s code" });
  await field.fill("nobody-knows");
  await main.getByRole("button", { name: "Find my world" }).click();
  await expect(main.getByRole("alert")).toHaveText(/^No world has this code/);
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(main).not.toContainText("class-7b");
  await expectClean(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expectClean(page);
  // People type it without the hyphen and in lower case.
  await field.fill(code.toLowerCase().replace("-", ""));
  await page.keyboard.press("Enter");
  const open = main.getByRole("link", { name: "Open class-7b" });
  await expect(open).toBeVisible();
  await expectClean(page);
  await open.click();
  await expect(page).toHaveURL(`${address}/home`);
});

test("the page is in the browser's language", async ({ browser }) => {
  const context = await browser.newContext({ locale: "ja" });
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await expectClean(page);
  await context.close();
});

test("a world's archive is served and checked elsewhere, without sign-in", async ({ page }) => {
  test.setTimeout(120_000);
  const file = join(server.data, "class-7b.tar");
  const env = { ...process.env, DRYDOCK_DATA: server.data, PORT: new URL(url).port };
  execFileSync(process.execPath, [command, "export", "class-7b", file], { env });
  const port = String(Number(new URL(url).port) + 3);
  const reader = spawn(process.execPath, [command, "open", file], {
    env: { ...process.env, DRYDOCK_DATA: join(server.data, "nothing"), PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(reader.stdout.setEncoding("utf8"), "data");
    expect(line).toContain(`The archive of class-7b is open at http://127.0.0.1:${port}`);
    await page.goto(`http://127.0.0.1:${port}/`);
    await expect(page).toHaveURL(/\/archive$/);
    await expect(page.getByRole("heading", { name: "Archive of class-7b" })).toBeVisible();
    await expectClean(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectClean(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("link", { name: "Check the log" }).click();
    const main = page.getByRole("main");
    await expect(main.getByText("Nothing here changes.")).toBeVisible();
    await expect(
      main.getByText("This is the first time this browser has seen this log."),
    ).toBeVisible();
    await expectClean(page);
    await main.getByRole("tab", { name: "Price" }).click();
    await main.getByRole("button", { name: "Look up" }).click();
    await expect(main.getByText("The quotes give this index")).toBeVisible();
    // Every other screen needs a running world.
    await page.getByRole("link", { name: "Home" }).first().click();
    await expect(page).toHaveURL(/\/archive$/);
    await page.goto(`http://127.0.0.1:${port}/wallet`);
    await expect(page).toHaveURL(/\/archive$/);
  } finally {
    reader.kill("SIGTERM");
    await once(reader, "exit");
  }
});

test("the owner of the main world creates, archives and removes a world in the console", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const owner = await openBrowserUser(browser, server, wideScreen);
  const { page } = owner;
  await claimFirst(owner, server, "Ines");
  await page.goto("/operator/worlds");
  const row = (name: string) => getMain(page).getByRole("button", { name: new RegExp(`^${name}`) });
  await expect(row("class-7b")).toContainText("Open");
  await expectAccessibleAtBoth(page);
  await getButton(page, "New world").click();
  await getSheet(page).getByLabel("Name").fill("Class 8");
  await getButton(page, "Create world").click();
  await expect(getSheet(page).getByText(/^Enter a name of lowercase letters/)).toBeVisible();
  await expectAccessibleAtBoth(page);
  await getSheet(page).getByLabel("Name").fill("class-8");
  await getButton(page, "Create world").click();
  const elevating = page.getByRole("dialog", { name: "Elevated access" });
  const dialog = page.getByRole("dialog", { name: "class-8" });
  await expect(dialog.or(elevating)).toBeVisible();
  if (await elevating.isVisible()) await elevateInSheet(page);
  await expect(dialog.getByText(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await row("class-8").click();
  await getButton(page, "Archive").click();
  await expect(row("class-8")).toContainText("Archived");
  await row("class-8").click();
  await expectAccessibleAtBoth(page);
  await getButton(page, "Remove").click();
  await expect(row("class-8")).toBeHidden({ timeout: 90_000 });
  await expect(row("class-7b")).toContainText("Open");
  expect(owner.errors).toEqual([]);
});
