import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, type Page } from "@playwright/test";
import { bech32m } from "@scure/base";
import { expectClean, listViolations } from "./axe.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** A separate person with a new practice wallet, at `/wallet`. */
export async function openNewPerson(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 360, height: 740 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await signIn(page);
  return page;
}

export async function signIn(page: Page): Promise<void> {
  await page.goto("/wallet");
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).first().click();
  await page.getByRole("button", { name: "Create a practice wallet" }).click();
  await expect(page.getByRole("main")).toContainText("10,000.00");
}

/** Collects errors of the page and of its content security policy as they occur. */
export function collectPageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(`${page.url()} ${error.message}`));
  page.on("console", (message) => {
    if (/content security policy|trusted ?type/i.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/**
 * Checks that the page is accessible in both light and dark theme, and no wider than the window.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A toast covers part of the page for two seconds.
  await expect(page.locator("output.fixed > *")).toHaveCount(0);
  const setTheme = (name: "light" | "dark") =>
    page.evaluate((themeName) => {
      document.documentElement.dataset.theme = themeName;
    }, name);
  await setTheme("light");
  await expectClean(page);
  await setTheme("dark");
  expect(await listViolations(page, { rules: ["color-contrast"] })).toEqual([]);
  await setTheme("light");
  const overflowPx = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflowPx).toBe(0);
}

/**
 * Audits every posting of the world from the first on: the trial balance is zero, and every balance
 * equals the sum of its entries. `data`: the server's data directory.
 */
export async function expectLedgerAddsUp(data = process.env.E2E_DATA): Promise<void> {
  const env = { ...process.env, DRYDOCK_DATA: data };
  // A status of 1 rejects with what was printed: the findings are the message.
  const { stdout } = await run(process.execPath, ["tools/verify/audit.ts"], {
    cwd: root,
    env,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toContain("The ledger adds up.");
}

/** Runs the command-line verifier on a saved receipt. */
export async function verifyByCommand(receipt: string, url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "drydock-e2e-verify-"));
  try {
    const file = join(folder, "receipt.json");
    writeFileSync(file, receipt);
    const memory = join(folder, "memory.json");
    const command = ["run", "--silent", "verify", "--", file, "--url", url, "--memory", memory];
    return (await run("npm", command, { cwd: root })).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The person's available balance according to the server. */
export async function getAvailable(page: Page, coin: string): Promise<string> {
  const answer = await page.request.get("/api/user/getWalletList");
  const { data } = (await answer.json()) as {
    data: { items: { coin: string; available: string }[] };
  };
  return data.items.find((item) => item.coin === coin)?.available ?? "0";
}

/**
 * Another address with a valid checksum and the same first and last four characters, as fraudsters
 * make them. The checksum is linear, so two changes that shift its end by the same amount cancel
 * out: a few thousand tries find such a pair.
 */
export function forgeLookAlike(address: string): string {
  const { prefix, words } = bech32m.decode(address as `${string}1${string}`);
  const collisions = new Map<string, number[]>();
  for (let tries = 0; tries < 100_000; tries += 1) {
    const changedWords = [...words];
    for (const step of [0, 5, 10, 15]) {
      const position = 5 + ((tries >> step) % 27);
      changedWords[position] =
        ((changedWords[position] as number) ^ ((tries >> step) % 31) ^ (tries % 32)) & 31;
    }
    const end = bech32m.encode(prefix, changedWords).slice(-4);
    const earlierWords = collisions.get(end);
    if (!earlierWords) {
      collisions.set(end, changedWords);
      continue;
    }
    const combined = words.map(
      (word, index) => word ^ (changedWords[index] as number) ^ (earlierWords[index] as number),
    );
    const forgedAddress = bech32m.encode(prefix, combined);
    if (forgedAddress !== address && forgedAddress.slice(-4) === address.slice(-4))
      return forgedAddress;
  }
  throw new Error("no look-alike was found");
}
