/**
 * `npm run trial -- class`: a class of thirty on a separate instance at speed 60. The teacher
 * makes codes in the console; pupils join by them from separate browsers, a few at a time, and
 * order on the trade screen; the class is paused, some withdraw during the pause, it resumes and is
 * debriefed. Room view and export are compared with what the server reports to each pupil, and
 * every receipt is checked by the command line. Ends with one line of figures; exit status 1 if
 * anything is not as it should be.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "playwright";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { buildWeb } from "#build/web.ts";
import type { Client } from "#server/testing/client.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { findBrowserPath, launchArguments } from "../browser/launch.ts";
import { loadTranslate } from "../browser/words.ts";
import { startWatched, type WatchedServer } from "../day/server.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { ToolError } from "../lib/toolError.ts";
import { openConsole, type TeacherConsole } from "./console.ts";
import { countLeaving, pauseClass } from "./pause.ts";
import { callAsPupil, type Pupil, placeOrder } from "./pupil.ts";
import { openPupil, type SlipCode } from "./pupilScreens.ts";
import { checkAudit, checkReceipts } from "./receipts.ts";
import { cutRecording } from "./recording.ts";
import { compareExport, compareRoom, readFacts } from "./room.ts";
import { createTeacher, type Teacher } from "./teacher.ts";

const usage = `A class of thirty, each in a browser of their own, on an instance at speed 60.

  npm run trial -- class [--data <folder> --from 2023-03-11T05:00Z] [--pupils 30] [--together 3] [--shots <folder>]

--data: 1-minute price files to replay (docs/rules/market.md), otherwise a simulated market;
--from: where in them the world begins; --together: browsers at work at a time;
--shots: a folder for pictures of room view and debrief.`;

const say = loadTranslate("en");

interface ClassOptions {
  data: string | null;
  fromMs: number;
  pupils: number;
  together: number;
  shots: string | null;
}

/** A check of the trial, and whether it passed. */
interface Check {
  name: string;
  hasPassed: boolean;
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
    pupils: parseWholeNumber("pupils", values.pupils, { from: 6, to: 40, fallback: 30 }),
    together: parseWholeNumber("together", values.together, { from: 1, to: 10, fallback: 3 }),
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
    executablePath: await findBrowserPath(),
    args: launchArguments,
  });
  try {
    const readOutput = () => readFileSync(output, "utf8");
    const teacher = await createTeacher(server.client, server.port, readOutput);
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

/** Teaches the class from its codes to its debrief; returns true if every check passed. */
async function teachClass(lesson: Lesson): Promise<boolean> {
  const { options, server, browser, teacher } = lesson;
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const url = `http://127.0.0.1:${server.port}`;
  if (options.shots) mkdirSync(options.shots, { recursive: true });
  const page = await openConsole(browser, teacher, { url, say, shots: options.shots });
  const { classId, slips } = await page.createClass("Class of thirty", options.pupils);
  console.log(`${slips.length} codes after ${seconds()} s`);
  const contract = await chooseContract(server.client);
  const pupils = await joinAndOrder(lesson, url, slips, contract.symbol);
  const onScreen = countOrders(pupils);
  console.log(
    `${pupils.length} joined by codes, ${onScreen} orders on ${contract.symbol} on screen, after ${seconds()} s`,
  );
  await agreeToBeCounted(pupils.slice(0, Math.ceil(pupils.length * 0.6)));

  const contractId = contract.contract_id;
  const paused = await pauseClass(teacher, pupils, { contractId, say });
  console.log(
    `paused at leaf ${paused.leaf}: ${paused.accepted} orders accepted, ${paused.refused} refused, ${paused.withdrawn.length} withdrew everything, after ${seconds()} s`,
  );
  await order(pupils.slice(-Math.ceil(pupils.length / 3)), contractId, options.together);
  await waitUntilSettled(pupils);
  console.log(`${countOrders(pupils)} orders in all, settled after ${seconds()} s`);

  const proofs = await prove(lesson, url, pupils);
  console.log(`checked by the command line after ${seconds()} s`);
  const room = await checkRoom(page, classId, { pupils, slips, withdrawnPupils: paused.withdrawn });
  console.log(`room view ${room.totals.join(" ")}, export of ${room.rows} rows`);
  const debrief = await page.openDebrief(classId);
  console.log(JSON.stringify(debrief.figures));
  await page.close();

  const leaving = countLeaving(options.pupils);
  const isFine = report([
    { name: "an order of each on screen", hasPassed: onScreen === options.pupils },
    { name: "nobody asked who sent them", hasPassed: pupils.every((item) => !item.isAskedWhoSent) },
    { name: "nothing accepted in the pause", hasPassed: paused.accepted === 0 },
    { name: "the pause on the trade screen", hasPassed: paused.isOnScreen },
    { name: "the pause is in the log", hasPassed: paused.leaf > 0 && proofs.audit },
    { name: "withdrawals in the pause", hasPassed: paused.withdrawn.length === leaving },
    { name: "receipts", hasPassed: proofs.receipts === countOrders(pupils) },
    { name: "room view and export", hasPassed: room.differences.length === 0 },
    ...checkDebrief(debrief, options.pupils),
  ]);
  console.log(
    `${seconds()} s, ${pupils.length} joined by codes, ${countOrders(pupils)} orders (${onScreen} on screen), ${proofs.receipts} receipts agree, pause at leaf ${paused.leaf}, debrief of ${debrief.people}, export of ${room.rows} rows`,
  );
  return isFine;
}

/** Has the command line check every receipt and the chain of all that operators did. */
async function prove({ directory }: Lesson, url: string, pupils: readonly Pupil[]) {
  const receipts = await checkReceipts(pupils, url, directory);
  console.log(`${receipts.agree} of ${receipts.count} receipts agree`);
  const audit = await checkAudit(url, directory);
  console.log(`audit by the command line: ${audit}`);
  return { receipts: receipts.agree, audit: audit.startsWith("agrees") };
}

function checkDebrief({ people: countedPeople, figures }: ClassDebrief, pupils: number): Check[] {
  const { results, orders, beliefs } = figures;
  return [
    { name: "joined by codes", hasPassed: countedPeople === pupils },
    {
      name: "five in each range",
      hasPassed: results?.content.ranges.every(({ people }) => people >= 5) ?? false,
    },
    { name: "orders are counted", hasPassed: (orders?.content.decided ?? 0) > 0 },
    { name: "beliefs of who agreed", hasPassed: pupils < 10 || beliefs !== null },
  ];
}

/** Prints the failed checks; returns true if none failed. */
function report(checks: readonly Check[]): boolean {
  for (const { name, hasPassed: isFine } of checks)
    if (!isFine) console.log(`not as it should be: ${name}`);
  return checks.every(({ hasPassed: isFine }) => isFine);
}

/** Each pupil joins by their slip and places the order of the task list, a few browsers at a time. */
function joinAndOrder(
  { options, browser }: Lesson,
  url: string,
  slips: readonly SlipCode[],
  symbol: string,
): Promise<Pupil[]> {
  return runInGroups(slips.length, options.together, (index) =>
    openPupil(browser, url, say, {
      slip: slips[index]!,
      order: { symbol, confidence: getConfidence(index) },
    }),
  );
}

const getConfidence = (index: number) => 55 + ((index * 7) % 45);

async function agreeToBeCounted(pupils: readonly Pupil[]): Promise<void> {
  for (const pupil of pupils)
    await callAsPupil(pupil, "POST", "/api/belief/setClassConsent", { agreed: true });
}

interface ClassSoFar {
  pupils: readonly Pupil[];
  slips: readonly SlipCode[];
  /** The pupils who withdrew everything. */
  withdrawnPupils: readonly Pupil[];
}

/**
 * Opens room view and export as a teacher does. Compares both with the tasks that the server
 * reports to each pupil, and those with what the pupils did here.
 */
async function checkRoom(
  page: TeacherConsole,
  classId: string,
  { pupils, slips, withdrawnPupils }: ClassSoFar,
) {
  const facts = await readFacts(pupils);
  const { totals, headings } = await page.openRoom(classId);
  const text = await page.exportRoom(classId);
  const file = compareExport({ text, codes: slips.length }, facts, say);
  const differences = [...compareRoom({ totals, headings }, facts, say), ...file.differences];
  const numbers = new Set(withdrawnPupils.map(({ number }) => number));
  for (const { number, doneTasks } of facts) {
    const expected = ["order", ...(numbers.has(number) ? ["withdraw"] : [])].join(" ");
    if (doneTasks.join(" ") !== expected)
      differences.push(`the server has ${doneTasks.join(" ")} of ${number}, who did ${expected}`);
  }
  if (slips.some(({ code }) => text.includes(code))) differences.push("the export holds a code");
  for (const difference of differences) console.log(difference);
  return { totals, rows: file.rows, differences };
}

/** Runs `count` times, a few at a time; in the order in which they end. */
async function runInGroups<Result>(
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

interface ContractName {
  contract_id: string;
  symbol: string;
}

/** USDC if it is listed, since the template is about it; otherwise the first contract. */
async function chooseContract(client: Client): Promise<ContractName> {
  const { items } = await client.call<{ items: ContractName[] }>({
    method: "GET",
    path: "/api/contract/getContractList",
  });
  const usdc = items.find(({ symbol }) => symbol.startsWith("USDC/"));
  const contract = usdc ?? items[0];
  if (!contract) throw new Error("The instance offers no contract.");
  return contract;
}

async function order(
  pupils: readonly Pupil[],
  contractId: string,
  together: number,
): Promise<void> {
  await runInGroups(pupils.length, together, (index) =>
    placeOrder(pupils[index]!, contractId, getConfidence(index)),
  );
}

/** Waits until no order of the class is open; throws after four minutes. */
async function waitUntilSettled(pupils: readonly Pupil[]): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const open = await Promise.all(
      pupils.map(async (pupil) => {
        const path = "/api/contract/getOrderList";
        const { data } = await callAsPupil<{ items: { status: string }[] }>(pupil, "GET", path);
        return data.items.filter(({ status }) => status !== "over").length;
      }),
    );
    if (open.every((count) => count === 0)) return;
    await sleep(2_000);
  }
  throw new Error("Orders were still open after four minutes.");
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
