import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as runSchema } from "#api/hosting/run.ts";
import { getHistoryTest } from "#api/hosting.ts";
import { createMarket } from "#server/market/market.ts";
import { appRole } from "#server/postgres/embedded.ts";
import { createTestHosting, type TestHosting } from "#server/testing/hosting.ts";

let t: TestHosting;

beforeAll(async () => {
  t = await createTestHosting({ market: "simulated", speed: 60 });
  await t.tickTo(t.at(3_900), 60);
}, 60_000);
afterAll(() => t.destroy());

/** Runs the pools' tests as the program does. */
const runHistoryTests = (signal = new AbortController().signal) =>
  t.hosting.jobs.find(({ name }) => name === "hosting.history_test")!.run(signal);

describe("the seeded pools on the simulated market", () => {
  it("a test that cannot be written while others run fails only its job", async () => {
    const { pool } = t.ctx.owner;
    await pool.query(`revoke insert on hosting_history_test from ${appRole}`);
    await expect(runHistoryTests()).rejects.toThrow("permission denied");
    await pool.query(`grant insert on hosting_history_test to ${appRole}`);
  }, 60_000);

  it("a stop ends the test of pools immediately, and the next run starts over", async () => {
    const abort = new AbortController();
    const running = runHistoryTests(abort.signal);
    // The test computes for seconds, so by then it has begun but not ended.
    setTimeout(() => abort.abort(), 300);
    await running;
    const { rows } = await t.ctx.owner.pool.query("select 1 from hosting_history_test");
    expect(rows).toEqual([]);
  }, 60_000);

  it("pools are tested once on the market before the world, with the steps to repeat it", async () => {
    expect(await t.hosting.historyTest("cross-btc")).toMatchObject({ state: "pending" });
    await runHistoryTests();
    const market = await createMarket(t.ctx);
    const firstMs = await market.firstSecondMs();
    for (const id of ["cross-btc", "triangle-btc", "hold-btc"]) {
      const { state, test, inputs } = await t.hosting.historyTest(id);
      expect({ id, state, inputs }).toEqual({
        id,
        state: "ready",
        inputs: { kind: "simulated", begin_leaf: 1, reveal_leaf: null },
      });
      expect(test).toMatchObject({ moments: 21_600, to_ms: firstMs! - 1_000 });
      expect(test!.outcomes[0]!.fees).toBe("0.000000");
      expect(Number(test!.outcomes[2]!.worth)).toBeLessThan(Number(test!.outcomes[1]!.worth));
      getHistoryTest.answer.parse({ state, test, inputs });
    }
    const before = await t.hosting.historyTest("cross-btc");
    await runHistoryTests();
    expect(await t.hosting.historyTest("cross-btc")).toEqual(before);
    await expect(t.hosting.historyTest("none")).rejects.toThrow("hosting.unknown");
  }, 60_000);

  it("seeded pools run from the first minute and pay for their stock", async () => {
    const pools = await t.hosting.products(null);
    expect(pools.map(({ product_id: id }) => id)).toEqual([
      "cross-btc",
      "triangle-btc",
      "hold-btc",
    ]);
    for (const pool of pools) {
      expect(Number(pool.fees_paid), pool.product_id).toBeGreaterThan(0);
      expect(pool.mark?.at_ms).toBe(t.at(3_900));
      expect(Number(pool.friction.frictionless.fees)).toBe(0);
      expect(Number(pool.friction.harsh.fees)).toBeGreaterThan(Number(pool.fees_paid));
      expect(await t.ledgerOf(pool.product_id)).toEqual(await t.engineOf(pool.product_id));
    }
  });

  it("seeded pools publish what their strategy observes at each closing", async () => {
    const notes: { poolId: string; text: string }[] = [];
    const forget = t.ctx.bus.subscribe("hosting.run", (note) => notes.push(note));
    await t.tickTo(t.at(3_960), 60);
    forget();
    expect(notes.map(({ poolId }) => poolId)).toEqual(["cross-btc", "triangle-btc", "hold-btc"]);
    for (const { poolId, text } of notes) {
      // PostgreSQL's limit for notifying other processes.
      expect(text.length).toBeLessThan(7_500);
      expect(await t.hosting.run(poolId)).toEqual(runSchema.parse(JSON.parse(text)));
    }
    const triangle = await t.hosting.run("triangle-btc");
    expect(new Set(triangle.path.map(({ symbol }) => symbol)).size).toBe(3);
    expect(new Set(triangle.path.map(({ side }) => side)).size).toBe(2);
  });

  it("seeded pools keep up with world time when many seconds close together", async () => {
    await t.tickTo(t.at(4_560), 600);
    const [pool] = await t.hosting.products(null);
    expect(pool!.mark?.at_ms).toBe(t.at(4_560));
  });
});
