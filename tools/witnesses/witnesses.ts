/**
 * `npm run trial -- witnesses`: a separate instance and two witnesses follow each other for an hour
 * while people place orders; cosignatures are counted as a reader counts them. Then two split
 * views, signed with the log's own key: one shown to a witness that knew the log, one to a witness
 * from its first look. The last line is the result; exit status 1 if a round was missed or a split
 * view not alarmed within a minute.
 */
import { createPublicKey, verify as verifyBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  parseCheckpoint,
  splitNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { findCosignatures } from "#core/transparency-log/witnesses/cosignature.ts";
import { createSigner } from "#server/transparency-log/keys.ts";
import { createDataDirectory, printConditions, startServer } from "../bench/lib/conditions.ts";
import { readUsage } from "../day/processes.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { ForkedLog } from "./forkedLog.ts";
import { placeOrdersSlowly, type SlowOrders } from "./slowOrders.ts";
import { WitnessProcess } from "./witnessProcess.ts";

const world = "witnessed";
const usage = `Lets two witnesses follow an instance of its own, and then shows them split views.

  npm run trial -- witnesses [--minutes 60] [--orders 12]

  --orders <count>     orders a minute meanwhile

Exit status: 0 no cosignature missed and each split view alarmed within a minute; 1 otherwise; 2 wrong options.`;

/** The instance asks its witnesses every 15 s; more than this between two answers is a miss. */
const gapMaxSeconds = 24;
const alarmLimitMs = 60_000;

if (process.argv.includes("--help")) {
  console.log(usage);
  process.exit(0);
}
const { values } = parseOptions(
  { options: { minutes: { type: "string" }, orders: { type: "string" } } },
  usage,
);
const minutes = parseWholeNumber("minutes", values.minutes, { from: 1, to: 1_440, fallback: 60 });
const ordersPerMinute = parseWholeNumber("orders", values.orders, {
  from: 1,
  to: 600,
  fallback: 12,
});
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
const verify: VerifyEd25519 = (signature, message, publicKey) => {
  const spki = Buffer.concat([spkiPrefix, publicKey]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verifyBytes(null, message, key, signature);
};

process.exitCode = await main();

async function main(): Promise<number> {
  const dataDirectory = createDataDirectory();
  const data = dataDirectory.directory;
  const folder = join(data, "../witnesses");
  mkdirSync(folder);
  const witnesses = await Promise.all(
    ["one", "two", "three"].map((name) => WitnessProcess.make(name, folder)),
  );
  const [witnessProcess, two, three] = witnesses as [
    WitnessProcess,
    WitnessProcess,
    WitnessProcess,
  ];
  const policy = join(folder, "policy");
  const lines = witnesses.map(({ policyLine }) => policyLine);
  writeFileSync(policy, `${lines.join("\n")}\ngroup all any one two three\nquorum all\n`);
  const server = await startServer(data, { WORLD: world, WITNESS_POLICY: policy });
  const url = `http://127.0.0.1:${server.port}`;
  printConditions(
    `${minutes} minutes at speed 1, two witnesses, ${ordersPerMinute} orders a minute`,
  );
  const forks = [0, 1].map(() => new ForkedLog(url, signer(data)));
  const [knownFork, freshFork] = forks as [ForkedLog, ForkedLog];
  let orders: SlowOrders | null = null;
  try {
    const proxy = await knownFork.listen();
    witnessProcess.start(url);
    two.start(proxy);
    orders = await placeOrdersSlowly(server.port, { perMinute: ordersPerMinute, minutes });
    const followResult = await follow(url, [witnessProcess, two], minutes);
    for (const line of followResult.lines) console.log(line);
    const { text } = splitNote(await readText(`${url}/log/checkpoint`))!;
    const { size } = parseCheckpoint(text)!;
    console.log(`${size} leaves, ${await orders.stop()} orders accepted`);
    knownFork.fork(size - 1);
    const first = await two.untilAlarm(alarmLimitMs);
    const freshForkUrl = await freshFork.listen();
    freshFork.fork(size - 1);
    three.start(freshForkUrl);
    const second = await three.untilAlarm(alarmLimitMs);
    const isQuiet = witnessProcess.alarm() === null;
    const summaries = [first, second].map((alarm) =>
      alarm ? `${alarm.what} after ${alarm.seconds.toFixed(1)} s` : "not alarmed",
    );
    console.log(`split view shown to a witness that knew the log: ${summaries[0]}`);
    console.log(`split view shown to a witness from its first look: ${summaries[1]}`);
    const statuses = await Promise.all(witnesses.map((witness) => witness.stop()));
    console.log(`exit statuses ${statuses.join(", ")}`);
    const isPassed =
      followResult.missed === 0 && first && second && isQuiet && statuses.join() === "0,1,1";
    console.log(
      `${followResult.rounds} rounds, ${followResult.cosignatures} cosignatures, ${followResult.missed} missed; split views: ${summaries.join(", ")}`,
    );
    return isPassed ? 0 : 1;
  } finally {
    await orders?.stop();
    for (const fork of forks) fork.close();
    for (const witness of witnesses) await witness.stop();
    await server.stop();
    dataDirectory.remove();
  }
}

function signer(data: string) {
  const file = readFileSync(join(data, `log-key-${world}.json`), "utf8");
  const { origin, private_keys: keys } = JSON.parse(file) as {
    origin: string;
    private_keys: string[];
  };
  return createSigner(origin, keys[0]!);
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url);
  return response.ok ? await response.text() : "";
}

/** Reads the cosigned checkpoint as a reader would, for this many minutes after the first one. */
async function follow(url: string, witnesses: readonly WitnessProcess[], duration: number) {
  const keys = witnesses.map(({ vkey }) => vkey);
  const times = new Map<string, number[]>(witnesses.map(({ vkey }) => [vkey, []]));
  const memory: number[][] = [];
  let untilMs = Number.POSITIVE_INFINITY;
  while (performance.now() < untilMs) {
    const note = await readText(`${url}/log/cosigned`);
    for (const { vkey, atMs } of note === "" ? [] : findCosignatures(note, keys, verify)) {
      const time = times.get(vkey)!;
      const seconds = atMs / 1_000;
      if (time.at(-1) !== seconds) time.push(seconds);
    }
    const all = [...times.values()].every((proofTimes) => proofTimes.length > 0);
    if (all && untilMs === Number.POSITIVE_INFINITY)
      untilMs = performance.now() + duration * 60_000;
    if (memory.length * 60 <= (times.values().next().value?.length ?? 0) * 15)
      memory.push(
        witnesses.map(({ pid }) => Math.round((readUsage(pid!, false)?.bytes ?? 0) / 1e6)),
      );
    await sleep(3_000);
  }
  const gaps = [...times.values()].map((proofTimes) =>
    proofTimes.slice(1).map((second, index) => second - proofTimes[index]!),
  );
  const missedCount = gaps.flat().filter((gap) => gap > gapMaxSeconds).length;
  const counts = [...times.values()].map((proofTimes) => proofTimes.length);
  const lines = witnesses.map((witness, index) => {
    const mb = memory.map((row) => row[index]!);
    return `${witness.name}: ${counts[index]} cosignatures, longest gap ${Math.max(0, ...gaps[index]!)} s, memory ${mb[0]} MB at the start, ${mb.at(-1)} MB at the end, at most ${Math.max(...mb)} MB`;
  });
  const cosignatures = counts.reduce((sum, count) => sum + count, 0);
  return { lines, missed: missedCount, cosignatures, rounds: Math.max(...counts) };
}
