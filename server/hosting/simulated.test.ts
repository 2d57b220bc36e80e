import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as runSchema } from "#api/hosting.ts";
import { createTestHosting, type TestHosting } from "#server/testing/hosting.ts";

let t: TestHosting;

beforeAll(async () => {
  t = await createTestHosting({ market: "simulated", speed: 60 });
  await t.tickTo(t.at(3_900), 60);
}, 60_000);
afterAll(() => t.destroy());

describe("the seeded pools on the simulated market", () => {
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
