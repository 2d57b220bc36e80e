import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Trade } from "#api/hosting/trade.ts";
import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import {
  createTestHosting,
  crossPlan,
  startAnotherProcess,
  type TestHosting,
} from "#server/testing/hosting.ts";

let t: TestHosting;
afterEach(() => t.destroy());

/** A gap of 60 bp in one second of each minute, which pays after all fees. */
const gaps = (venue: number, secondMs: number) =>
  venue === 1 && secondMs % 60_000 === 30_000 ? 2_012_000n : 2_000_000n;

/**
 * Everything that a world's log and tables hold about hosting, without the ids of this particular
 * run.
 */
async function describeAll({ ctx, transparencyLog }: TestHosting): Promise<string> {
  const { rows: states } = await sql<{
    friction: string;
    state: string;
    peak: bigint;
    worst: number;
  }>`
    select friction, state, peak, worst from hosting_state order by pool_id, friction`.execute(
    ctx.database.db,
  );
  const { rows: marks } = await sql`
    select at_ms, nav, units, assets, owed, hold, frictionless, harsh from hosting_mark order by at_ms`.execute(
    ctx.database.db,
  );
  const leaves = await transparencyLog.leaves(0, await transparencyLog.count());
  const kinds = leaves.filter(({ bytes }) => bytes[1] === 5 || bytes[1] === 7).length;
  return JSON.stringify([states, marks, kinds], (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

const micro = (text: string | null) => BigInt(Math.round(Number(text) * 1e6));

/**
 * The stated result at the venues, whose fee is 40 bp, is the trade's own costs with another fee.
 */
function expectAtVenue({ legs, gross, slippage, fees, at_venue: venueCosts }: Trade): void {
  for (const { filled, venue_fee_bp: fee } of legs)
    expect(fee).toBe(Number(filled) === 0 ? null : "40.00");
  expect(venueCosts!.fee_source).toBe("ccxt 0");
  // Four times the fee in the rules, except for the rounding of two legs.
  const feeDifference = micro(venueCosts!.fees) - 4n * micro(fees);
  expect(feeDifference >= -8n && feeDifference <= 8n).toBe(true);
  expect(micro(venueCosts!.spread) + micro(venueCosts!.delay)).toBe(micro(slippage));
  expect(micro(venueCosts!.spread)).toBeGreaterThan(0n);
  expect(micro(venueCosts!.net)).toBe(micro(gross) - micro(slippage) - micro(venueCosts!.fees));
}

describe("a running pool", () => {
  it("a pool decides on one book, fills on the next, and logs both", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    t.source.fee = { fee: 4_000, source: "ccxt 0" };
    // Money and inventory each take ten minutes to reach the venues.
    await t.tickTo(t.at(30 * 60));
    const trades = await t.hosting.trades("cross-btc", { upTo: null, limit: 100, offset: 0 });
    const trade = trades.find(
      ({ purpose, state }) => purpose === "arbitrage" && state !== "waiting",
    )!;
    expect(trade.legs.map(({ side }) => side)).toEqual(["buy", "sell"]);
    expect(trade.filled_at_ms).toBe(trade.decided_at_ms + 1_000);
    // The gap had closed when the orders arrived: the apparent profit is a loss.
    expect((await t.hosting.products(null))[0]!.return_bp).toMatch(/^-/);
    const { decision_books, fill_books } = await t.hosting.trade(trade.trade_id);
    expect(decision_books.map((book) => book!.at_ms)).toEqual([
      trade.decided_at_ms,
      trade.decided_at_ms,
    ]);
    expect(fill_books.map((book) => book?.at_ms)).toEqual([trade.filled_at_ms, trade.filled_at_ms]);
    const receipt = await t.hosting.tradeReceipt(trade.trade_id);
    expect(receipt).toMatchObject({
      format: "drydock.receipt.trade/1",
      practice: true,
      backing: "none",
    });
    expect(await t.ledgerOf("cross-btc")).toEqual(await t.engineOf("cross-btc"));
    expectAtVenue(trade);
  });

  it("a pool resumes after a restart with identical results", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    await t.tickTo(t.at(25 * 60));
    const fullRun = await describeAll(t);
    await t.destroy();
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    for (const second of [17, 612, 613, 1_021, 1_500]) {
      await t.tickTo(t.at(second));
      // Everything that was only in memory is gone.
      const repeated = await startAnotherProcess(t);
      t = { ...repeated, at: t.at };
    }
    expect(await describeAll(t)).toBe(fullRun);
  });

  it("one process at a time runs a pool, and the next resumes where it stopped", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    await t.tickTo(t.at(25 * 60));
    const fullRun = await describeAll(t);
    await t.destroy();
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    const otherProcess = await startAnotherProcess(t);
    const processes = [t, { ...otherProcess, at: t.at }];
    for (let round = 0; round < 15; round += 1) {
      const item = processes[round % 2]!;
      // The database rejects a feed's stale cache, and the feed reloads; hosting must do the same.
      if (round > 1) await expect(item.feed.tick()).rejects.toThrow();
      await item.tickTo(t.at((round + 1) * 100));
    }
    expect(await describeAll(t)).toBe(fullRun);
    await otherProcess.ledger.stop();
  });

  it("downtime counts as a gap, and orders survive it", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    await t.tickTo(t.at(70));
    const person = await t.openPerson();
    const order = await t.subscribe(person, "100");
    t.ctx.realClock.advanceMs(325_000);
    t.ctx.clock.advanceTo(t.at(395));
    await t.feed.tick();
    await t.tickTo(t.at(425));
    const { mark_at_ms: markMs } = await t.hosting.order(person.userId, order.id);
    expect(markMs).toBe(t.at(420));
    const { items } = await t.hosting.navHistory("cross-btc", "all");
    expect(items.map(([atMs]) => atMs)).toEqual([t.at(60), t.at(420)]);
  });

  it("a failed closing leaves no changes", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    t.source.script = gaps;
    await t.tickTo(t.at(700));
    let failing = true;
    t.onSecond.push({
      afterAppend: async () => {
        if (failing) throw new Error("the disk is full");
        return () => {};
      },
    });
    const before = await describeAll(t);
    await expect(t.tickTo(t.at(705))).rejects.toThrow("the disk is full");
    expect(await describeAll(t)).toBe(before);
    failing = false;
    await t.tickTo(t.at(900));
    expect(await t.ledgerOf("cross-btc")).toEqual(await t.engineOf("cross-btc"));
  });

  it("a mark's leaf carries the state when it changed and its hash always", async () => {
    t = await createTestHosting({ plans: [crossPlan] });
    await t.tickTo(t.at(185));
    const leaves = await t.transparencyLog.leaves(0, await t.transparencyLog.count());
    const marks = leaves
      .filter(({ bytes }) => bytes[1] === 7)
      .map(({ bytes }) => decodeHostingLeaf(bytes, "mark", worldTag("test-world")))
      .flatMap((result) => (result.ok ? [result.value] : []));
    expect(marks.map(({ type }) => type)).toEqual(["mark", "mark", "mark"]);
    const pools = marks.map(({ pools }) => (pools as { state: unknown; state_hash: string }[])[0]!);
    expect(pools.every(({ state_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    expect(pools[0]!.state).not.toBeNull();
  });
});
