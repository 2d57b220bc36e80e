import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { type ContractReceipt, listNeededLeaves } from "#core/contracts/receiptSchema.ts";
import { dayMs } from "#core/money/time.ts";
import { retentionJob } from "#server/market/retention.ts";
import { createTestContracts, place, type TestContracts } from "#server/testing/contracts.ts";
import { createTestContext } from "#server/testing/testContext.ts";

let t: TestContracts;
beforeEach(async () => {
  t = await createTestContracts();
  const secondsNeededFrom = [t.contracts.neededFromMs, async () => null];
  t.ctx.jobs.add([retentionJob(t.ctx, { contributions: { secondsNeededFrom } })]);
});
afterEach(() => t.destroy());

const forget = () => t.ctx.jobs.runNow("market.forget");

/** Advances both clocks while no process closes seconds. */
function sleepFor(ms: number): void {
  t.ctx.realClock.advanceMs(ms);
  t.ctx.clock.advanceTo(t.ctx.clock.nowMs() + ms);
}

/** Closes the seconds of the next `minutes` minutes. */
async function closeMinutes(minutes: number): Promise<void> {
  await t.tickTo(t.ctx.clock.nowMs() + minutes * 60_000);
}

async function seconds(): Promise<number[]> {
  const { rows } = await t.ctx.database.pool.query<{ ms: bigint }>(
    "select second_ms as ms from market_second order by 1",
  );
  return rows.map(({ ms }) => Number(ms));
}

describe("retention of seconds", () => {
  test("seconds are kept for two days of world time, rounded to a minute", async () => {
    await closeMinutes(5);
    sleepFor(2 * dayMs - 120_000);
    await closeMinutes(1);
    const before = await seconds();
    await forget();
    const foldedMs = Math.floor(t.ctx.clock.nowMs() / 60_000) * 60_000;
    const after = await seconds();
    expect(after).toEqual(before.filter((ms) => ms >= foldedMs - 2 * dayMs));
    expect(before.length - after.length).toBe(239);
  });

  test("old seconds are kept until a later second is closed", async () => {
    await closeMinutes(2);
    const before = await seconds();
    sleepFor(10 * dayMs);
    await forget();
    expect(await seconds()).toEqual(before);
  });

  test("seconds are kept while a pending order needs them", async () => {
    t.script((ms) => 2_312_345n + BigInt(ms - t.at(0)) / 1_000n);
    const person = await t.openPerson();
    await closeMinutes(1);
    await place(t, person);
    await closeMinutes(2);
    sleepFor(3 * dayMs);
    await closeMinutes(2);
    await forget();
    expect((await seconds())[0]).toBeLessThan(t.at(180));
    expect(await t.contracts.settleDue()).toBe(1);
    const { items } = await t.contracts.orders(person.userId, {
      contractId: null,
      status: "over",
      upToSeq: null,
      limit: 10,
      offset: 0,
    });
    expect(items).toMatchObject([{ outcome: "won" }]);
    await forget();
    expect((await seconds())[0]).toBeGreaterThan(t.at(180));
  });

  test("purging seconds does not change receipts", async () => {
    const person = await t.openPerson();
    await closeMinutes(1);
    const { orderId } = await place(t, person);
    await closeMinutes(2);
    await t.contracts.settleDue();
    const before = await t.contracts.receipt(person.userId, orderId);
    sleepFor(3 * dayMs);
    await closeMinutes(2);
    await forget();
    expect((await seconds())[0]).toBeGreaterThan(t.at(180));
    const after = await t.contracts.receipt(person.userId, orderId);
    expect(after).toEqual(before);
    expect(await check(after)).toBe(true);
  });
});

async function check(receipt: ContractReceipt): Promise<boolean> {
  const leaves = new Map<number, Uint8Array>();
  for (const [from, to] of listNeededLeaves(receipt)) {
    for (const { leaf, bytes } of await t.transparencyLog.leaves(from, to + 1))
      leaves.set(leaf, bytes);
  }
  return checkReceipt(JSON.parse(JSON.stringify(receipt)), await t.world(), leaves).ok;
}

test("a world without a feed has no rows to remove", async () => {
  const ctx = await createTestContext();
  try {
    ctx.jobs.add([retentionJob(ctx, { contributions: { secondsNeededFrom: [] } })]);
    await expect(ctx.jobs.runNow("market.forget")).resolves.toBeUndefined();
  } finally {
    await ctx.destroy();
  }
});

describe("retention of klines", () => {
  const insert = (interval: string, daysAgo: number) =>
    t.ctx.database.pool.query(
      `insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
       select s, $1, $2, 1, 1, 1, 1, 0 from unnest(array['BTC/USDT', 'ETH/USDT']) s`,
      [interval, t.at(60) - daysAgo * dayMs],
    );
  const listKept = async () => {
    const { rows } = await t.ctx.database.pool.query<{ interval: string; days: number }>(
      `select interval, (($1 - open_ms) / 86400000)::integer as days from kline
       where symbol = 'ETH/USDT' and open_ms < $1 order by 2, 1`,
      [t.at(0) - dayMs],
    );
    return rows.map(({ interval, days }) => `${interval} ${days}`);
  };

  test("1m klines are purged after 400 days and coarser ones never", async () => {
    for (const daysAgo of [399, 401, 900]) await insert("1m", daysAgo);
    for (const interval of ["5m", "1d"]) await insert(interval, 900);
    await closeMinutes(2);
    await forget();
    expect(await listKept()).toEqual(["1m 397", "1d 898", "5m 898"]);
  });

  test("one run purges more than one batch", async () => {
    await t.ctx.database.pool.query(
      `insert into kline (symbol, interval, open_ms, open, high, low, close, volume)
       select 'BTC/USDT', '1m', $1::bigint - n * 60000, 1, 1, 1, 1, 0 from generate_series(1, 12000) n`,
      [t.at(0) - 401 * dayMs],
    );
    await closeMinutes(2);
    await forget();
    const { rows } = await t.ctx.database.pool.query(
      "select count(*) as count from kline where interval = '1m' and open_ms < $1",
      [t.at(0) - 400 * dayMs],
    );
    expect(rows).toEqual([{ count: 0n }]);
  });
});

test.each([
  "delete from market_second",
  "truncate market_second",
  "update market_second set leaf = leaf",
  "delete from kline",
  "truncate kline",
])("the application's role cannot %s", async (statement) => {
  await expect(t.ctx.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
});
