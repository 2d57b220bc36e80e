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
function rerun(saved: SavedRun) {
  const [stake, fee, profit] = [saved.stake, saved.fee, saved.profit].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const moves = computeMoves(
    saved.klines.map(([openMs, open, close]) => ({
      openMs,
      open: BigInt(open),
      close: BigInt(close),
    })),
    {
      stepMs: saved.step_ms,
      tierSeconds: saved.tier_seconds,
      rangeBp: saved.range_bp,
      nowMs: saved.now_ms,
    },
  );
  const quote = { stake, fee, profit, charged: stake + fee, back: stake + profit };
  return runOrders({ seed: saved.seed, moves, quote, balance: null }).rows;
}

test("a thousand people are run by keyboard, with a labelled chart, a table and a file", async ({
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
  const saved = JSON.parse(await readFile(await download.path(), "utf8")) as SavedRun;
  expect(saved.seed).toBe("class 7b");
  expect(saved.klines.every(([openMs]) => openMs + saved.step_ms <= saved.now_ms)).toBe(true);
  const rows = rerun(saved);
  expect(saved.rows.map(({ orders, below, won, lost }) => ({ orders, below, won, lost }))).toEqual(
    rows.map(({ orders, below, won, lost }) => ({ orders, below, won, lost })),
  );
  expect(saved.rows.map((row) => row.exact_below_bp)).toEqual(
    rows.map(({ exactBelowBp }) => exactBelowBp),
  );
  const below = rows.at(-1)?.below ?? 0;
  await expect(sheet.getByRole("figure", { name: "Results of" })).toContainText(
    `After 500 orders each, ${below} of 1,000 people have less`,
  );
  await expect(sheet.getByRole("row", { name: "Below the start" })).toContainText(String(below));
  await expectClean(page, { include: "[role=dialog]" });
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
});
