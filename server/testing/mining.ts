import { createHash } from "node:crypto";
import type { MachineOffer } from "#core/mining/terms.ts";
import { bindLeases } from "#server/mining/binding.ts";
import { createMining } from "#server/mining/mining.ts";
import { createSimulatedNetwork, type NetworkSource } from "#server/mining/source.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import { createTestContracts } from "#server/testing/contracts.ts";
import { newId, type Person } from "#server/testing/people.ts";

export const testHour = 3_600_000;
export const testDay = 24 * testHour;

/** A machine from the rules' example, at a price that is not a gift with BTC at 64 000.00. */
export const testOffer: MachineOffer = {
  productId: "test-100",
  maker: "Maker",
  model: "Hundred",
  source: "made for tests",
  hashrateGhs: 100_000n,
  powerW: 3_250,
  pricePerDay: 400_000n,
  pricePerKwh: 60_000n,
  stock: 2_000_000,
  quantityMax: 20,
  daysMin: 1,
  daysMax: 400,
};

/** The secret from which the test's network is simulated. */
export const testNetworkSecret = createHash("sha256").update("a network for tests").digest();

/**
 * Mining on a real ledger and log, with a network of fixed chance and a BTC price the test writes.
 * Seconds close only where a test asks for it.
 */
export async function createTestMining(
  options: { startMs?: number; source?: NetworkSource; offers?: readonly MachineOffer[] } = {},
) {
  const base = await createTestContracts(
    options.startMs === undefined ? {} : { startMs: options.startMs },
  );
  const { ctx, ledger, transparencyLog } = base;
  let price: bigint | null = 6_400_000n;
  const allowed = new Set<string>();
  const services: MiningDeps = {
    ledger,
    // Only leaves that a test integrates are under a checkpoint.
    transparencyLog: { ...transparencyLog, lagMs: async () => 0 },
    market: {
      latest: () => ({
        secondMs: ctx.clock.nowMs(),
        leaf: 0,
        index: { "BTC/USDT": price } as never,
      }),
      klines: async () => ({ items: [], hasMore: false }),
    },
    session: {
      requireNewPositions: async (userId) => {
        if (allowed.has(userId)) throw new Error("not allowed");
      },
    },
  };
  const source = options.source ?? createSimulatedNetwork(undefined, () => testNetworkSecret);
  const mining = createMining(ctx, services, source);
  ctx.jobs.add(mining.jobs);
  base.onSecond.push({ beforeAppend: bindLeases });
  await mining.prepare();
  for (const offer of options.offers ?? [testOffer]) {
    const result = await mining.publish(offer);
    if (!result.ok) throw new Error(`the test's offer was rejected: ${result.refusal.error}`);
  }
  const lease = async (
    person: Person,
    change: { quantity?: number; days?: number; productId?: string } = {},
    id = newId(),
  ) => {
    const { productId = testOffer.productId, quantity = 1, days = 3 } = change;
    const terms = await mining.catalogue.find(productId);
    const params = {
      productId,
      quantity,
      days,
      termsHash: terms?.termsHash ?? "0".repeat(64),
    };
    const result = await mining.lease(person, params, id, hashParams(params));
    if (result === "duplicate") throw new Error("leased before");
    return result;
  };
  return {
    ...base,
    mining,
    services,
    setPrice: (value: bigint | null) => {
      price = value;
    },
    lease,
    /** Advances world time and makes due payouts. */
    goTo: async (atMs: number) => {
      // Expires caches that last a second of real time.
      ctx.realClock.advanceMs(5_000);
      ctx.clock.advanceTo(atMs);
      return mining.advance();
    },
    /** Closes the next second, which binds the orders accepted before it. */
    closeSecond: () => base.tickTo(Math.floor(ctx.clock.uncappedMs() / 1_000) * 1_000 + 1_000),
    mined: async ({ attemptId }: Person) =>
      (await ledger.balances(attemptId)).find(({ coin }) => coin === "pBTC")!.available,
  };
}
export type TestMining = Awaited<ReturnType<typeof createTestMining>>;

export function hashParams(params: object): Uint8Array {
  return createHash("sha256").update(JSON.stringify(params)).digest();
}
