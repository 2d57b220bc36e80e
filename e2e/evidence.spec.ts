import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect, type Page } from "@playwright/test";
import { findBrowserPath, launchArguments } from "../tools/browser/launch.ts";
import { expectClean } from "./support/axe.ts";
import { signInAndPlaceOrder } from "./support/contractActions.ts";
import { test } from "./support/fastWorld.ts";

/** The receipt of one order, saved as evidence, and what others can do with the file. */
test.describe.configure({ mode: "serial" });

const root = join(import.meta.dirname, "..");
const vectors = JSON.parse(
  readFileSync(join(root, "docs/formats/vectors/evidence.json"), "utf8"),
) as { lies: { file: object }[] };
let savedFile = "";

/** Drops files on the page as a mouse does. */
async function drop(page: Page, ...contents: string[]) {
  const data = await page.evaluateHandle((texts) => {
    const transfer = new DataTransfer();
    texts.forEach((text, index) => {
      transfer.items.add(new File([text], `evidence-${index}.json`, { type: "application/json" }));
    });
    return transfer;
  }, contents);
  await page.dispatchEvent("main", "dragover", { dataTransfer: data });
  await expect(page.getByText("Drop the file to check it.")).toBeVisible();
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
}

/** Runs the command-line verifier where no instance answers. */
function verify(text: string, ...options: string[]): Promise<{ status: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "drydock-e2e-evidence-"));
  const file = join(folder, "evidence.json");
  writeFileSync(file, text);
  const memory = join(folder, "memory.json");
  const baseArguments = ["run", "--silent", "verify", "--", file, "--memory", memory];
  const command = [...baseArguments, "--url", "http://127.0.0.1:9", ...options];
  return new Promise((resolve) => {
    execFile("npm", command, { cwd: root }, (error, stdout, stderr) => {
      rmSync(folder, { recursive: true, force: true });
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

/** `/verify` in a browser that has seen nothing, on an instance whose log cannot be read. */
async function openWithoutLog(page: Page) {
  await page.route(/\/(log|api\/log)\//, (route) => route.abort());
  await page.goto("/verify");
  await expect(page.getByRole("button", { name: "Open file" })).toBeVisible();
}

const expectAgreement = (page: Page) => page.getByText("The arithmetic agrees.", { exact: true });

/** Makes a link to the receipt on screen and returns it. */
async function shareByLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share by link" }).first().click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Attempt number");
  await expectClean(page);
  await sheet.getByRole("button", { name: "Create link" }).click();
  const link = sheet.getByText(/\/r#[A-Za-z0-9_-]{22}$/);
  await expect(link).toBeVisible();
  return await link.innerText();
}

/** Opens a shared receipt in a browser that never visited this instance. */
async function openShared(link: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: await findBrowserPath(),
    args: launchArguments,
  });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(link);
  await expect(expectAgreement(page)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("main")).toContainText(
    /Orders lost here by everyone: \d of \d\.|of the [\d,]+ orders here lost/,
  );
  await expect(page.getByRole("button", { name: "Share by link" })).toHaveCount(0);
  await expectClean(page);
  await browser.close();
}

test("a checked receipt is saved as evidence and shared by a link", async ({ page }) => {
  await signInAndPlaceOrder(page);
  const receipt = page.getByRole("main").getByRole("link", { name: "Check this result" });
  await expect(receipt).toBeVisible({ timeout: 120_000 });
  await receipt.click();
  await expect(expectAgreement(page)).toBeVisible({ timeout: 20_000 });
  const downloadPromise = page.waitForEvent("download");
  const button = page.getByRole("button", { name: "Save evidence" }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  const download = await downloadPromise;
  expect(download.suggestedFilename()).toMatch(/^drydock-evidence-[0-9a-f-]+\.json$/);
  savedFile = readFileSync(await download.path(), "utf8");
  expect(savedFile.length).toBeLessThan(100_000);
  await expectClean(page);
  await openShared(await shareByLink(page));

  await page.goto("/verify");
  await drop(page, savedFile);
  await expect(expectAgreement(page)).toBeVisible();
  await expect(page.getByText("This browser doesn’t know the key that signed")).toHaveCount(0);
});

test("the command line checks the file without an instance", async () => {
  const { receipt } = JSON.parse(savedFile) as { receipt: { log: { vkey: string } } };
  const knownKeyRun = await verify(savedFile, "--key", receipt.log.vkey);
  expect(knownKeyRun.output).toContain("The arithmetic agrees.");
  expect(knownKeyRun.status).toBe(0);
  const unknown = await verify(savedFile);
  expect(unknown.output).toContain("NOT KNOWN to you");
  expect(unknown.status).toBe(2);
  const forgedRun = await verify(
    savedFile.replace(/"net": ?"(-?\d+)"/, '"net":"1"'),
    "--key",
    receipt.log.vkey,
  );
  expect(forgedRun.output).toContain("DIFFERS");
  expect(forgedRun.status).toBe(1);
});

test("a dropped evidence file is checked on another page, which reports the unknown key", async ({
  page,
}) => {
  await openWithoutLog(page);
  await expectClean(page);
  await drop(page, savedFile);
  await expect(expectAgreement(page)).toBeVisible();
  await expect(page.getByText("This browser doesn’t know the key that signed")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Only the file was read");
  await page.getByRole("button", { name: "Check the copy" }).click();
  const copy = page.getByRole("region", { name: "Altered copy, not a receipt" });
  await expect(copy).toContainText("Refused: Outcome and payout");
  await expect(copy.getByRole("row").filter({ hasText: "Doesn’t agree" })).toHaveCount(1);
  await expectClean(page);
  await copy.getByRole("button", { name: "Undo" }).click();
  await expect(copy).toHaveCount(0);

  await drop(page, JSON.stringify(vectors.lies[0]?.file));
  await expect(page.getByText(/^Doesn’t agree: /).first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Whoever saved the file found a difference");
  await expectClean(page);
});

test("a file can be opened by keyboard, and one that is not evidence is refused", async ({
  page,
}) => {
  await openWithoutLog(page);
  const alert = page.getByRole("main").getByRole("alert");
  const open = async (buffer: Buffer) => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open file" }).focus();
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles({ name: "evidence.json", mimeType: "application/json", buffer });
  };
  await open(Buffer.from(""));
  await expect(alert).toContainText("This file is empty.");
  await open(Buffer.from("%PDF-1.7"));
  await expect(alert).toContainText("neither a receipt nor an evidence file");
  await open(Buffer.alloc(16_777_217, 32));
  await expect(alert).toContainText("too large");
  await drop(page, savedFile, savedFile);
  await expect(alert).toContainText("Drop one at a time.");
  await expectClean(page);
  await open(Buffer.from(savedFile.replace("drydock.evidence/1", "drydock.evidence/2")));
  await expect(page.getByRole("main")).toContainText("can’t read this version of the file");
  await open(Buffer.from(savedFile));
  await expect(expectAgreement(page)).toBeVisible();
});
