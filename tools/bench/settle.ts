/**
 * 100 000 orders due in the same second, settled together, against a plain UPDATE of as many rows
 * on the same server in the same run: `node tools/bench/settle.ts [orders] [rounds]`.
 *
 * The orders are real ones, placed through the ledger and spread over all contracts. The plain
 * UPDATE writes the outcome into a copy of the order table with the same columns and indexes: the
 * minimum any settlement has to write, without reading prices, paying, balancing or returning
 * limits.
 */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { defaultTiers } from "#core/contracts/terms.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { createContracts } from "#server/contracts/contracts.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";
import { type BenchWorld, openBenchWorld } from "./lib/world.ts";

const orders = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 3);
const users = 5_000;
const tierSeconds = 300;
const aim = 3;
/** Non-generated columns of an order, up to its settlement. */
const columns =
  "seq, id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp, rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, loss_day, bound_leaf, entry_leaf, purchase_price, entry_at_ms, delivery_at_ms, due_at_ms";

printConditions(
  `${orders} orders of ${users} users on ${symbolNames.length} contracts, due in one second; ${rounds} rounds; fsync on`,
);
const bench = await openBenchWorld();
try {
  await run(bench);
} finally {
  await bench.close();
}

async function run(world: BenchWorld): Promise<void> {
  const bench = await openContractsBench(world);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const untilMs = await bench.place();
    await createCopy(world);
    await bench.closeUpTo(untilMs);
    const settling = await timed(() => bench.settle());
    if (settling.value !== orders)
      throw new Error(`${settling.value} orders were settled instead of ${orders}`);
    const updating = await timed(() => updatePlainly(world));
    if (updating.value !== orders) throw new Error(`${updating.value} rows were updated`);
    ratios.push(settling.ms / updating.ms);
    console.log(
      `round ${round}: settled in ${settling.ms.toFixed(0)} ms, plain UPDATE in ${updating.ms.toFixed(0)} ms`,
    );
  }
  await bench.stop();
  printRatio(ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!, aim, "most");
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const startedMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedMs };
}

/** Contracts on a simulated market, and people with funds. */
async function openContractsBench({ ctx }: BenchWorld) {
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
    // Building the tree over the leaves is not part of settling.
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
  const people = await openPeople(ledger);
  const choices = (await contracts.catalogue.all()).map(({ id, terms }) => ({
    contractId: id,
    stake: "10",
    tierSeconds,
    termsHash: terms.termsHash,
  }));
  /** Places all orders in one world second; returns when they are due. */
  const placeNext = async (): Promise<number> => {
    let next = 0;
    const caller = async () => {
      while (next < orders) {
        const number = next++;
        const direction = number % 3 === 0 ? "down" : "up";
        const params = { ...choices[number % choices.length]!, direction } as const;
        await contracts.place(
          people[number % people.length]!,
          params,
          newId(),
          computeHash(number),
        );
      }
    };
    await Promise.all(Array.from({ length: 2_000 }, caller));
    // The next second binds them; the one after is their entry.
    const enteredMs = Math.floor(ctx.clock.nowMs() / 1_000) * 1_000 + 2_000;
    await closeUpTo(enteredMs);
    return enteredMs + tierSeconds * 1_000;
  };
  return { place: placeNext, closeUpTo, settle: contracts.settleDue, stop: () => ledger.stop() };
}

async function openPeople(ledger: ReturnType<typeof createLedger>) {
  const issuance = await ledger.account("house", "issuance", "pUSDT");
  const amount = 10_000_000_000n;
  return Promise.all(
    Array.from({ length: users }, async (_, number) => {
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

/** Copies the open orders into a table of the same form. */
async function createCopy({ owner }: BenchWorld): Promise<void> {
  await sql`drop table if exists plain_order`.execute(owner.db);
  await sql`create table plain_order (like contract_order including all)`.execute(owner.db);
  await sql`insert into plain_order (${sql.raw(columns)}) overriding system value
    select ${sql.raw(columns)} from contract_order where settled_at_ms is null`.execute(owner.db);
  await sql`analyze plain_order`.execute(owner.db);
  await sql`analyze contract_order`.execute(owner.db);
}

async function updatePlainly({ owner }: BenchWorld): Promise<number> {
  const { numAffectedRows } = await sql`
    update plain_order set selling_price = purchase_price + 1, outcome = case when direction = 'up' then 'won' else 'lost' end,
      settled_at_ms = due_at_ms, settled_real_ms = due_at_ms
    where settled_at_ms is null`.execute(owner.db);
  return Number(numAffectedRows);
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
