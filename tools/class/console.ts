import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { waitUntilSettled } from "../browser/actions.ts";
import type { Translate } from "../browser/words.ts";
import type { SlipCode } from "./pupilScreens.ts";
import type { Teacher } from "./teacher.ts";

/** Column headings of the room view with their totals, from "has joined" on. */
export interface RoomTotals {
  headings: string[];
  totals: number[];
}

/** The console in the teacher's own browser. */
export interface TeacherConsole {
  /** Creates a class with one code per person, and reads the codes from the printed slips. */
  createClass(label: string, people: number): Promise<{ classId: string; slips: SlipCode[] }>;
  openRoom(classId: string): Promise<RoomTotals>;
  /** The text of the file that the export link downloads. */
  exportRoom(classId: string): Promise<string>;
  /** Opens the debrief and goes through it, page by page; returns what was shown. */
  openDebrief(classId: string): Promise<ClassDebrief>;
  close(): Promise<void>;
}

/** Opens the console with the teacher's session; pictures go to `shots`, if given. */
export async function openConsole(
  browser: Browser,
  teacher: Teacher,
  { url, say, shots }: { url: string; say: Translate; shots: string | null },
): Promise<TeacherConsole> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  await context.addCookies([{ name: "w1Token", value: teacher.token, url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const picture = async (name: string) => {
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  };
  const visit = async (path: string) => {
    await page.goto(path);
    await waitUntilSettled(page);
  };
  return {
    createClass: async (label, people) => {
      await visit("/operator/class");
      return createClassOnPage(page, say, label, people);
    },
    openRoom: async (classId) => {
      await visit(`/operator/class?room=${classId}`);
      await page.getByRole("button", { name: say("classes.room.open"), exact: true }).click();
      const totals = await readRoom(page, say);
      await picture("room");
      return totals;
    },
    exportRoom: async (classId) => {
      await visit(`/operator/class?room=${classId}`);
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: say("classes.room.export"), exact: true }).click();
      return readFileSync(await (await downloading).path(), "utf8");
    },
    openDebrief: async (classId) => {
      await visit(`/operator/class/debrief?class=${classId}`);
      const data = await pageThroughDebrief(page, say, picture);
      if (shots) await page.pdf({ path: join(shots, "debrief.pdf"), format: "A4" });
      return data;
    },
    close: () => context.close(),
  };
}

async function createClassOnPage(page: Page, say: Translate, label: string, people: number) {
  const main = page.getByRole("main");
  await main
    .getByRole("button", { name: say("classes.link.make"), exact: true })
    .first()
    .click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel(say("classes.label")).fill(label);
  await sheet.getByLabel(say("classes.limit")).fill(String(people));
  await sheet.getByRole("button", { name: say("classes.link.make"), exact: true }).click();
  await sheet.getByRole("button", { name: say("classes.link.copy"), exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await main.getByRole("link", { name: say("classes.codes.open"), exact: true }).click();
  await main.getByLabel(say("classes.codes.count")).fill(String(people));
  await main.getByRole("button", { name: say("classes.codes.make"), exact: true }).click();
  const statusText = say("classes.codes.state", { unused: String(people), used: "0" });
  await main.getByText(statusText, { exact: true }).waitFor();
  // The slips are beside the page, and visible in print only.
  const slipCodes = await page.locator(".slip-code").allTextContents();
  const slips = slipCodes.map((text, index) => ({
    number: index + 1,
    code: text.replaceAll("-", ""),
  }));
  const classId = new URL(page.url()).searchParams.get("room");
  if (classId === null) throw new Error("The page of the codes names no class.");
  return { classId, slips };
}

async function readRoom(page: Page, say: Translate): Promise<RoomTotals> {
  const table = page.getByRole("table", { name: say("classes.room.table") });
  await table.waitFor();
  const [, ...headings] = await table.locator("thead th").allTextContents();
  const totals = await table.locator("tfoot td").allTextContents();
  return { headings, totals: totals.map(Number) };
}

async function pageThroughDebrief(
  page: Page,
  say: Translate,
  picture: (name: string) => Promise<void>,
): Promise<ClassDebrief> {
  const answer = page.waitForResponse((response) => response.url().endsWith("/openDebrief"));
  await page.getByRole("button", { name: say("debrief.open"), exact: true }).click();
  const { data } = (await (await answer).json()) as { data: ClassDebrief };
  const next = page.getByRole("button", { name: say("debrief.next"), exact: true });
  for (let number = 1; ; number += 1) {
    await page.locator("article:not(.hidden) h2").waitFor();
    await picture(`debrief-${number}`);
    if (await next.isDisabled()) return data;
    await next.click();
  }
}
