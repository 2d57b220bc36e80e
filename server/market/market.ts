import { getIntervalStart, type Interval } from "#core/market/intervals.ts";
import { aggregateKlines, buildKlines, type Kline } from "#core/market/kline.ts";
import { type MarketSymbol, mapBySymbol } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import { readNewestDayLeaf } from "#server/market/dayLeaves.ts";
import { countSeconds, type SecondCounts } from "#server/market/gaps.ts";
import { readKlinePage } from "#server/market/klinePage.ts";
import type { VenueStatus } from "#server/market/live/messages.ts";
import { computeStats, type Stats24h } from "#server/market/stats.ts";
import {
  type MarketState,
  readAllKlines,
  readIndex,
  readLastSecond,
  readSeconds,
  readState,
  toTicks,
} from "#server/market/store.ts";
import type { AppContext, World } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** The last closed second. */
export interface LatestSecond {
  secondMs: number;
  leaf: number;
  index: Readonly<Record<MarketSymbol, bigint | null>>;
}

interface MarketKline extends Kline {
  /** Opened before the world's first second, so no one could trade at its prices. */
  beforeStart: boolean;
}

/** The market's interface for the rest of the server. Prices are integers at the symbol's scale. */
export interface Market {
  /**
   * The last closed second; null before the first. It may be stale: callers that need a current
   * price check its time.
   */
  latest(): LatestSecond | null;
  /** World time of the first second; null while the market is not prepared. */
  firstSecondMs(): Promise<number | null>;
  /**
   * Real milliseconds by which the feed trails the clock, negative if the log is ahead of it; null
   * before the first second.
   */
  lagMs(): number | null;
  /**
   * Closed and missing seconds of the last day and month of world time, up to the last closed one;
   * null before the first.
   */
  seconds(): Promise<{
    toMs: number;
    /** The newest `day` leaf; null before the first. */
    dayLeaf: number | null;
    day: SecondCounts;
    month: SecondCounts;
  } | null>;
  /**
   * Quotes of a live market that are excluded now; null in other markets, and until its process has
   * reported.
   */
  leftOut(): readonly VenueStatus[] | null;
  /**
   * Index values in `[fromMs, toMs]`, both inclusive, oldest first; seconds in a gap are omitted.
   */
  indexValues(
    db: Db | Tx,
    symbol: MarketSymbol,
    fromMs: number,
    toMs: number,
  ): Promise<{ secondMs: number; value: bigint }[]>;
  /**
   * The latest `limit` klines that open before `beforeMs` (null: up to now), oldest first; the last
   * one may still be open.
   */
  klines(
    symbol: MarketSymbol,
    interval: Interval,
    beforeMs: number | null,
    limit: number,
    tx?: Tx,
  ): Promise<{ items: MarketKline[]; hasMore: boolean }>;
  /** The open 1m kline of every symbol that has one. */
  openKlines(): Promise<Map<MarketSymbol, Kline>>;
  /** Change, high, low and closes of the last 24 hours. */
  stats24h(symbol: MarketSymbol): Promise<Stats24h>;
}

