import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { decodePoolState } from "#core/hosting/state.ts";
import { computeTotal, listAssets } from "#core/hosting/value.ts";
import type { Book } from "#core/market/book.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { seedPools } from "#seed/pools.ts";
import { createHosting } from "#server/hosting/hosting.ts";
import type { HostingDeps, PoolPlan } from "#server/hosting/types.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createFeed, type SecondHooks } from "#server/market/feed.ts";
import { createMarket } from "#server/market/market.ts";
import { createMarketHistory } from "#server/market/marketHistory.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import type { MarketSource, SourceSecond, TakerFee } from "#server/market/source.ts";
import { listVenues } from "#server/platform/world.ts";
import { createPeople, newId, type Person } from "#server/testing/people.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { createTestContext, type TestContext } from "./testContext.ts";

/** Mid of BTC/USDT at a venue in cents; null: that venue sends nothing new. */
type VenueScript = (venue: number, secondMs: number) => bigint | null;

const step = 100_000_000n;

/**
 * Two venues whose BTC/USDT a test dictates, with ten levels of one BTC; USDC/USDT is 1 and
 * BTC/USDC follows.
 */
class ScriptedBooks implements MarketSource {
  readonly kind = "simulated" as const;
  readonly venues = ["east", "west"];
  script: VenueScript = () => 2_000_000n;
  /** Silences everything, so that there is no index. */
  silent: (secondMs: number) => boolean = () => false;

  async create() {
    return { seedAnchor: new Uint8Array(32), recording: null };
  }

  async prepare() {
    return { untilMs: Number.MAX_SAFE_INTEGER, history: null };
  }

  async take(fromMs: number, toMs: number): Promise<SourceSecond[]> {
    const seconds: SourceSecond[] = [];
    for (let secondMs = fromMs; secondMs <= toMs; secondMs += 1_000) {
      const quotes = this.venues.map((_, venue) =>
        symbolNames.map((symbol) => {
          const mid = symbol === "USDC/USDT" ? 100_000n : this.script(venue, secondMs);
          if (mid === null || this.silent(secondMs)) return null;
          return { bid: mid - 1n, ask: mid + 1n, atMs: secondMs, maxAgeMs: 5_000 };
        }),
      );
      seconds.push({ secondMs, quotes, volume: symbolNames.map(() => 1n) });
    }
    return seconds;
  }

  bookOf(second: SourceSecond, venue: number, symbol: number): Book | null {
    const quote = second.quotes[venue]?.[symbol];
    if (!quote) return null;
    const side = (from: bigint, by: bigint) =>
      Array.from({ length: 10 }, (_, i) => ({ price: from + by * BigInt(i), size: step }));
    return { bids: side(quote.bid, -1n), asks: side(quote.ask, 1n) };
  }

  /** The venue's fee, as on a live market. */
  fee: TakerFee | null = null;
  takerFee(): TakerFee | null {
    return this.fee;
  }

  async save() {}
}

/** A small cross-venue pool on the scripted market. */
export const crossPlan: PoolPlan = {
  id: "cross-btc",
  config: { strategy: "cross", venues: ["east", "west"], symbols: ["BTC/USDT"], home: "USDT" },
  minimum: 10_000_000n,
  maximum: 1_000_000_000_000n,
  seed: 100_000_000_000n,
};
export const holdPlan: PoolPlan = {
  ...crossPlan,
  id: "hold-btc",
  config: { strategy: "hold", venues: ["east"], symbols: ["BTC/USDT"], home: "USDT" },
};

type Market = "scripted" | "simulated" | Recording;

/**
 * Hosting on a real ledger, log and feed, on a market that a test writes, the simulated one, or a
 * recording.
 */
export async function createTestHosting(
  options: { market?: Market; speed?: number; startMs?: number; plans?: readonly PoolPlan[] } = {},
) {
  const market = options.market ?? "scripted";
  const recording = typeof market === "string" ? null : market;
  const ctx = await createTestContext({
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    recording,
    ...(options.startMs === undefined ? {} : { startMs: options.startMs }),
    ...(market === "scripted" ? { venues: ["east", "west"] } : {}),
  });
  return assemble(ctx, market, options.plans);
}

/**
 * A second process of the same world: separate memory on the same database and clocks, and no jobs.
 */
export function startAnotherProcess(t: TestHosting): Promise<TestHosting> {
  return assemble(t.ctx, "scripted", [crossPlan], t.source);
}

