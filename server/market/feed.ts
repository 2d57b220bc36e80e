import { sql } from "kysely";
import type { Book } from "#core/market/book.ts";
import { intervalNames, openOf } from "#core/market/intervals.ts";
import { aggregate, foldTicks } from "#core/market/kline.ts";
import { bySymbol, type MarketSymbol } from "#core/market/symbols.ts";
import { endingSeconds } from "#server/market/ending.ts";
import { type ComputedSecond, createLeaves, type Leaves } from "#server/market/leaves.ts";
import type { KlineHistory, LeafLog, MarketSource, SourceSecond } from "#server/market/source.ts";
import {
  insertSeconds,
  insertState,
  joinCandles,
  moveCandledTo,
  readLastSecond,
  readSeconds,
  readState,
  type StoredSecond,
  ticksOf,
} from "#server/market/store.ts";
import { isPaused } from "#server/platform/clock.ts";
import type { Parts } from "#server/platform/context.ts";
import { closeGate } from "#server/platform/db/acceptLock.ts";
import { allowThinking, lockKey, type Tx } from "#server/platform/db/database.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A world second was closed: its leaf is stored and its index values stand. */
    "second.closed": {
      secondMs: number;
      leaf: number;
      /** Integer index at the symbol's scale, null in a gap. */
      index: Readonly<Record<string, bigint | null>>;
    };
  }
}

/** Real time after which a second may no longer be closed; it stays a gap for good. */
const latestMs = 10_000;
/** Real time between two ticks at least, however fast the world runs: at most ten price messages a second. */
const restMs = 100;

/** Klines of the history written with one statement; a recording may bring millions. */
const candlesAtOnce = 50_000;

/** A second about to be closed. */
export interface ClosingSecond {
  secondMs: number;
  /** The place its leaf will have in the log. */
  leaf: number;
  index: Readonly<Record<MarketSymbol, bigint | null>>;
}

/**
 * Called in the closing transaction, with nobody in the gate, for seconds in ascending order. Returns the hashes of
 * the orders that each second's leaf binds, in the order they were accepted; a second without any may be left out.
 */
export type Closer = (
  tx: Tx,
  seconds: readonly ClosingSecond[],
) => Promise<ReadonlyMap<number, readonly Uint8Array[]>>;

/** A second that was just closed, with what the venues said in it. */
export interface FollowedSecond extends ClosingSecond {
  /** `quotes[venue][symbol]`, as the source gave them; null: the venue said nothing yet, or never does of this symbol. */
  quotes: SourceSecond["quotes"];
  /** The book behind a quote, by the venue's place among the source's venues; null without a quote. */
  bookOf(venue: number, symbol: MarketSymbol): Book | null;
}

/**
 * Called in the closing transaction after the seconds' leaves were appended, with nobody in the gate; it may append leaves of its
 * own. What it returns is called once the transaction is committed, before the seconds are announced; never when it is not.
 */
export type Follower = (tx: Tx, seconds: readonly FollowedSecond[]) => Promise<() => void>;

/** What a domain does in the transaction that closes seconds. */
export interface SecondHooks {
  beforeAppend?: Closer;
  afterAppend?: Follower;
}

export interface FeedDeps {
  source: MarketSource;
  transparencyLog: LeafLog;
  contributions: { readonly onSecond: readonly SecondHooks[] };
}

export interface Feed {
  /**
   * Makes the world's market when there is none yet: the `world` leaf, the first seeds, klines from before the first
   * second. Call it before anything else is appended to the log. Idempotent.
   */
  prepare(): Promise<void>;
  /** Closes all seconds that are due and not too late; returns how many. For the loop, and for tests that drive the clock. */
  tick(): Promise<number>;
}

/** Where the feed stands: the last second it passed, and the seconds not yet folded into kept klines. */
interface Place {
  lastMs: number;
  candledToMs: number;
  pending: StoredSecond[];
}

/**
 * The feed: closes the world's seconds one after the other. It registers the loop `market.feed`, which one process of
 * the world runs at a time; `prepare` and `tick` are for start-up and tests.
 */
export function createFeed(parts: Parts, deps: FeedDeps): Feed {
  const feed = new RunningFeed(parts, deps);
  parts.jobs.runLoop("market.feed", (signal) => feed.run(signal));
  return feed;
}

class RunningFeed implements Feed {
  readonly #parts: Parts;
  readonly #source: MarketSource;
  readonly #log: LeafLog;
  readonly #contributions: FeedDeps["contributions"];
  readonly #leaves: Leaves;
  /** What the database said last; null: to be read again, at start and after a transaction that failed. */
  #place: Place | null = null;
  #untilMs = 0;

