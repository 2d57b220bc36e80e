import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replayMoments } from "#core/backtest/replayMoments.ts";
import { stepEngine } from "#core/hosting/engine.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { createState, encodePoolState } from "#core/hosting/state.ts";
import { iterateBars, type Recording } from "#server/market/replay/recording.ts";
import { createBarFile, createRecording, toMs } from "#server/market/replay/testing.ts";
import { catchErrorName } from "#server/testing/contracts.ts";
import { createTestHosting, type TestHosting } from "#server/testing/hosting.ts";
import type { Person } from "#server/testing/people.ts";

// Forty minutes of BTC/USDT at two venues, USDC/USDT at one. From minute 20 on, west is 1 % dearer
// in every second minute.
let t: TestHosting;
let recording: Recording;
let person: Person;
const neverAborted = new AbortController().signal;

beforeAll(async () => {
  recording = await createRecording({
    "east.BTC-USDT.1m.csv": createBarFile(40, () => "20000.00"),
    "west.BTC-USDT.1m.csv": createBarFile(40, (m) =>
      m >= 20 && m % 2 === 0 ? "20200.00" : "20000.00",
    ),
    "east.USDC-USDT.1m.csv": createBarFile(40, () => "1.00000"),
  });
  t = await createTestHosting({ market: recording });
  person = await t.openPerson();
});
afterAll(() => t.destroy());

describe("a world that replays a recording", () => {
  it("only pools with all their symbols are offered, and the others report what is missing", () => {
    expect(t.hosting.pools.notListed()).toMatchObject([
      { plan: { id: "triangle-btc" }, missing: ["BTC/USDC"] },
    ]);
  });

  it("a world that starts with its recording has no earlier data to test a pool on", async () => {
    await t.hosting.jobs.find(({ name }) => name === "hosting.history_test")!.run(neverAborted);
    expect(await t.hosting.historyTest("cross-btc")).toEqual({
      state: "too_short",
      test: null,
      inputs: null,
    });
  });

  it("a pool decides at a minute's close and fills on the next minute with a book", async () => {
    await t.tickTo(toMs(5));
    await t.subscribe(person, "1000");
    await t.tickTo(toMs(38));
    const trades = await t.hosting.trades("cross-btc", { upTo: null, limit: 100, offset: 0 });
    for (const { at_venue: atVenue } of trades) expect(atVenue).toBeNull();
    const arbitrage = trades.filter(({ purpose }) => purpose === "arbitrage");
    expect(arbitrage.length).toBeGreaterThan(0);
    for (const { decided_at_ms: decidedMs, filled_at_ms: filled } of arbitrage.slice(1))
      expect([decidedMs % 60_000, filled! - decidedMs]).toEqual([0, 60_000]);
    const [pool] = await t.hosting.products(null, "cross-btc");
    expect(pool).toMatchObject({ latency_ms: null, trades: arbitrage.length });
    expect(await t.ledgerOf("cross-btc")).toEqual(await t.engineOf("cross-btc"));
  });

  it("the end of the recording refunds pending subscriptions and pays pending redemptions", async () => {
    await t.tickTo(toMs(39, 30));
    const latecomer = await t.openPerson();
    await t.tickTo(toMs(39, 59));
    t.ctx.clock.advanceTo(toMs(39, 59) + 500);
    const waitingOrder = await t.subscribe(latecomer, "700");
    const orderRow = await t.redeem(person, "10");
    await t.tickTo(toMs(60));
    expect(await t.balance(latecomer)).toBe(10_000_000_000n);
    expect(await t.hosting.order(latecomer.userId, waitingOrder.id)).toMatchObject({
      status: "over",
      outcome: "returned",
      payout: "700",
      mark_leaf: null,
    });
    expect((await t.hosting.order(person.userId, orderRow.id)).outcome).toBe("executed");
    expect(await catchErrorName(t.subscribe(latecomer, "20"))).toBe("hosting.recording_ended");
  });

  it("redemptions after the end execute immediately at the last mark", async () => {
    const before = await t.balance(person);
    const [holding] = (await t.hosting.info(person.attemptId)).holdings;
    const order = await t.redeem(person, "all");
    expect(order.outcome).toBe("executed");
    expect(Number((await t.balance(person)) - before) / 1e6).toBeCloseTo(
      Number(holding!.value) * 0.999,
      4,
    );
    const [pool] = await t.hosting.products(null, "cross-btc");
    expect(pool).toMatchObject({ state: "ended", holders: 0, hosted: "0" });
    expect(await t.ledgerOf("cross-btc")).toEqual(await t.engineOf("cross-btc"));
  });

  it("a pool ends in the same state as a backtest over the same files", async () => {
    const series = [...iterateBars(recording)];
    const { rows } = await sql<{ pool_id: string; friction: Friction; state: string }>`
      select pool_id, friction, state from hosting_state order by 1, 2`.execute(t.ctx.database.db);
    // Shadows have no holders, and this pool has no subscribers, so a backtest repeats their
    // trades.
    const alone = rows.filter(
      ({ pool_id: id, friction }) => friction !== "realistic" || id === "hold-btc",
    );
    expect(alone).toHaveLength(5);
    for (const { pool_id: id, friction, state } of alone) {
      const { config, seed } = (await t.hosting.pools.find(id))!;
      let testedState = createState(seed);
      for (const moment of replayMoments(series))
        testedState = stepEngine(config, friction, testedState, moment).state;
      expect(encodePoolState(testedState), `${id} ${friction}`).toBe(state);
      expect(testedState.counters.fills).toBeGreaterThan(0);
    }
  });
});

describe("a world that starts within its recording", () => {
  it("pools are tested only on the minutes before the world", async () => {
    const before = await testedOn((m) => (m >= 120 ? "19000.00" : "20000.00"));
    const { state, test, inputs } = before;
    expect({ state, inputs }).toEqual({
      state: "ready",
      inputs: { kind: "recording", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    // The world's first second is the one after minute 120, whose close is part of the world.
    expect(test).toMatchObject({ from_ms: toMs(1), to_ms: toMs(120), moments: 120 });
    // Later seconds do not change it.
    const otherTest = await testedOn((m) => (m >= 120 ? "40000.00" : "20000.00"));
    expect(otherTest.test).toEqual(test);
  });
});

/** The test of a pool in a world that starts two hours into a recording of three. */
async function testedOn(priceAt: (minute: number) => string) {
  const prices = await createRecording({
    "east.BTC-USDT.1m.csv": createBarFile(180, priceAt),
    "west.BTC-USDT.1m.csv": createBarFile(180, priceAt),
  });
  const world = await createTestHosting({ market: prices, startMs: toMs(120) });
  try {
    await world.hosting.jobs.find(({ name }) => name === "hosting.history_test")!.run(neverAborted);
    return await world.hosting.historyTest("cross-btc");
  } finally {
    await world.destroy();
  }
}
