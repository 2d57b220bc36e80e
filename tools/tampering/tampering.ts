/**
 * `npm run trial -- tampering`: a superuser of the database changes a separate instance, one change
 * after another, each undone: values and rows of every table, cut tails, swapped rows and tables,
 * keys, a split view. People, an operator, an auditor, a reader and a witness each check with their
 * own means. Prints who found what, and as the last line how many were found; exit status 1 if one
 * was not. What is not evidence (outside.ts) is left alone, and printed with the reason.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { runningAdminUrl, runningPostgresUrl } from "#server/postgres/embedded.ts";
import { createClient } from "#server/testing/client.ts";
import { createSigner } from "#server/transparency-log/keys.ts";
import { printConditions } from "../bench/lib/conditions.ts";
import { createRandom } from "../crash/options.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { openTestInstance, type Person, type TestInstance } from "../probes/testInstance.ts";
import { ForkedLog } from "../witnesses/forkedLog.ts";
import { WitnessProcess } from "../witnesses/witnessProcess.ts";
import {
  type Chance,
  changeValue,
  copyTables,
  deleteRow,
  dropChecks,
  haveTablesChanged,
  insertRow,
  readTables,
  type Superuser,
  swapRows,
  swapTables,
  type Table,
  type Tampering,
} from "./changes.ts";
import {
  CannotCheckError,
  type Checker,
  createAuditDetector,
  createLogDetector,
  createOperatorDetector,
  createReceiptDetector,
  createWitnessDetector,
  type Detector,
} from "./detectors.ts";
import { detectTampering, type TamperingResult } from "./detectTampering.ts";
import { recordFirstActions, recordLaterActions } from "./history.ts";
import { evidenceRows, getExemptReason, getTableKind, missedRows, noEvidence } from "./outside.ts";
import {
  cutTail,
  forgeLeaf,
  forgePosting,
  forgeTile,
  replaceKey,
  runStatement,
  swapBackup,
} from "./staged.ts";

const world = "tampering";
const schema = `world_${world}`;
const peopleCount = 2;

const usage = `Changes the database of an instance of its own as a superuser, and counts what is found.

  npm run trial -- tampering [--count 200] [--batch 100] [--seed N] [--minutes <most>]
      [--history <seconds>] [--pause <seconds>] [--each] [--prepare <file> | --on <file>]

--batch: after so many changes, checks that everything equals the original state again, and prints
    a line.
--each: every column of every table in turn, a deleted and an added row of each, instead of at random.
--minutes: ends after so many minutes of changes, however many there were (default 1 440).
--history: real seconds of history before the first change, at speed 60 (default 90).
--pause: real seconds in the middle of it without a market, so that days end and leases pay
    (1 500 are 25 hours; default 3).
--prepare: creates the history, writes its location to the file, and keeps it running until it is
    ended;
--on: changes what was prepared there.
Exit status: 0 all found; 1 otherwise; 2 wrong options.`;

if (process.argv.includes("--help")) {
  console.log(usage);
  process.exit(0);
}
const text = { type: "string" } as const;
const options = {
  ...{ count: text, seed: text, minutes: text, history: text, batch: text, pause: text },
  ...{ prepare: text, on: text },
  each: { type: "boolean", default: false },
} as const;
const { values } = parseOptions({ options }, usage);
const count = parseWholeNumber("count", values.count, { from: 1, to: 100_000, fallback: 200 });
const seed = parseWholeNumber("seed", values.seed, { from: 0, to: 999_999_999, fallback: 1 });
const minutes = parseWholeNumber("minutes", values.minutes, {
  from: 1,
  to: 1_440,
  fallback: 1_440,
});
const batch = parseWholeNumber("batch", values.batch, { from: 1, to: 10_000, fallback: 100 });
const pause = parseWholeNumber("pause", values.pause, { from: 1, to: 36_000, fallback: 3 });
const history = parseWholeNumber("history", values.history, { from: 20, to: 3_600, fallback: 90 });
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(2));

/** An instance with a history that now serves readers only. */
interface Stage {
  port: number;
  data: string;
  owner: { token: string };
  checkers: readonly Checker[];
}

