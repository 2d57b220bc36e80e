import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { computeMoves } from "#core/monte-carlo/moves.ts";
import { runOrders } from "#core/monte-carlo/orders.ts";
import { waitUntilSettled } from "../tools/browser/actions.ts";
import { expectClean } from "./support/axe.ts";

interface SavedRun {
  seed: string;
  now_ms: number;
  step_ms: number;
  tier_seconds: number;
  range_bp: number;
  stake: string;
  fee: string;
  profit: string;
  klines: [number, string, string][];
  rows: { orders: number; below: number; won: number; lost: number; exact_below_bp: number }[];
}

/** Repeats the run from the contents of the file. */
function rerun(savedRun: SavedRun) {
  const [stake, fee, profit] = [savedRun.stake, savedRun.fee, savedRun.profit].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const moves = computeMoves(
    savedRun.klines.map(([openMs, open, close]) => ({
      openMs,
      open: BigInt(open),
      close: BigInt(close),
    })),
    {
      stepMs: savedRun.step_ms,
      tierSeconds: savedRun.tier_seconds,
      rangeBp: savedRun.range_bp,
      nowMs: savedRun.now_ms,
    },
  );
  const quote = { stake, fee, profit, charged: stake + fee, back: stake + profit };
  return runOrders({ seed: savedRun.seed, moves, quote, balance: null }).rows;
}

test("a simulation of a thousand people is run by keyboard, with a labelled chart, a table and a file", async ({
  page,
}) => {
  await page.goto("/business?contract_id=btc-usdt");
  await waitUntilSettled(page);
  await page.getByRole("main").getByRole("button", { name: "Try it 1,000 times" }).press("Enter");
  const sheet = page.getByRole("dialog", { name: "1,000 people, this order" });
  await expect(sheet.getByRole("figure", { name: "1,000 people after 100 orders" })).toBeVisible();
  await sheet.getByRole("radio", { name: "100 orders" }).press("ArrowRight");
  await expect(sheet.getByRole("figure", { name: "1,000 people after 500 orders" })).toBeVisible();
  await sheet.locator("summary", { hasText: "Check this" }).press("Enter");
  await sheet.getByRole("textbox", { name: "Seed" }).fill("class 7b");
  await expect(sheet.locator("[aria-busy=true]")).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    sheet.getByRole("button", { name: "Save as a file" }).press("Enter"),
  ]);
  const savedRun = JSON.parse(await readFile(await download.path(), "utf8")) as SavedRun;
  expect(savedRun.seed).toBe("class 7b");
  expect(savedRun.klines.every(([openMs]) => openMs + savedRun.step_ms <= savedRun.now_ms)).toBe(
    true,
  );
  const rows = rerun(savedRun);
  expect(
    savedRun.rows.map(({ orders, below, won, lost }) => ({ orders, below, won, lost })),
  ).toEqual(rows.map(({ orders, below, won, lost }) => ({ orders, below, won, lost })));
  expect(savedRun.rows.map((row) => row.exact_below_bp)).toEqual(
    rows.map(({ exactBelowBp }) => exactBelowBp),
  );
  const belowCount = rows.at(-1)?.below ?? 0;
  await expect(sheet.getByRole("figure", { name: "Results of" })).toContainText(
    `After 500 orders each, ${belowCount} of 1,000 people have less`,
  );
  await expect(sheet.getByRole("row", { name: "Below the start" })).toContainText(
    String(belowCount),
  );
  await expectClean(page, { include: "[role=dialog]" });
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
});
