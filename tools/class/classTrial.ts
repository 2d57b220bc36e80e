/**
 * `npm run trial -- class`: a class of thirty on an instance of its own at speed 60. Pupils join
 * from browsers of their own, a few at a time, order, are paused, withdraw meanwhile, go on, and are
 * debriefed; every receipt is checked by the command line. Ends with one line of figures; exit
 * status 1 if anything is not as it should be.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "playwright";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { buildWeb } from "#build/web.ts";
import { dayMs } from "#core/money/time.ts";
import { someAddress } from "#server/withdraw/testing.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { settle } from "../browser/actions.ts";
import { browserPath, launchArguments } from "../browser/launch.ts";
import { loadTranslate } from "../browser/words.ts";
import { startWatched, type WatchedServer } from "../day/server.ts";
import { parseOptions, wholeNumber } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { acceptTerms, callAs, joinByLink, openPupil, type Pupil, placeOrder } from "./pupil.ts";
import { checkAudit, checkReceipts } from "./receipts.ts";
import { cutRecording } from "./recording.ts";
import { createTeacher, type Teacher } from "./teacher.ts";

const usage = `A class of thirty, each in a browser of their own, on an instance at speed 60.

  npm run trial -- class [--data <folder> --from 2023-03-11T05:00Z] [--pupils 30] [--together 3] [--shots <folder>]

--data: 1-minute price files to replay (docs/rules/market.md), otherwise a simulated market;
--from: where in them the world begins; --together: browsers at work at a time;
--shots: a folder for pictures of the debrief.`;

const say = loadTranslate("en");

interface ClassOptions {
  data: string | null;
  fromMs: number;
  pupils: number;
  together: number;
  shots: string | null;
}

/** One finding of the trial, and whether it is as it should be. */
interface Check {
  name: string;
  isFine: boolean;
}

function readOptions(args: string[]): ClassOptions {
  const text = { type: "string" } as const;
  const { values } = parseOptions(
    { args, options: { data: text, from: text, pupils: text, together: text, shots: text } },
    usage,
  );
  const fromMs = Date.parse(values.from ?? "2023-03-11T05:00Z");
  if (Number.isNaN(fromMs)) throw new ToolError(`--from ${values.from} is not a time.`);
  return {
    data: values.data === undefined ? null : resolve(values.data),
    fromMs,
    pupils: wholeNumber("pupils", values.pupils, { from: 6, to: 40, or: 30 }),
    together: wholeNumber("together", values.together, { from: 1, to: 10, or: 3 }),
    shots: values.shots === undefined ? null : resolve(values.shots),
  };
}