export async function createMarket(ctx: AppContext): Promise<Market> {
  const { world } = ctx;
  const { db } = ctx.database;
  // The two seconds that end a recording hold no prices; the last real second stays the latest.
  const lastMs = ctx.clock.endMs ?? Number.MAX_SAFE_INTEGER;
  const readLatest = async (): Promise<LatestSecond | null> => {
    const last = await readLastSecond(db, lastMs);
    return (
      last && {
        secondMs: last.secondMs,
        leaf: last.leaf,
        index: mapBySymbol(world.symbols, last.index),
      }
    );
  };
  let latest = await readLatest();
  // The world may have stopped without an event, and no later second would report it.
  ctx.bus.subscribe("bus.reconnected", () => {
    readLatest().then(
      (latestSecond) => {
        if (latestSecond && (!latest || latestSecond.secondMs > latest.secondMs))
          latest = latestSecond;
      },
      (error: unknown) =>
        ctx.logger.error({ err: error }, "the latest second could not be read again"),
    );
  });
  ctx.bus.subscribe("second.closed", (second) => {
    // Events from another process may arrive late; the latest second never goes back.
    if (second.secondMs > lastMs) return;
    if (!latest || second.secondMs > latest.secondMs) latest = second as LatestSecond;
  });
  let venueStatus: readonly VenueStatus[] | null = null;
  ctx.bus.subscribe("market.venues", ({ status }) => {
    venueStatus = status;
  });
  let firstSecondMs: number | null = null;
  const readFirst = async () => {
    firstSecondMs ??= (await readState(db))?.firstSecondMs ?? null;
    return firstSecondMs;
  };
  const count = async (firstMs: number, toMs: number) => ({
    ...(await countSeconds(db, firstMs, toMs)),
    dayLeaf: (await readNewestDayLeaf(db))?.leaf ?? null,
  });
  let cachedCounts: { toMs: number; counts: ReturnType<typeof count> } | null = null;
  const dayOfKlines = createDayCache(db, world);
  return {
    latest: () => latest,
    firstSecondMs: readFirst,
    lagMs: () => latest && Math.floor((ctx.clock.nowMs() - latest.secondMs) / ctx.clock.speed),
    seconds: async () => {
      const firstMs = await readFirst();
      if (!latest || firstMs === null) return null;
      const toMs = latest.secondMs;
      if (cachedCounts?.toMs !== toMs) {
        cachedCounts = { toMs, counts: count(firstMs, toMs) };
        // A failed read must not be cached for the rest of the second.
        cachedCounts.counts.catch(() => {
          cachedCounts = null;
        });
      }
      return { toMs, ...(await cachedCounts.counts) };
    },
    leftOut: () => venueStatus,
    indexValues: (on, symbol, fromMs, toMs) => readIndex(on, world, symbol, fromMs, toMs),
    klines: async (symbol, interval, beforeMs, limit, tx) => {
      const beforeOrNowMs = beforeMs ?? Number.MAX_SAFE_INTEGER;
      const page = await readKlinePage(tx ?? db, world, symbol, interval, beforeOrNowMs, limit + 1);
      if (!page) return { items: [], hasMore: false };
      const joinedKlines = aggregateKlines(interval, [
        ...page.kept,
        ...buildKlines("1m", page.ticks),
      ]);
      const klines = joinedKlines.filter((kline) => kline.openMs < beforeOrNowMs);
      const items = klines
        .slice(-limit)
        .map((kline) => ({ ...kline, beforeStart: kline.openMs < page.firstSecondMs }));
      return { items, hasMore: klines.length > limit };
    },
    openKlines: async () => {
      const state = await readState(db);
      if (!state) return new Map();
      return readOpenKlines(db, world, state);
    },
    stats24h: async (symbol) => {
      const nowMs = latest?.secondMs ?? ctx.clock.nowMs();
      const klines = (await dayOfKlines(nowMs)).get(symbol) ?? [];
      return computeStats(klines, latest?.index[symbol] ?? null, nowMs);
    },
  };
}

async function readOpenKlines(
  db: Db,
  world: World,
  state: MarketState,
): Promise<Map<MarketSymbol, Kline>> {
  const seconds = await readSeconds(db, state.klinesUntilMs);
  // Only the world's first minute has a stored part: the history that ends within it.
  const openMs = getIntervalStart("1m", state.firstSecondMs);
  const openKlines =
    openMs === state.klinesUntilMs ? await readAllKlines(db, world, "1m", openMs) : new Map();
  const klines = new Map<MarketSymbol, Kline>();
  for (const [s, symbol] of world.symbols.entries()) {
    const minutes = [...(openKlines.get(symbol) ?? []), ...buildKlines("1m", toTicks(seconds, s))];
    const last = aggregateKlines("1m", minutes).at(-1);
    if (last) klines.set(symbol, last);
  }
  return klines;
}

/** Caches five-minute klines of the last day for a minute: stored klines change no more often. */
function createDayCache(
  db: Db,
  world: World,
): (nowMs: number) => Promise<Map<MarketSymbol, Kline[]>> {
  let minuteMs = -1;
  let klines: Promise<Map<MarketSymbol, Kline[]>> = Promise.resolve(new Map());
  return (nowMs) => {
    const nowMinuteMs = getIntervalStart("1m", nowMs);
    if (nowMinuteMs !== minuteMs) {
      minuteMs = nowMinuteMs;
      klines = readAllKlines(db, world, "5m", getIntervalStart("5m", nowMs) - dayMs);
      // A failed read must not be cached for the rest of the minute.
      klines.catch(() => {
        minuteMs = -1;
      });
    }
    return klines;
  };
}