async function assemble(
  ctx: TestContext,
  market: Market,
  plans?: readonly PoolPlan[],
  scripted = new ScriptedBooks(),
) {
  const ledger = createLedger(ctx);
  const transparencyLog = createTransparencyLog(ctx);
  const source =
    market === "scripted"
      ? scripted
      : market === "simulated"
        ? createSimulatedSource(ctx, transparencyLog, () => new Uint8Array(32).fill(7))
        : createReplaySource(ctx, market);
  const onSecond: SecondHooks[] = [];
  const feed = createFeed(ctx, { source, transparencyLog, contributions: { onSecond } });
  await feed.prepare();
  const accepted = new Map<string, string>();
  let lagMs: number | null = null;
  const openedMarket = await createMarket(ctx);
  const services: HostingDeps = {
    ledger,
    transparencyLog: { ...transparencyLog, lagMs: async () => lagMs ?? transparencyLog.lagMs() },
    market: {
      ...openedMarket,
      ...createMarketHistory(ctx, source, openedMarket),
      venues: source.venues,
    },
    session: {
      requireNewPositions: async (userId) => {
        const error = accepted.get(userId);
        if (error) throw Object.assign(new Error(error), { error });
      },
    },
  };
  const hosting = createHosting(ctx, services);
  onSecond.push({ beforeAppend: hosting.beforeAppend, afterAppend: hosting.afterAppend });
  if (plans) for (const plan of plans) await hosting.pools.publish(plan);
  else await seedPools(hosting.pools, (symbol) => listVenues(ctx.world, symbol));
  const { db } = ctx.database;
  const people = await createPeople(ledger);
  const start = ctx.clock.nowMs();
  return {
    ctx,
    ledger,
    transparencyLog,
    feed,
    /** Callers may push more. */
    onSecond,
    source: scripted,
    services,
    hosting,
    /** Why a person may open no new position. */
    refuse: (person: Person, error: string) => accepted.set(person.userId, error),
    setLogLag: (ms: number | null) => {
      lagMs = ms;
    },
    at: (seconds: number) => start + seconds * 1_000,
    /** Advances both clocks and closes the seconds that become due, at most `atMost` per batch. */
    tickTo: async (atMs: number, atMost = 10) => {
      while (ctx.clock.uncappedMs() < atMs) {
        const fromMs = ctx.clock.uncappedMs();
        const nextMs = Math.min(atMs, fromMs + atMost * 1_000);
        ctx.realClock.advanceMs((nextMs - fromMs) / ctx.world.market.speed);
        ctx.clock.advanceTo(nextMs);
        await feed.tick();
      }
      await transparencyLog.integrate();
    },
    /** Opens an account with this many whole pUSDT. */
    ...people,
    subscribe: async (person: Person, amount: string, poolId = "cross-btc", id = newId()) => {
      const pool = await hosting.pools.find(poolId);
      const params = { poolId, amount, termsHash: pool?.termsHash ?? "" };
      return hosting.subscribe(person, params, id, randomBytes(32));
    },
    redeem: (person: Person, units: string, poolId = "cross-btc", id = newId()) =>
      hosting.redeem(person, { poolId, units }, id, randomBytes(32)),
    /**
     * A pool's holdings of each coin according to the ledger: the sum of house legs that name it.
     */
    ledgerOf: async (poolId: string) => {
      const { rows } = await sql<{ coin: string; amount: bigint }>`
        select a.coin, sum(e.amount)::bigint as amount from entry e join account a on a.id = e.account
        where a.kind = 'hosting' and e.about = ${poolId} group by a.coin`.execute(db);
      return new Map(
        rows.filter(({ amount }) => amount !== 0n).map((row) => [row.coin, row.amount]),
      );
    },
    /**
     * The pool's holdings according to the engine, less liabilities, plus amounts waiting for a
     * mark.
     */
    engineOf: async (poolId: string) => {
      const pool = (await hosting.pools.find(poolId))!;
      const { rows } = await sql<{ state: string; waiting: bigint }>`
        select state, (select coalesce(sum(amount), 0)::bigint from hosting_order
          where pool_id = ${poolId} and outcome is null and action = 'subscribe') as waiting
        from hosting_state where pool_id = ${poolId} and friction = 'realistic'`.execute(db);
      const state = decodePoolState(rows[0]!.state);
      return new Map(
        listAssets(pool.config)
          .map((asset) => {
            const heldAmount = computeTotal(pool.config, state, asset);
            const home = asset === "USDT" ? rows[0]!.waiting - state.owed : 0n;
            return [`p${asset}`, heldAmount + home] as const;
          })
          .filter(([, amount]) => amount !== 0n),
      );
    },
    destroy: async () => {
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type TestHosting = Awaited<ReturnType<typeof createTestHosting>>;