async function main(options: ClassOptions): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-class-"));
  chmodSync(directory, 0o711);
  const data = join(directory, "data");
  mkdirSync(data);
  await buildWeb();
  printConditions(`speed 60, ${options.pupils} pupils, ${options.together} browsers at a time`);
  const recording = join(directory, "recording");
  if (options.data) {
    console.log(`${cutRecording(options.data, recording, options.fromMs)} minutes of prices`);
  }
  const env = {
    DRYDOCK_DATA: data,
    WORLD: "class",
    WORLD_SPEED: "60",
    LOG_LEVEL: "warn",
    MARKET: options.data ? `replay:${recording}` : "simulated",
  };
  const output = join(directory, "server.txt");
  const server = await startWatched(env, output);
  const browser = await chromium.launch({
    executablePath: await browserPath(),
    args: launchArguments,
  });
  try {
    const printed = () => readFileSync(output, "utf8");
    const teacher = await createTeacher(server.client, server.port, printed);
    return await teachClass({ options, server, browser, teacher, directory });
  } finally {
    await browser.close();
    console.log(`the server stopped with status ${await server.stop()}`);
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Lesson {
  options: ClassOptions;
  server: WatchedServer;
  browser: Browser;
  teacher: Teacher;
  directory: string;
}

async function teachClass(lesson: Lesson): Promise<boolean> {
  const { options, server, browser, teacher, directory } = lesson;
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const url = `http://127.0.0.1:${server.port}`;
  const { link } = await teacher.change<{ link: { class_id: string; code: string } }>(
    "/api/operator/class/makeLink",
    { label: "Class of thirty", limit: options.pupils, expires_at_ms: Date.now() + dayMs },
  );
  const joining = joinByLink(link.code, say);
  const pupils = await inGroups(options.pupils, options.together, () =>
    openPupil(browser, url, joining),
  );
  console.log(`${pupils.length} joined after ${seconds()} s`);
  const contractId = await chooseContract(pupils[0]!);
  for (const pupil of pupils) await acceptTerms(pupil);
  await order(pupils, contractId, options.together);
  console.log(`${countOrders(pupils)} orders on ${contractId} after ${seconds()} s`);
  const agreed = pupils.slice(0, Math.ceil(pupils.length * 0.6));
  for (const pupil of agreed)
    await callAs(pupil, "POST", "/api/belief/setClassConsent", { agreed: true });

  const paused = await pauseClass(teacher, pupils, contractId);
  console.log(
    `paused at leaf ${paused.leaf}: ${paused.accepted} orders accepted, ${paused.refused} refused, ${paused.withdrawn} withdrew everything, after ${seconds()} s`,
  );
  await order(pupils.slice(-Math.ceil(pupils.length / 3)), contractId, options.together);
  await untilSettled(pupils);
  console.log(`${countOrders(pupils)} orders in all, settled after ${seconds()} s`);

  const receipts = await checkReceipts(pupils, url, directory);
  console.log(`${receipts.agree} of ${receipts.count} receipts agree, after ${seconds()} s`);
  const audit = await checkAudit(url, directory);
  console.log(`audit by the command line: ${audit}`);
  const debrief = await openInBrowser(lesson, url, link.class_id);
  console.log(JSON.stringify(debrief.figures));

  const { results, orders, beliefs } = debrief.figures;
  const checks: Check[] = [
    { name: "joined", isFine: debrief.people === options.pupils },
    { name: "nothing accepted in the pause", isFine: paused.accepted === 0 },
    { name: "the pause is in the log", isFine: paused.leaf > 0 && audit.startsWith("agrees") },
    { name: "withdrawals in the pause", isFine: paused.withdrawn === Math.min(8, options.pupils) },
    {
      name: "receipts",
      isFine: receipts.agree === receipts.count && receipts.count === countOrders(pupils),
    },
    {
      name: "five in each range",
      isFine: results?.content.ranges.every(({ people }) => people >= 5) ?? false,
    },
    { name: "orders are counted", isFine: (orders?.content.decided ?? 0) > 0 },
    { name: "beliefs of who agreed", isFine: options.pupils < 10 || beliefs !== null },
  ];
  for (const { name, isFine } of checks) if (!isFine) console.log(`not as it should be: ${name}`);
  console.log(
    `${seconds()} s, ${pupils.length} joined, ${countOrders(pupils)} orders, ${receipts.agree} receipts agree, pause at leaf ${paused.leaf}, debrief of ${debrief.people}`,
  );
  return checks.every(({ isFine }) => isFine);
}

/** Runs `count` times, a few at a time; in the order in which they end. */
async function inGroups<Result>(
  count: number,
  together: number,
  make: (number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) results.push(await make(next++));
  };
  await Promise.all(Array.from({ length: together }, work));
  return results;
}

const countOrders = (pupils: readonly Pupil[]) =>
  pupils.reduce((sum, { orderIds }) => sum + orderIds.length, 0);

/** USDC where there is one, as the template is about; otherwise the first contract. */
async function chooseContract(pupil: Pupil): Promise<string> {
  const { data } = await callAs<{ items: { contract_id: string; symbol: string }[] }>(
    pupil,
    "GET",
    "/api/contract/getContractList",
  );
  const usdc = data.items.find(({ symbol }) => symbol.startsWith("USDC/"));
  const contract = usdc ?? data.items[0];
  if (!contract) throw new Error("The instance offers no contract.");
  return contract.contract_id;
}

async function order(
  pupils: readonly Pupil[],
  contractId: string,
  together: number,
): Promise<void> {
  await inGroups(pupils.length, together, (number) =>
    placeOrder(pupils[number]!, contractId, 55 + ((number * 7) % 45)),
  );
}

interface Clock {
  clock: { now_ms: number; pause: { ordinal: number; at_ms: number } | null };
}

