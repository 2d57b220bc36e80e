/**
 * `npm run look -- shots`: takes pictures of every screen and of what opens on it, into `shots/`,
 * from an instance. Signs in with practice wallets and places two practice orders in the page
 * itself, so it takes some minutes.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright";
import { openInstance } from "../lib/instance.ts";
import { parseOptions } from "../lib/options.ts";
import { setTheme, type Theme, waitUntilSettled } from "./actions.ts";
import { findBrowserPath, launchArguments } from "./launch.ts";
import { createPeople } from "./people.ts";
import type { Facts, State } from "./state.ts";
import { states } from "./states.ts";
import { loadTranslate } from "./words.ts";

const help = `npm run look -- shots [--only <text>]... [--locale en,de,ja] [--theme light,dark] [--size 360x740,1280x800] [--whole] [--url http://127.0.0.1:8080]
  --only   states whose name contains the text; --list prints the names
  --whole  the whole page, not only what the window shows
  --url    a running instance (or DRYDOCK_URL); without it one is started
  SHOTS_DIR  where to write, shots/ if not set`;

const directory = process.env.SHOTS_DIR ?? join(import.meta.dirname, "../../shots");
const { values: options } = parseOptions(
  {
    options: {
      only: { type: "string", multiple: true, default: [] },
      locale: { type: "string", default: "en,de,ja" },
      theme: { type: "string", default: "light,dark" },
      size: { type: "string", default: "360x740,1280x800" },
      whole: { type: "boolean", default: false },
      url: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  },
  help,
);

interface Look {
  locale: string;
  theme: Theme;
  size: string;
}

function listLooks(): Look[] {
  const looksToShoot: Look[] = [];
  for (const size of options.size.split(",")) {
    if (!/^\d+x\d+$/.test(size)) throw new Error(`--size ${size} is not of the form 360x740`);
    for (const locale of options.locale.split(",")) {
      for (const theme of options.theme.split(",")) {
        if (theme !== "light" && theme !== "dark") throw new Error(`--theme takes light and dark`);
        looksToShoot.push({ locale, theme, size });
      }
    }
  }
  return looksToShoot;
}

/** Visits every state of one person; returns those that could not be captured. */
async function picture(
  context: BrowserContext,
  chosenStates: readonly State[],
  look: Look,
  facts: Facts,
): Promise<string[]> {
  const failed: string[] = [];
  const [width = 0, height = 0] = look.size.split("x").map(Number);
  const say = loadTranslate(look.locale);
  const folder = join(directory, look.size, `${look.locale}-${look.theme}`);
  mkdirSync(folder, { recursive: true });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.setViewportSize({ width, height });
  await setTheme(page, look.locale, look.theme);
  for (const state of chosenStates) {
    try {
      await page.goto(state.path(facts));
      await waitUntilSettled(page);
      if (state.perform) {
        await state.perform(page, say);
        await waitUntilSettled(page);
      }
      await page.waitForTimeout(250);
      const fullPage = options.whole && !state.name.startsWith("sheet-");
      await page.screenshot({ path: join(folder, `${state.name}.png`), fullPage });
    } catch (error) {
      failed.push(`${look.size} ${look.locale} ${look.theme} ${state.name}: ${String(error)}`);
    } finally {
      await state.leave?.(page);
    }
  }
  await page.close();
  return failed;
}

async function main(): Promise<void> {
  const { only } = options;
  const chosenStates = states.filter(
    ({ name }) => only.length === 0 || only.some((text) => name.includes(text)),
  );
  if (options.help) return console.log(help);
  if (options.list) return console.log(chosenStates.map(({ name }) => name).join("\n"));
  if (chosenStates.length === 0) throw new Error(`no state matches ${only.join(", ")}`);
  const shownLooks = listLooks();
  const instance = await openInstance(options.url);
  const browser = await chromium.launch({
    executablePath: await findBrowserPath(),
    args: launchArguments,
  });
  try {
    const { contexts, facts } = await createPeople(browser, instance.url, {
      settled: chosenStates.some((state) => state.settled),
    });
    const failed: string[] = [];
    for (const viewer of ["visitor", "newcomer", "person"] as const) {
      const selected = chosenStates.filter((state) => state.viewer === viewer);
      for (const look of shownLooks) {
        if (selected.length > 0)
          failed.push(...(await picture(contexts[viewer], selected, look, facts)));
      }
    }
    console.log(
      `${chosenStates.length * shownLooks.length - failed.length} pictures in ${directory}`,
    );
    for (const line of failed) console.error(line);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await instance.release();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