async function main(): Promise<number> {
  printConditions(`${count} tamperings, seed ${seed}, ${history} s of history at speed 60`);
  if (values.on !== undefined) return await changeAll(readStage(values.on));
  const folder = mkdtempSync(join(tmpdir(), "drydock-tampering-"));
  const witness = await WitnessProcess.make("witness.example", folder);
  const policy = join(folder, "policy");
  writeFileSync(policy, `${witness.policyLine}\ngroup all any witness.example\nquorum all\n`);
  const settings = { WORLD: world, WORLD_SPEED: "60", LOG_LEVEL: "error", WITNESS_POLICY: policy };
  const instance = await openTestInstance(settings);
  try {
    witness.start(`http://127.0.0.1:${instance.port}`);
    const stage = await createHistory(instance);
    if (values.prepare === undefined) return await changeAll(stage);
    writeFileSync(values.prepare, JSON.stringify(stage));
    console.log(`Prepared in ${values.prepare}.`);
    await new Promise((resolve) => process.once("SIGTERM", resolve));
    return 0;
  } finally {
    await witness.stop();
    await instance.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readStage(path: string): Stage {
  return JSON.parse(readFileSync(path, "utf8")) as Stage;
}

async function changeAll({ port, data, owner, checkers }: Stage): Promise<number> {
  const random = createRandom(seed);
  const pick: Chance = (below) => Math.floor(random() * below);
  const folder = mkdtempSync(join(tmpdir(), "drydock-detectors-"));
  const url = `http://127.0.0.1:${port}`;
  const view = { url };
  const http = createClient({ port, localAddress: "127.0.4.2" });
  await untilServed(http.get);
  http.close();
  const client = await openSuperuser(data);
  const fork = new ForkedLog(url, signer(data));
  const audit = createAuditDetector(runningPostgresUrl(data));
  try {
    const detectors = [
      audit,
      await createOperatorDetector({ port, owner }),
      createLogDetector(folder, () => view.url),
      createReceiptDetector(folder, () => view.url, checkers),
      createWitnessDetector(folder, () => view.url),
    ];
    await requireClean(detectors);
    await dropChecks(client, schema);
    const { tables, exemptTables } = await readTables(client, schema, {
      ...{
        getKind: getTableKind,
        getExemptReason,
        rows: evidenceRows,
        deleteConditions: missedRows,
      },
    });
    const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
    const receipts = checkers.reduce((sum, { subjects }) => sum + subjects.length, 0);
    console.log(
      `${columns} columns of ${tables.length} tables; ${receipts} receipts of ${checkers.length} people`,
    );
    for (const [name, reason] of exemptTables) console.log(`not changed: ${name} ${reason}`);
    const split = await splitView(fork, view, url);
    const staged = listStagedChanges(client, data, tables, split, pick);
    const inTurn = values.each ? listAllChanges(client, tables, pick) : null;
    const results = await changeInBatches(detectors, (number) => {
      const make = inTurn && number % 5 !== 4 ? inTurn.shift() : undefined;
      if (inTurn?.length === 0 && !make) return null;
      return make ? make() : drawChange(client, tables, staged, number, pick);
    });
    return report(results);
  } finally {
    fork.close();
    await audit.close();
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One change after another, each checked and undone; null ends the run. */
async function changeInBatches(
  detectors: readonly Detector[],
  make: (number: number) => Promise<Tampering | null> | null,
): Promise<TamperingResult[]> {
  const results: TamperingResult[] = [];
  const untilMs = performance.now() + minutes * 60_000;
  // A change that the database refuses does not count and does not block the following kinds.
  for (let number = 0; results.length < count && performance.now() < untilMs; number += 1) {
    const making = make(number);
    if (!making) break;
    const tampering = await making;
    if (!tampering) continue;
    const result = await detectTampering(tampering, detectors);
    await tampering.undo();
    results.push(result);
    if (result.detector === null)
      console.log(
        `NOT FOUND in ${result.seconds.toFixed(0)} s: ${result.title}; ${result.unableDetectors.join("; ")}`,
      );
    if (results.length % batch !== 0) continue;
    // A change that was not undone would be detected again with the next one.
    await requireClean(detectors);
    const detectedCount = results.filter(({ detector }) => detector !== null).length;
    console.log(`after ${results.length}: ${detectedCount} found, and all as it was`);
  }
  await requireClean(detectors);
  return results;
}

async function untilServed(get: (path: string) => Promise<string>): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 200) {
    const answer = await get("/log/checkpoint").catch(() => "");
    if (answer.includes("\n\n")) return;
    await sleep(200);
  }
  throw new Error("The web service did not start.");
}

/** Every table of the world. */
async function listTableNames(client: Superuser): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r' order by 1`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/** Creates people and an owner who performed every action, with days and payouts since. */
async function createHistory(instance: TestInstance): Promise<Stage> {
  const { port, data, owner } = instance;
  const people = await recordFirstActions(instance, peopleCount);
  await sleep(history * 300);
  const client = await openSuperuser(data);
  await client.query("create schema tampering");
  await client.query("begin isolation level repeatable read");
  await copyTables(client, await listTableNames(client), "older");
  await client.query("commit");
  await client.end();
  await recordLaterActions(instance, people);
  await sleep(history * 300);
  await instance.restart(["--services=web"]);
  await sleep(pause * 1_000);
  await instance.restart([]);
  const http = createClient({ port, localAddress: "127.0.4.2" });
  await untilServed(http.get);
  http.close();
  await sleep(history * 400);
  const reader = await openSuperuser(data);
  const checkers: Checker[] = [];
  for (const person of people)
    checkers.push({ person, subjects: await getSubjects(reader, person) });
  await reader.end();
  const folder = mkdtempSync(join(tmpdir(), "drydock-receipts-"));
  // A receipt is ready about a minute after its posting.
  await untilClean(createReceiptDetector(folder, () => `http://127.0.0.1:${port}`, checkers));
  rmSync(folder, { recursive: true, force: true });
  // Nothing changes from here on, so that each change can be undone exactly.
  await instance.restart(["--services=web"]);
  return { port, data, owner: { token: owner.token }, checkers };
}

/** Connects with all triggers disabled, as only a superuser can. */
async function openSuperuser(data: string): Promise<Superuser> {
  const client = new pg.Client({ connectionString: runningAdminUrl(data) });
  client.on("error", () => {});
  await client.connect();
  await client.query(`set search_path to ${schema}`);
  await client.query("set session_replication_role = replica");
  return client;
}

/**
 * The receipts that the person can have checked: orders that are over, leases, subscriptions and
 * journals.
 */
async function getSubjects(client: Superuser, { userId }: Person): Promise<string[]> {
  const list = async (query: string) =>
    (await client.query<{ name: string }>(query, [userId])).rows.map(({ name }) => name);
  return [
    ...(await list(
      "select id::text as name from contract_order where user_id = $1 and outcome is not null",
    )),
    ...(await list("select 'lease:' || id as name from mining_lease where user_id = $1")),
    ...(await list("select 'hosting:' || id as name from hosting_order where user_id = $1")),
    ...(await list(
      `select distinct 'journal:' || e.journal_id as name from entry e join account a on a.id = e.account
       where not a.house and a.owner = $1 order by 1 limit 12`,
    )),
  ];
}

function signer(data: string) {
  const file = readFileSync(join(data, `log-key-${world}.json`), "utf8");
  const { origin, private_keys: keys } = JSON.parse(file) as {
    origin: string;
    private_keys: string[];
  };
  return createSigner(origin, keys[0]!);
}

async function untilClean(detector: Detector): Promise<void> {
  for (const fromMs = performance.now(); ; await sleep(3_000)) {
    const report = await detector.detect().catch((error: unknown) => {
      if (!(error instanceof CannotCheckError)) throw error;
      return error.message;
    });
    if (report === null) return;
    if (performance.now() - fromMs > 180_000) return await requireClean([detector]);
  }
}

async function requireClean(detectors: readonly Detector[]): Promise<void> {
  for (const { name, detect } of detectors) {
    const report = await detect();
    if (report !== null) throw new Error(`Without any change, ${name} says: ${report}`);
  }
}

/** Starts a proxy that shows its reader another history, signed with the log's own key. */
async function splitView(
  fork: ForkedLog,
  view: { url: string },
  url: string,
): Promise<(pick: Chance) => Promise<Tampering>> {
  const proxy = await fork.listen();
  return async (pick) => {
    const note = await (await fetch(`${url}/log/checkpoint`)).text();
    const leaf = pick(Number(note.split("\n")[1]));
    fork.fork(leaf);
    view.url = proxy;
    return {
      kind: "split view",
      title: `another leaf ${leaf} for one reader`,
      undo: async () => {
        view.url = url;
        fork.heal();
      },
    };
  };
}

/** Tables that are swapped for older copies, together. */
const swappedTables: readonly (readonly string[])[] = [
  ["account"],
  ["account", "chain_head"],
  ["journal", "entry"],
  ["log_leaf", "log_head", "log_tile", "log_checkpoint"],
  ["chain_batch"],
  ["operator_audit_event", "operator_audit_event_text"],
  ["contract_order"],
  ["market_second"],
];

/** Falsifications that could tempt an operator: the table, a description, and the SQL statement. */
const falsifications: readonly [table: string, what: string, statement: string][] = [
  [
    "user_account",
    "a suspension lifted",
    "update user_account set suspended_at_ms = null where suspended_at_ms is not null",
  ],
  [
    "contract_settings",
    "contracts switched otherwise",
    "update contract_settings set contracts_on = not contracts_on",
  ],
  [
    "class_link",
    "a closed class link opened",
    "update class_link set closed_at_ms = null where closed_at_ms is not null",
  ],
  [
    "operator",
    "somebody made an owner",
    `insert into operator (operator_id, user_id, role, since_ms)
     select gen_random_uuid()::text, user_id, 'owner', created_at_ms from user_account u
     where not exists (select from operator o where o.user_id = u.user_id) limit 1`,
  ],
  [
    "contract_order",
    "a lost order won",
    `update contract_order set outcome = 'won'
     where seq = (select min(seq) from contract_order where outcome = 'lost')`,
  ],
];

type StageTampering = () => Promise<Tampering | null>;

function listStagedChanges(
  client: Superuser,
  data: string,
  tables: readonly Table[],
  split: (pick: Chance) => Promise<Tampering>,
  pick: Chance,
): StageTampering[] {
  const table = (name: string) => tables.find((table) => table.name === name)!;
  const pairs: [string, string][] = [
    ["account", "balance"],
    ["entry", "amount"],
    ["log_leaf", "bytes"],
    ["contract_order", "stake"],
    ["contract_order", "user_id"],
    ["mining_lease", "user_id"],
    ["hosting_order", "user_id"],
    ["journal", "kind"],
    ["log_tile", "hashes"],
    ["market_second", "index"],
  ];
  return [
    () => split(pick),
    () => cutTail(client, pick),
    () => replaceKey(client, data, world),
    () => forgePosting(client, pick),
    () => forgeLeaf(client, world, pick),
    () => forgeTile(client, pick),
    async () => swapBackup(client, await listTableNames(client), "older"),
    ...falsifications.map((falsification) => () => runStatement(client, ...falsification)),
    // A copy that equals the current rows would change nothing.
    ...swappedTables.map(
      (names) => async () =>
        (await haveTablesChanged(client, names, "older"))
          ? await swapTables(client, names, "older", "swapped tables")
          : null,
    ),
    ...pairs
      .filter(([name]) => table(name))
      .map(
        ([name, column]) =>
          () =>
            swapRows(client, table(name), column, pick),
      ),
  ];
}

/** Lists, for each table, a change of every column, a deletion and an insertion. */
function listAllChanges(
  client: Superuser,
  tables: readonly Table[],
  pick: Chance,
): StageTampering[] {
  return tables.flatMap((table) => [
    ...table.columns.map((column) => () => changeValue(client, table, pick, column)),
    () => deleteRow(client, table, pick),
    () => insertRow(client, table, pick),
  ]);
}

/** Every fifth change is a staged one; the others are random rows of random tables. */
async function drawChange(
  client: Superuser,
  tables: readonly Table[],
  staged: readonly StageTampering[],
  number: number,
  pick: Chance,
): Promise<Tampering | null> {
  if (number % 5 === 4) return await staged[Math.floor(number / 5) % staged.length]!();
  const table = tables[pick(tables.length)]!;
  const draw = pick(8);
  if (draw === 0) return await deleteRow(client, table, pick);
  if (draw === 1) return await insertRow(client, table, pick);
  return await changeValue(client, table, pick);
}

function report(results: readonly TamperingResult[]): number {
  const kinds = [...new Set(results.map(({ kind }) => kind))].toSorted();
  const names = [...new Set(results.flatMap(({ detector }) => detector ?? []))];
  console.log(["kind", "tried", ...names, "not found"].join(" | "));
  for (const kind of kinds) {
    const those = results.filter((result) => result.kind === kind);
    const by = names.map((name) => those.filter((result) => result.detector === name).length);
    console.log(
      [kind, those.length, ...by, those.filter((result) => result.detector === null).length].join(
        " | ",
      ),
    );
  }
  for (const [form, reason] of noEvidence) console.log(`left alone: ${form.source}: ${reason}`);
  const detected = results.filter(({ detector }) => detector !== null);
  const slowest = Math.max(0, ...detected.map(({ seconds }) => seconds));
  console.log(
    `${results.length} tamperings, ${detected.length} found, slowest ${slowest.toFixed(1)} s`,
  );
  return detected.length === results.length ? 0 : 1;
}

process.exit(await main());