/** Pauses the class, has everybody try to order and eight withdraw everything, and goes on. */
async function pauseClass(teacher: Teacher, pupils: readonly Pupil[], contractId: string) {
  await teacher.elevate();
  await teacher.change("/api/operator/class/pauseClock", { at_ms: null });
  const state = () => teacher.read<Clock>("/api/operator/class/getClass");
  for (;;) {
    const { clock } = await state();
    if (clock.pause && clock.now_ms >= clock.pause.at_ms) break;
    await sleep(500);
  }
  const tried = await Promise.all(pupils.map((pupil) => tryOrder(pupil, contractId)));
  const leaving = pupils.slice(0, 8);
  const left = await Promise.all(leaving.map(withdrawAll));
  const { clock } = await state();
  await teacher.change("/api/operator/class/resumeClock", { ordinal: clock.pause!.ordinal });
  const { items } = await teacher.read<{ items: { what: string; leaf: number }[] }>(
    "/api/operator/getAudit",
    { what: "class.clock_paused" },
  );
  await sleep(4_000);
  return {
    leaf: items[0]?.leaf ?? -1,
    accepted: tried.filter((error) => error === null).length,
    refused: tried.filter((error) => error === "class.paused").length,
    withdrawn: left.filter(Boolean).length,
  };
}

/** The name of the error with which an order is refused; null if it is accepted. */
async function tryOrder(pupil: Pupil, contractId: string): Promise<string | null> {
  const details = await callAs<{ terms: { terms_hash: string; tiers: { seconds: number }[] } }>(
    pupil,
    "GET",
    "/api/contract/getContractDetails",
    { contract_id: contractId },
  );
  const { error } = await callAs(pupil, "POST", "/api/contract/contractPlaceOrder", {
    contract_id: contractId,
    terms_hash: details.data.terms.terms_hash,
    tier: 60,
    direction: "up",
    stake: "20",
  });
  return error;
}

/** Withdraws the whole balance of every coin; true if none was refused. */
async function withdrawAll(pupil: Pupil): Promise<boolean> {
  const { data } = await callAs<{ items: { coin: "pUSDT"; available: string }[] }>(
    pupil,
    "GET",
    "/api/user/getWalletList",
  );
  const outcomes: (string | null)[] = [];
  for (const { coin, available } of data.items) {
    if (Number(available) === 0) continue;
    const input = { coin, amount: available, address: someAddress(coin) };
    outcomes.push((await callAs(pupil, "POST", "/api/user/withdraw", input)).error);
  }
  return outcomes.length > 0 && outcomes.every((error) => error === null);
}

/** Until no order of the class is open; throws after four minutes. */
async function untilSettled(pupils: readonly Pupil[]): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const open = await Promise.all(
      pupils.map(async (pupil) => {
        const path = "/api/contract/getOrderList";
        const { data } = await callAs<{ items: { status: string }[] }>(pupil, "GET", path);
        return data.items.filter(({ status }) => status !== "over").length;
      }),
    );
    if (open.every((count) => count === 0)) return;
    await sleep(2_000);
  }
  throw new Error("Orders were still open after four minutes.");
}

/** Opens the debrief in the console as a teacher does, page by page; answers what was shown. */
async function openInBrowser(
  { browser, teacher, options }: Lesson,
  url: string,
  classId: string,
): Promise<ClassDebrief> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  await context.addCookies([{ name: "w1Token", value: teacher.token, url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`/operator/class/debrief?class=${classId}`);
  await settle(page);
  const answer = page.waitForResponse((response) => response.url().endsWith("/openDebrief"));
  await page.getByRole("button", { name: say("debrief.open"), exact: true }).click();
  const { data } = (await (await answer).json()) as { data: ClassDebrief };
  const next = page.getByRole("button", { name: say("debrief.next"), exact: true });
  for (let number = 1; ; number += 1) {
    await page.locator("article:not(.hidden) h2").waitFor();
    if (options.shots) {
      mkdirSync(options.shots, { recursive: true });
      await page.screenshot({ path: join(options.shots, `debrief-${number}.png`), fullPage: true });
    }
    if (await next.isDisabled()) break;
    await next.click();
  }
  if (options.shots) {
    await page.pdf({ path: join(options.shots, "debrief.pdf"), format: "A4" });
  }
  await context.close();
  return data;
}

if (process.argv.includes("--help")) console.log(usage);
else {
  try {
    if (!(await main(readOptions(process.argv.slice(2))))) process.exitCode = 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = error instanceof ToolError ? 2 : 1;
  }
}