  constructor(parts: Parts, { source, transparencyLog, contributions }: FeedDeps) {
    this.#parts = parts;
    this.#source = source;
    this.#log = transparencyLog;
    this.#contributions = contributions;
    this.#leaves = createLeaves(parts, source);
  }

  /** Where the last tick came to. */
  #reached(): Place {
    if (!this.#place) throw new Error("no second was looked for yet");
    return this.#place;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#place = null;
    this.#untilMs = 0;
    const { clock } = this.#parts;
    while (!signal.aborted) {
      await this.tick();
      const { lastMs } = this.#reached();
      const restedMs = clock.kind === "real" ? clock.nowMs() + restMs * clock.speed : 0;
      const dueMs = Math.max(lastMs + 1_000, restedMs);
      // At a recording's end time stands still, so nothing later would ever wake this loop.
      const toEnd = clock.endMs !== null && lastMs <= clock.endMs;
      const nextMs = toEnd ? Math.min(dueMs, clock.endMs) : dueMs;
      // Only an abort ends the wait early, and the loop's condition sees that.
      await clock.until(nextMs, signal).catch(() => {});
    }
  }

  async prepare(): Promise<void> {
    const { database, clock, world } = this.#parts;
    await database.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "market.prepare")}::bigint)`.execute(
        tx,
      );
      if (await readState(tx)) return;
      await allowThinking(tx);
      await this.#openLog(tx);
      const firstMs = (Math.floor(clock.nowMs() / 1_000) + 1) * 1_000;
      const { history } = await this.#source.prepare(tx, firstMs);
      await insertState(tx, { firstSecondMs: firstMs, candledToMs: openOf("1m", firstMs) });
      if (history) await writeHistory(tx, world.symbols, history);
    });
  }

  async tick(): Promise<number> {
    try {
      return await this.#tick();
    } catch (error) {
      this.#place = null;
      this.#untilMs = 0;
      throw error;
    }
  }

  async #tick(): Promise<number> {
    const { clock, database } = this.#parts;
    this.#place ??= await this.#readPlace();
    let closed = 0;
    for (;;) {
      const toMs = Math.floor(clock.nowMs() / 1_000) * 1_000;
      const fromMs = Math.max(this.#place.lastMs + 1_000, this.#earliestMs());
      if (fromMs > toMs) return closed + (await this.#end());
      if (fromMs >= this.#untilMs) {
        const { untilMs } = await database.db.transaction().execute(async (tx) => {
          await allowThinking(tx);
          return this.#source.prepare(tx, fromMs);
        });
        this.#untilMs = untilMs;
      }
      const taken = await this.#source.take(fromMs, Math.min(toMs, this.#untilMs - 1_000));
      closed += await this.#close(taken.map((second) => this.#leaves.compute(second)));
    }
  }

  /** The earliest second that may still be closed. */
  #earliestMs(): number {
    const { clock, world } = this.#parts;
    return Math.ceil((clock.unpausedMs() - latestMs * world.market.speed) / 1_000) * 1_000;
  }

  /** Ends the log of a recording that is over, once; how many seconds that took. */
  async #end(): Promise<number> {
    const { clock } = this.#parts;
    const { lastMs } = this.#place as Place;
    if (clock.endMs === null || !isPaused(clock) || lastMs > clock.endMs) return 0;
    // Time may have come to the end only just now, with its last second still to be closed.
    if (Math.max(lastMs + 1_000, this.#earliestMs()) <= clock.endMs) return 0;
    return this.#close(endingSeconds(clock.endMs).map((ms) => this.#leaves.silent(ms)));
  }

  async #close(taken: readonly ComputedSecond[]): Promise<number> {
    const { database, bus, world } = this.#parts;
    const place = this.#place as Place;
    const done = await database.db.transaction().execute(async (tx) => {
      await closeGate(tx, database.schema);
      // Computing and waiting took time; what has become too late meanwhile is a gap.
      const earliestMs = this.#earliestMs();
      const seconds = taken.filter(({ secondMs }) => secondMs >= earliestMs);
      if (seconds.length === 0) return null;
      const first = await this.#log.next(tx);
      const stored = seconds.map(({ secondMs, index, volume }, i) => ({
        secondMs,
        leaf: first + i,
        index,
        volume: [...volume],
      }));
      const closing = stored.map(({ secondMs, leaf, index }) => ({
        secondMs,
        leaf,
        index: bySymbol(world.symbols, index),
      }));
      const bound = await this.#bind(tx, closing);
      await insertSeconds(tx, stored);
      const pending = [...place.pending, ...stored];
      const candledToMs = await foldMinutes(tx, world.symbols, place.candledToMs, pending);
      await this.#source.keep(tx);
      await this.#append(tx, first, seconds, bound);
      const after: (() => void)[] = [];
      const followed = closing.map((one, i) => this.#followed(one, seconds[i]!));
      for (const { afterAppend } of this.#contributions.onSecond)
        if (afterAppend) after.push(await afterAppend(tx, followed));
      return {
        closing,
        after,
        pending: pending.filter((one) => one.secondMs >= candledToMs),
        candledToMs,
      };
    });
    const lastMs = taken.at(-1)?.secondMs ?? place.lastMs;
    if (!done) {
      this.#place = { ...place, lastMs };
      return 0;
    }
    this.#place = { lastMs, candledToMs: done.candledToMs, pending: done.pending };
    for (const committed of done.after) committed();
    for (const second of done.closing) bus.publish("second.closed", second);
    return done.closing.length;
  }

  #followed(closing: ClosingSecond, computed: ComputedSecond): FollowedSecond {
    const { symbols } = this.#parts.world;
    return {
      ...closing,
      quotes: computed.quotes,
      bookOf: (venue, symbol) => this.#source.bookOf(computed, venue, symbols.indexOf(symbol)),
    };
  }

  async #bind(tx: Tx, closing: readonly ClosingSecond[]): Promise<Map<number, Uint8Array[]>> {
    const bound = new Map<number, Uint8Array[]>();
    for (const { beforeAppend } of this.#contributions.onSecond) {
      if (!beforeAppend) continue;
      for (const [secondMs, hashes] of await beforeAppend(tx, closing)) {
        bound.set(secondMs, [...(bound.get(secondMs) ?? []), ...hashes]);
      }
    }
    return bound;
  }

  async #append(
    tx: Tx,
    first: number,
    seconds: readonly ComputedSecond[],
    bound: ReadonlyMap<number, Uint8Array[]>,
  ): Promise<void> {
    const leaves = seconds.map((second) => ({
      kind: "second" as const,
      bytes: this.#leaves.second(second, bound.get(second.secondMs) ?? []),
    }));
    const at = await this.#log.append(tx, leaves);
    if (at !== first)
      throw new Error("a hook appended to the log before the leaves of its seconds");
  }

  async #openLog(tx: Tx): Promise<void> {
    if ((await this.#log.next(tx)) !== 0)
      throw new Error("the world leaf must be the first of the log");
    await this.#log.append(tx, [{ kind: "world", bytes: this.#leaves.world() }]);
  }

  async #readPlace(): Promise<Place> {
    const { db } = this.#parts.database;
    const state = await readState(db);
    if (!state) throw new Error("the market of this world is not prepared");
    const last = await readLastSecond(db);
    return {
      lastMs: last?.secondMs ?? state.firstSecondMs - 1_000,
      candledToMs: state.candledToMs,
      pending: await readSeconds(db, state.candledToMs),
    };
  }
}

/** Joins the minutes that are over to the klines of every interval; returns up to where seconds are now folded. */
async function foldMinutes(
  tx: Tx,
  symbols: readonly MarketSymbol[],
  candledToMs: number,
  pending: readonly StoredSecond[],
): Promise<number> {
  const openMs = openOf("1m", pending.at(-1)?.secondMs ?? candledToMs);
  if (openMs <= candledToMs) return candledToMs;
  const over = pending.filter(({ secondMs }) => secondMs < openMs);
  const parts = symbols.flatMap((symbol, s) => {
    const minutes = foldTicks("1m", ticksOf(over, s));
    return intervalNames.flatMap((interval) =>
      aggregate(interval, minutes).map((candle) => ({ symbol, interval, candle })),
    );
  });
  if (parts.length > 0) await joinCandles(tx, parts);
  await moveCandledTo(tx, openMs);
  return openMs;
}

async function writeHistory(
  tx: Tx,
  symbols: readonly MarketSymbol[],
  history: KlineHistory,
): Promise<void> {
  for (const interval of intervalNames) {
    const parts = symbols.flatMap((symbol, s) =>
      (history[s]?.[interval] ?? []).map((candle) => ({ symbol, interval, candle })),
    );
    for (let at = 0; at < parts.length; at += candlesAtOnce) {
      await joinCandles(tx, parts.slice(at, at + candlesAtOnce));
    }
  }
}
