/**
 * Ledger postings against pgbench's TPC-B, and against the bare inserts of the same rows, on the
 * same server in the same run: `node tools/bench/ledger.ts [seconds]`.
 *
 * A posting here is what opening an order posts: one journal with three legs (stake, fee, house),
 * requested one by one by many concurrent callers and durable before its answer, while the chain is
 * computed behind it. Prints its conditions and figures; the last lines are the part of the floor
 * that it reaches, and the ratio, each with its aim.
 */
import { sql } from "kysely";
import { chainPosted } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { createRunningClock, realClock } from "#server/platform/clock/clock.ts";
import { readConfig } from "#server/platform/config/config.ts";
import { type Database, openDatabase } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { createLogger } from "#server/platform/logger.ts";
import { openWorld } from "#server/platform/world.ts";
import { appRole, startEmbeddedPostgres } from "#server/postgres/embedded.ts";
import { createDataDirectory, printConditions, printRatio } from "./lib/conditions.ts";
import { openLedgerFloor } from "./lib/ledgerFloor.ts";
import { measureTpcB, requirePgbench, tpcBConditions } from "./lib/pgbench.ts";

const seconds = Number(process.argv[2] ?? 8);
const users = 10_000;
const callers = 2_000;
const schema = "bench";
const aim = 6;
const floorAim = 0.5;
const hotAim = 0.9;
const bodyHash = new Uint8Array(32).fill(7);
let createdCount = 0;

await requirePgbench();
const data = createDataDirectory();
const postgres = await startEmbeddedPostgres({ dataDirectory: data.directory });
try {
  await run();
} finally {
  await postgres.stop();
  data.remove();
}

async function run(): Promise<void> {
  const before = await measureTpcB(postgres.ownerUrl, seconds);
  const { ledger, database, close } = await openLedger();
  const version = (await sql<{ version: string }>`select version()`.execute(database.db)).rows[0]!;
  printConditions(
    version.version,
    `${users} accounts, ${callers} callers, ${seconds} s per run; ${tpcBConditions}; fsync on`,
  );
  const accounts = await openAccounts(ledger, database);
  const owner = openDatabase({ url: postgres.ownerUrl, schema, max: 2 });
  const { wallets, contracts: house } = accounts;
  const measureFloor = await openLedgerFloor(owner, { wallets, house, bodyHash, newId });
  await measure(ledger, accounts, 2);
  await measureFloor(2);
  const floors = [await measureFloor(seconds)];
  const spread = await measureChained(ledger, database, accounts);
  const hot = await measureChained(ledger, database, {
    ...accounts,
    wallets: accounts.wallets.slice(0, 1),
  });
  floors.push(await measureFloor(seconds));
  await owner.close();
  await close();
  const after = await measureTpcB(postgres.ownerUrl, seconds);
  const baseline = (before + after) / 2;
  console.log(
    `TPC-B: ${before.toFixed(0)} before, ${after.toFixed(0)} after; ${baseline.toFixed(0)} transactions/s`,
  );
  console.log(
    `spread: ${spread.rate.toFixed(0)} journals/s, chain ${spread.chainLag} entries behind at the end`,
  );
  console.log(
    `one hot account: ${hot.rate.toFixed(0)} journals/s, ${(hot.rate / spread.rate).toFixed(2)} of spread (aim ${hotAim})`,
  );
  const [floorBefore, floorAfter] = floors as [number, number];
  const floor = (floorBefore + floorAfter) / 2;
  console.log(
    `the same rows by bare inserts: ${floorBefore.toFixed(0)} before, ${floorAfter.toFixed(0)} after; ${floor.toFixed(0)} journals/s`,
  );
  console.log(`floor ${(spread.rate / floor).toFixed(2)} (aim ${floorAim})`);
  printRatio(spread.rate / baseline, aim, "least");
}

async function openLedger() {
  await migrate({ ownerUrl: postgres.ownerUrl, schema, appRole });
  const config = readConfig({ WORLD: "bench" });
  const { world, anchor } = await openWorld(postgres.ownerUrl, config, realClock, schema);
  const database = openDatabase({ url: postgres.appUrl, schema, max: 8 });
  const logger = createLogger("warn");
  const bus = createLocalBus((error) => {
    throw error;
  });
  const ledger = createLedger({
    database,
    world,
    bus,
    logger,
    realClock,
    clock: createRunningClock(anchor, realClock),
  });
  const close = async () => {
    await ledger.stop();
    await database.close();
  };
  return { ledger, database, close };
}

interface Accounts {
  wallets: bigint[];
  issuance: bigint;
  contracts: bigint;
}

async function openAccounts(ledger: Ledger, { db }: Database): Promise<Accounts> {
  const issuance = await ledger.account("house", "issuance", "pUSDT");
  const contracts = await ledger.account("house", "contracts", "pUSDT");
  const { rows } = await sql<{ id: bigint }>`
    select open_account('user-' || i, 'attempt-' || i, 'wallet', 'pUSDT') as id from generate_series(1, ${users}) i`.execute(
    db,
  );
  const wallets = rows.map(({ id }) => id);
  const amount = 10n ** 14n;
  await Promise.all(
    wallets.map((account) =>
      post(ledger, "attempt.start", [
        { account, amount },
        { account: issuance, amount: -amount },
      ]),
    ),
  );
  return { wallets, issuance, contracts };
}

/** Ids that sort by time, as those of keys do. */
function newId(): string {
  createdCount += 1;
  const head = (Date.now() * 16).toString(16).padStart(12, "0").slice(-12);
  const tail = createdCount.toString(16).padStart(12, "0");
  return `${head.slice(0, 8)}-${head.slice(8)}-8000-8000-${tail}`;
}

async function post(
  ledger: Ledger,
  kind: string,
  legs: { account: bigint; amount: bigint }[],
): Promise<void> {
  const { outcome } = await ledger.post({ id: newId(), kind, bodyHash, legs });
  if (outcome !== "posted") throw new Error(`outcome of a posting: ${outcome}`);
}

async function measure(ledger: Ledger, accounts: Accounts, forSeconds: number): Promise<number> {
  const { wallets, contracts } = accounts;
  const startedMs = performance.now();
  const untilMs = startedMs + forSeconds * 1000;
  let postedCount = 0;
  let next = 0;
  const caller = async () => {
    while (performance.now() < untilMs) {
      // A step coprime to the number of accounts: spread, and the same in every run.
      next = (next + 7919) % wallets.length;
      const account = wallets[next]!;
      await post(ledger, "contract.open", [
        { account, amount: -100n },
        { account, amount: -1n },
        { account: contracts, amount: 101n },
      ]);
      postedCount += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (postedCount / (performance.now() - startedMs)) * 1000;
}

/** Measures with the chain computed every second, as in the running server. */
async function measureChained(ledger: Ledger, database: Database, accounts: Accounts) {
  await chainPosted({ database });
  let chaining = Promise.resolve(0);
  const timer = setInterval(() => {
    chaining = chaining.then(() => chainPosted({ database }));
  }, 1_000);
  const rate = await measure(ledger, accounts, seconds);
  clearInterval(timer);
  const { rows } = await sql<{ n: bigint }>`
    select coalesce(sum((select count(*) from entry e where e.journal_id = j.id)), 0)::bigint as n from unchained_journal j`.execute(
    database.db,
  );
  await chaining;
  return { rate, chainLag: rows[0]!.n };
}
