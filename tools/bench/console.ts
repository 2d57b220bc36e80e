/**
 * Cost of the console's instance page on a world in use: `node tools/bench/console.ts [orders]`.
 *
 * Real orders, placed through the ledger and settled; a whole day of seconds, 20 000 error reports,
 * 30 days of use. Each read starts with a cold cache (as after ten seconds), and the whole page is
 * the sum of its reads.
 */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { defaultTiers } from "#core/contracts/terms.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { createWorld } from "#server/app/modules.ts";
import { createContracts } from "#server/contracts/contracts.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { readErrors } from "#server/operator/instance/errors.ts";
import { readTrialBalance } from "#server/operator/instance/ledger.ts";
import { createGaps } from "#server/operator/instance/market.ts";
import { readSizes } from "#server/operator/instance/storage.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const orders = Number(process.argv[2] ?? 100_000);
const people = 5_000;
const rounds = 15;
const aimMs = 300;

printConditions(`${orders} orders of ${people} people, 86 400 seconds, 20 000 reports; fsync on`);
const bench = await openBenchWorld();
try {
  await trade(bench);
  await fill(bench);
  await measure(bench);
} finally {
  await bench.close();
}

/** Places the orders in one world second and settles them. */
async function trade({ ctx }: BenchWorld): Promise<void> {
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  const onSecond: SecondHooks[] = [];
  const feed = createFeed(ctx, {
    source: createSimulatedSource(ctx, transparencyLog),
    transparencyLog,
    contributions: { onSecond },
  });
  await feed.prepare();
  const market = await createMarket(ctx);
  const contracts = createContracts(ctx, {
    ledger,
    market,
    transparencyLog: { ...transparencyLog, lagMs: async () => 0 },
    session: { requireNewPositions: async () => {} },
  });
  onSecond.push({ beforeAppend: contracts.beforeAppend });
  for (const symbol of symbolNames) await contracts.publish(symbol, defaultTiers);
  const closeUpTo = async (atMs: number) => {
    while (ctx.clock.nowMs() < atMs) {
      ctx.clock.advanceTo(Math.min(atMs, ctx.clock.nowMs() + 5_000));
      await feed.tick();
    }
  };
  await closeUpTo(ctx.clock.nowMs() + 2_000);
  const wallets = await openPeople(ledger);
  const offers = await contracts.catalogue.all();
  let next = 0;
  const caller = async () => {
    while (next < orders) {
      const number = next++;
      const { id, terms } = offers[number % offers.length]!;
      const direction = number % 3 === 0 ? "down" : "up";
      const params = { contractId: id, stake: "10", tierSeconds: 300, termsHash: terms.termsHash };
      const person = wallets[number % wallets.length]!;
      await contracts.place(person, { ...params, direction }, newId(), computeHash(number));
    }
  };
  await Promise.all(Array.from({ length: 1_000 }, caller));
  await closeUpTo(ctx.clock.nowMs() + 310_000);
  console.log(`${await contracts.settleDue()} orders settled`);
  await transparencyLog.integrate();
  await ledger.stop();
}

async function openPeople(ledger: ReturnType<typeof createLedger>) {
  const issuance = await ledger.account("house", "issuance", "pUSDT");
  const amount = 10_000_000_000n;
  return Promise.all(
    Array.from({ length: people }, async (_, number) => {
      const person = { userId: `bench-user-${number}`, attemptId: `bench-attempt-${number}` };
      const wallet = await ledger.account(person, "wallet", "pUSDT");
      const legs = [
        { account: wallet, amount },
        { account: issuance, amount: -amount },
      ];
      await ledger.post({
        id: newId(),
        kind: "attempt.start",
        bodyHash: computeHash(number),
        legs,
      });
      return person;
    }),
  );
}

/**
 * Writes the day before the orders, in the form a feed would have left it, and the error reports of
 * browsers.
 */
async function fill({ owner }: BenchWorld): Promise<void> {
  const { db } = owner;
  await sql`
    insert into market_second (second_ms, leaf, index, volume)
    select f.second_ms - n * 1000, -n, f.index, f.volume
    from (select * from market_second order by second_ms limit 1) f, generate_series(1, 86400) n`.execute(
    db,
  );
  await sql`update market_state set first_second_ms = first_second_ms - 86400000`.execute(db);
  await sql`
    insert into error_log (at_ms, type, code, message, page_url, version)
    select ${Date.now()}::bigint - n * 100000, 'script', 'TypeError', 'x' || n % 500 || ' is undefined', '/page/' || n % 40, '0.1.0'
    from generate_series(1, 20000) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function measure({ ctx, appUrl }: BenchWorld): Promise<void> {
  let aheadMs = 0;
  const benchContext = {
    ...ctx,
    realClock: { nowMs: () => Date.now() + aheadMs },
    jobs: createJobs({ database: ctx.database, url: appUrl, logger: ctx.logger }),
  };
  const world = await createWorld(benchContext);
  await world.prepare();
  await benchContext.jobs.runNow("ledger.chain");
  await world.services.instance.measure();
  const { db } = ctx.database;
  const firstMs = await world.services.market.firstSecondMs();
  const queries = {
    "sums of all accounts": () => readTrialBalance(db),
    "gaps of a day, first": () => createGaps(benchContext)(firstMs),
    sizes: () => readSizes(benchContext),
    state: () => world.services.instance.view(),
    history: () => world.services.instance.history(),
    settings: () => world.services.instance.settings(),
    errors: () =>
      readErrors(db, { days: 30, page: 1, page_size: 25 }, benchContext.realClock.nowMs()),
    "each minute": () => world.services.instance.measure(),
  };
  const worst: Record<string, number> = {};
  for (const [name, ask] of Object.entries(queries)) {
    const durations: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      aheadMs += 61_000;
      const startedMs = performance.now();
      await ask();
      durations.push(performance.now() - startedMs);
    }
    durations.sort((a, b) => a - b);
    worst[name] = durations.at(-1)!;
    console.log(
      `${name}: median ${durations[rounds >> 1]!.toFixed(0)} ms, worst of ${rounds} ${worst[name].toFixed(0)} ms`,
    );
  }
  const { ledger, market } = await world.services.instance.view();
  console.log(
    `${ledger.trial.length} coins sum to ${ledger.trial.map(({ total }) => total).join(", ")}`,
  );
  console.log(`${market.gaps.day.expected} seconds counted for the day`);
  await world.stop();
  printRatio((worst.state! + worst.history!) / aimMs, 1, "most");
}

function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6]! & 15) | 128;
  bytes[8] = (bytes[8]! & 63) | 128;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function computeHash(number: number): Uint8Array {
  return createHash("sha256").update(String(number)).digest();
}
