import { createHash } from "node:crypto";
import type { Direction } from "#core/contracts/settle.ts";
import { defaultTiers } from "#core/contracts/terms.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { decodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { createContracts } from "#server/contracts/contracts.ts";
import type { OrderParams } from "#server/contracts/orders/placeOrder.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import type { MarketSource, SourceSecond } from "#server/market/source.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createPeople, newId, type Person } from "#server/testing/people.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { createTestContext, testStartMs } from "./testContext.ts";

/** Index of a second in cents of BTC/USDT; null makes it a gap. Other symbols are at 100 000. */
export type PriceScript = (secondMs: number) => bigint | null;

/** A market whose BTC/USDT index a test dictates: two venues one tick around it. */
class ScriptedSource implements MarketSource {
  readonly kind = "simulated" as const;
  readonly venues = ["east", "west"];
  script: PriceScript = () => 2_312_345n;

  async create() {
    return { seedAnchor: new Uint8Array(32), recording: null };
  }

  async prepare() {
    return { untilMs: Number.MAX_SAFE_INTEGER, history: null };
  }

  async take(fromMs: number, toMs: number): Promise<SourceSecond[]> {
    const seconds: SourceSecond[] = [];
    for (let secondMs = fromMs; secondMs <= toMs; secondMs += 1_000) {
      const row = symbolNames.map((symbol) => {
        const price = symbol === "BTC/USDT" ? this.script(secondMs) : 100_000n;
        return price === null
          ? null
          : { bid: price - 1n, ask: price + 1n, atMs: secondMs, maxAgeMs: 5_000 };
      });
      seconds.push({ secondMs, quotes: [row, row], volume: symbolNames.map(() => 1n) });
    }
    return seconds;
  }

  bookOf = () => null;

  async save() {}
}

/**
 * Contracts on a real ledger, log and feed, with a market whose prices the test writes, or a
 * recording.
 */
export async function createTestContracts(
  options: { speed?: number; startMs?: number; recording?: Recording } = {},
) {
  const ctx = await createTestContext({ ...options, venues: ["east", "west"] });
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  const source = new ScriptedSource();
  const { recording } = options;
  const onSecond: SecondHooks[] = [];
  const feed = createFeed(ctx, {
    source: recording ? createReplaySource(ctx, recording) : source,
    transparencyLog,
    contributions: { onSecond },
  });
  await feed.prepare();
  const market = await createMarket(ctx);
  const accepted = new Map<string, boolean>();
  let lagMs: number | null = null;
  const services: ContractsDeps = {
    ledger,
    market,
    transparencyLog: { ...transparencyLog, lagMs: async () => lagMs ?? transparencyLog.lagMs() },
    session: {
      requireNewPositions: async (userId) => {
        if (accepted.get(userId) === false) throw new ApiError("terms.required");
      },
    },
  };
  const contracts = createContracts(ctx, services);
  ctx.jobs.add(contracts.jobs);
  onSecond.push({ beforeAppend: contracts.beforeAppend });
  for (const symbol of ctx.world.symbols) await contracts.publish(symbol, defaultTiers);
  const people = await createPeople(ledger);

  const tickTo = async (atMs: number) => {
    while (ctx.clock.uncappedMs() < atMs) {
      const fromMs = ctx.clock.uncappedMs();
      const nextMs = Math.min(atMs, fromMs + 5_000);
      ctx.realClock.advanceMs((nextMs - fromMs) / ctx.world.market.speed);
      ctx.clock.advanceTo(nextMs);
      await feed.tick();
    }
    await transparencyLog.integrate();
  };
  return {
    ctx,
    ledger,
    transparencyLog,
    feed,
    /** Callers may push more. */
    onSecond,
    market,
    services,
    contracts,
    accepted,
    /** World time a whole number of seconds after the start. */
    at: (seconds: number) => testStartMs + seconds * 1_000,
    script: (price: PriceScript) => {
      source.script = price;
    },
    setLogLag: (ms: number | null) => {
      lagMs = ms;
    },
    /** Advances both clocks and closes the seconds that become due, at most five per batch. */
    tickTo,
    /** Opens an account with this many whole pUSDT. */
    ...people,
    /** Params on the current terms of BTC/USDT. */
    params: async (change: Partial<OrderParams> = {}): Promise<OrderParams> => ({
      contractId: "btc-usdt",
      direction: "up" as Direction,
      stake: "100",
      tierSeconds: 60,
      termsHash: await computeHash(contracts, change.contractId ?? "btc-usdt"),
      ...change,
    }),
    world: async () => {
      const [leaf] = await transparencyLog.leaves(0, 1);
      const world = decodeWorld(leaf!.bytes);
      if (!world.ok) throw new Error(world.error);
      return world.value;
    },
    destroy: async () => {
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type TestContracts = Awaited<ReturnType<typeof createTestContracts>>;

async function computeHash(contracts: ReturnType<typeof createContracts>, contractId: string) {
  const contract = await contracts.catalogue.find(contractId);
  return contract?.terms.termsHash ?? "0".repeat(64);
}

/** Places an order with a fresh idempotency key. */
export async function place(
  t: TestContracts,
  person: Person,
  change: Partial<OrderParams> = {},
  id = newId(),
) {
  const params = await t.params(change);
  const placement = await t.contracts.place(person, params, id, hashOrderParams(params));
  if (placement === "duplicate") throw new Error("placed before");
  return placement;
}

export function hashOrderParams(params: OrderParams): Uint8Array {
  return createHash("sha256").update(JSON.stringify(params)).digest();
}

/** The name of the error a promise rejects with; null if it resolves. */
export async function catchErrorName(attempt: Promise<unknown>): Promise<string | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    return (error as { error?: string }).error ?? String(error);
  }
}
