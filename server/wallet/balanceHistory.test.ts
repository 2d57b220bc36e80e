import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { symbolNames } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import type { HistoryRange } from "#core/wallet/balanceHistory.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createTestContext, type TestContext, testStartMs } from "#server/testing/testContext.ts";
import { readHistory } from "#server/wallet/balanceHistory.ts";

const minute = 60_000;
let ctx: TestContext;
let ledger: Ledger;
beforeAll(async () => {
  ctx = await createTestContext();
  ledger = createLedger(ctx);
  await sql`insert into market_state (first_second_ms, klines_until_ms) values (${testStartMs}, ${testStartMs})`.execute(
    ctx.owner.db,
  );
});
afterAll(async () => {
  await ledger.stop();
  await ctx.destroy();
});

const minutesAfter = (minutes: number) => testStartMs + minutes * minute;

async function newPerson() {
  const owner = { userId: randomUUID(), attemptId: randomUUID() };
  const openAccounts = async (coin: Coin) => ({
    mine: await ledger.account(owner, "wallet", coin),
    held: await ledger.account(owner, "held", coin),
    house: await ledger.account("house", "issuance", coin),
  });
  return { ...owner, pUSDT: await openAccounts("pUSDT"), pBTC: await openAccounts("pBTC") };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

function give(person: Person, coin: "pUSDT" | "pBTC", amount: bigint) {
  const { house, mine } = person[coin];
  return ledger.post(
    createJournal(
      amount > 0n ? createMoveLegs(house, mine, amount) : createMoveLegs(mine, house, -amount),
    ),
  );
}

/** A second's index, as the feed stores it: unfolded until `fold`. */
async function price(secondMs: number, symbol: MarketSymbol, value: bigint | null) {
  const index = symbolNames.map((name) => (name === symbol ? value : null));
  await sql`insert into market_second (second_ms, leaf, index, volume)
    values (${secondMs}, ${secondMs / 1000}, ${index.map((value) => (value === null ? null : String(value)))}::bigint[], ${symbolNames.map(() => "0")}::bigint[])`.execute(
    ctx.owner.db,
  );
}

async function kline(interval: string, openMs: number, close: bigint) {
  await sql`insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
    values ('BTC/USDT', ${interval}, ${openMs}, ${close}, ${close}, ${close}, ${close}, 0)`.execute(
    ctx.owner.db,
  );
}

function read(
  person: Person,
  nowMs: number,
  more: { range?: HistoryRange; display?: Coin; closedMs?: number } = {},
) {
  const { range = "all", display = "pUSDT", closedMs = null } = more;
  return readHistory(ctx.database.db, ctx.world, {
    attemptId: person.attemptId,
    startMs: testStartMs,
    nowMs,
    closedMs,
    range,
    display,
  });
}

test("each point is the total just before it, including held amounts", async () => {
  const person = await newPerson();
  await give(person, "pUSDT", 10_000_000_000n);
  ctx.clock.advanceTo(minutesAfter(2));
  await give(person, "pUSDT", -1_000_000_000n);
  ctx.clock.advanceTo(minutesAfter(2) + 1);
  await ledger.post(
    createJournal(createMoveLegs(person.pUSDT.mine, person.pUSDT.held, 500_000_000n), {
      hold: { action: "place" },
    }),
  );
  const { points, stepMs } = await read(person, minutesAfter(4));
  expect(stepMs).toBe(minute);
  expect(points).toEqual([
    [minutesAfter(0) + 1, 10_000_000_000n],
    [minutesAfter(1), 10_000_000_000n],
    // A posting at exactly a point's moment belongs to the next point.
    [minutesAfter(2), 10_000_000_000n],
    [minutesAfter(3), 9_000_000_000n],
    [minutesAfter(4), 9_000_000_000n],
  ]);
});

test("coins are valued at each point's index, and a missing index is a gap", async () => {
  const person = await newPerson();
  await give(person, "pBTC", 100_000_000n);
  const fromMs = ctx.clock.nowMs();
  await kline("1m", minutesAfter(4), 80_000_00n);
  await price(minutesAfter(5) + 30_000, "BTC/USDT", 81_000_00n);
  await price(minutesAfter(5) + 59_000, "BTC/USDT", 82_000_00n);
  await price(minutesAfter(6) + 1_000, "BTC/USDT", null);
  await price(minutesAfter(7) + 1_000, "BTC/USDT", 83_000_00n);
  await sql`update market_state set klines_until_ms = ${minutesAfter(5)}`.execute(ctx.owner.db);
  const readPoints = async (display: Coin) =>
    (await read(person, minutesAfter(8), { display })).points.filter(
      ([ms]) => ms > fromMs + 1 && ms >= minutesAfter(5),
    );
  expect(await readPoints("pUSDT")).toEqual([
    [minutesAfter(5), 80_000_000_000n],
    [minutesAfter(6), 82_000_000_000n],
    [minutesAfter(7), null],
    [minutesAfter(8), 83_000_000_000n],
  ]);
  expect((await readPoints("pBTC")).map(([, total]) => total)).toEqual([
    100_000_000n,
    100_000_000n,
    100_000_000n,
    100_000_000n,
  ]);
});

test("a closed attempt ends at its closing or its last later posting", async () => {
  const person = await newPerson();
  await give(person, "pUSDT", 10_000_000n);
  const closedMs = ctx.clock.nowMs() + 90_000;
  const laterMs = closedMs + 600_000;
  expect((await read(person, laterMs + minute, { closedMs })).points.at(-1)).toEqual([
    closedMs,
    10_000_000n,
  ]);
  ctx.clock.advanceTo(laterMs);
  await give(person, "pUSDT", 5_000_000n);
  const { points } = await read(person, laterMs + 3_600_000, { closedMs });
  expect(points.at(-1)).toEqual([laterMs + 1, 15_000_000n]);
});

test("points over many postings equal their running sum", async () => {
  const person = await newPerson();
  const fromMs = ctx.clock.nowMs();
  await give(person, "pUSDT", 1_000_000_000n);
  let state = 7;
  const sums: [number, bigint][] = [[fromMs, 1_000_000_000n]];
  for (let n = 0; n < 300; n += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    ctx.clock.advanceTo(ctx.clock.nowMs() + (state % 40_000));
    const amount = BigInt((state % 2_000_001) - 1_000_000) || 1n;
    await give(person, "pUSDT", amount);
    sums.push([ctx.clock.nowMs(), sums.at(-1)![1] + amount]);
  }
  const { points } = await read(person, ctx.clock.nowMs() + minute);
  expect(points.length).toBeGreaterThan(40);
  for (const [ms, total] of points) {
    expect([ms, total]).toEqual([ms, sums.findLast(([sumMs]) => sumMs < ms)![1]]);
  }
});

test("an attempt closed at its start has one point", async () => {
  const person = await newPerson();
  await give(person, "pUSDT", 10_000_000n);
  const closedMs = ctx.clock.nowMs();
  expect((await read(person, closedMs, { closedMs })).points).toEqual([
    [closedMs + 1, 10_000_000n],
  ]);
});

test("an attempt has no history before its first posting", async () => {
  const person = await newPerson();
  expect((await read(person, ctx.clock.nowMs())).points).toEqual([]);
});
