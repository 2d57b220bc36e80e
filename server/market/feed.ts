import { sql } from "kysely";
import type { Book } from "#core/market/book.ts";
import { getIntervalStart, intervalNames } from "#core/market/intervals.ts";
import { aggregateKlines, buildKlines } from "#core/market/kline.ts";
import { type MarketSymbol, mapBySymbol } from "#core/market/symbols.ts";
import { createEndingSeconds } from "#server/market/ending.ts";
import { type Gap, insertGaps, splitGap } from "#server/market/gaps.ts";
import { type ComputedSecond, createLeaves, type Leaves } from "#server/market/leaves.ts";
import type {
  KlineHistory,
  LeafLog,
  MarketSource,
  SourceSecond,
  TakerFee,
} from "#server/market/source.ts";
import {
  insertSeconds,
  insertState,
  mergeKlines,
  readLastSecond,
  readSeconds,
  readState,
  type StoredSecond,
  setKlinesUntil,
  toTicks,
} from "#server/market/store.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { lockExclusive } from "#server/platform/db/acceptLock.ts";
import { liftIdleTimeout, lockKey, type Tx } from "#server/platform/db/database.ts";
import { insertBindings } from "#server/transparency-log/bindings.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A world second was closed: its leaf and index values are stored. */
    "second.closed": {
      secondMs: number;
      leaf: number;
      /** Integer index at the symbol's scale; null in a gap. */
      index: Readonly<Record<string, bigint | null>>;
    };
  }
}

/** Real time after which a second can no longer be closed; it stays a gap permanently. */
const closeAgeMaxMs = 10_000;
/**
 * Minimum real time between two ticks, however fast the world runs: at most ten price messages a
 * second.
 */
const tickIntervalMinMs = 100;

/** History klines written per statement; a recording may hold millions. */
const klinesPerBatch = 50_000;

/** A second about to be closed. */
export interface ClosingSecond {
  secondMs: number;
  /** The index its leaf will have in the log. */
  leaf: number;
  index: Readonly<Record<MarketSymbol, bigint | null>>;
}

/**
 * Called in the closing transaction, which holds the accept lock exclusively, for seconds in
 * ascending order. Returns the hashes of the orders that each second's leaf binds, in order of
 * acceptance; seconds without orders may be omitted.
 */
export type BeforeAppend = (
  tx: Tx,
  seconds: readonly ClosingSecond[],
) => Promise<ReadonlyMap<number, readonly Uint8Array[]>>;

/** A second that was just closed, with its quotes. */
export interface AppendedSecond extends ClosingSecond {
  /**
   * `quotes[venue][symbol]`, as the source gave them; null when the venue has not quoted yet, or
   * does not list the symbol.
   */
  quotes: SourceSecond["quotes"];
  /** By symbol, in the world's order. */
  volume: SourceSecond["volume"];
  /**
   * The book behind a quote, by the venue's index among the source's venues; null without a quote.
   */
  bookOf(venue: number, symbol: MarketSymbol): Book | null;
  /** The fee of a real venue; null in other markets, and where it is not known. */
  takerFee(venue: number, symbol: MarketSymbol): TakerFee | null;
}

/**
 * Called in the closing transaction after the seconds' leaves were appended, still holding the
 * accept lock exclusively; may append further leaves. The returned function is called after the
 * commit, before `second.closed` is published, and never if the transaction does not commit.
 */
export type AfterAppend = (tx: Tx, seconds: readonly AppendedSecond[]) => Promise<() => void>;

/** A domain's hooks in the transaction that closes seconds. */
export interface SecondHooks {
  beforeAppend?: BeforeAppend;
  afterAppend?: AfterAppend;
}

export interface FeedDeps {
  source: MarketSource;
  transparencyLog: LeafLog;
  contributions: { readonly onSecond: readonly SecondHooks[] };
}

export interface Feed {
  /**
   * Creates the world's market if there is none: the `world` leaf, the first seeds, and klines from
   * before the first second. Must run before anything else is appended to the log. Idempotent.
   */
  prepare(): Promise<void>;
  /**
   * Closes all seconds that are due and not too late, or until `signal` aborts; returns how many.
   * Called by the loop, and by tests that drive the clock.
   */
  tick(signal?: AbortSignal): Promise<number>;
  /** The loop `market.feed`, which one process of the world runs at a time. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The feed's position: the last second it passed, and the seconds not yet merged into stored
 * klines.
 */
interface FeedCursor {
  lastMs: number;
  /** The last second that was closed: behind `lastMs` while seconds are passed over. */
  closedMs: number;
  klinesUntilMs: number;
  pending: StoredSecond[];
}

/** The feed: closes the world's seconds one after the other. */
export function createFeed(ctx: AppContext, deps: FeedDeps): Feed {
  return new RunningFeed(ctx, deps);
}

class RunningFeed implements Feed {
  readonly #ctx: AppContext;
  readonly #source: MarketSource;
  readonly #transparencyLog: LeafLog;
  readonly #contributions: FeedDeps["contributions"];
  readonly #leaves: Leaves;
  /**
   * Cached from the database; null when it must be read again, at start and after a failed
   * transaction.
   */
  #cursor: FeedCursor | null = null;
  #preparedUntilMs = 0;
  /**
   * Real time since which this process has closed seconds, or tried to; null while it does not.
   */
  #runningSinceMs: number | null = null;

  constructor(ctx: AppContext, { source, transparencyLog, contributions }: FeedDeps) {
    this.#ctx = ctx;
    this.#source = source;
    this.#transparencyLog = transparencyLog;
    this.#contributions = contributions;
    this.#leaves = createLeaves(ctx, source);
  }

  /** The cursor after the last tick. */
  #reached(): FeedCursor {
    if (!this.#cursor) throw new Error("the feed has not ticked yet");
    return this.#cursor;
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#cursor = null;
    this.#preparedUntilMs = 0;
    const { realClock } = this.#ctx;
    // A loop that failed is restarted immediately; seconds missed in between are not downtime.
    this.#runningSinceMs ??= realClock.nowMs();
    try {
      await this.#loop(signal);
    } finally {
      if (signal.aborted) this.#runningSinceMs = null;
    }
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { clock } = this.#ctx;
    while (!signal.aborted) {
      await this.tick(signal);
      const { lastMs } = this.#reached();
      const restedMs = clock.kind === "real" ? clock.nowMs() + tickIntervalMinMs * clock.speed : 0;
      const dueMs = Math.max(lastMs + 1_000, restedMs);
      // Time stops at a recording's end, so no later time would wake this loop.
      const toEnd = clock.endMs !== null && lastMs <= clock.endMs;
      const nextMs = toEnd ? Math.min(dueMs, clock.endMs) : dueMs;
      // Only an abort ends the wait early, and the loop condition checks for it.
      await clock.until(nextMs, signal).catch(() => {});
    }
  }

  async prepare(): Promise<void> {
    const { database, clock, world } = this.#ctx;
    await database.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${lockKey(database.schema, "market.prepare")}::bigint)`.execute(
        tx,
      );
      if (await readState(tx)) return;
      await liftIdleTimeout(tx);
      await this.#openLog(tx);
      const firstMs = (Math.floor(clock.nowMs() / 1_000) + 1) * 1_000;
      const { history } = await this.#source.prepare(tx, firstMs);
      await insertState(tx, {
        firstSecondMs: firstMs,
        klinesUntilMs: getIntervalStart("1m", firstMs),
      });
      if (history) await writeHistory(tx, world.symbols, history);
    });
  }

  async tick(signal?: AbortSignal): Promise<number> {
    try {
      return await this.#tick(signal);
    } catch (error) {
      this.#cursor = null;
      this.#preparedUntilMs = 0;
      throw error;
    }
  }

  async #tick(signal?: AbortSignal): Promise<number> {
    const { clock, database } = this.#ctx;
    this.#cursor ??= await this.#readCursor();
    let closedCount = 0;
    // Where closing takes longer than a second of the world lasts, there is always one more.
    while (!signal?.aborted) {
      const toMs = Math.floor(clock.nowMs() / 1_000) * 1_000;
      const fromMs = Math.max(this.#cursor.lastMs + 1_000, this.#earliestMs());
      if (fromMs > toMs) return closedCount + (await this.#end());
      if (fromMs >= this.#preparedUntilMs) {
        const { untilMs } = await database.db.transaction().execute(async (tx) => {
          await liftIdleTimeout(tx);
          return this.#source.prepare(tx, fromMs);
        });
        this.#preparedUntilMs = untilMs;
      }
      const seconds = await this.#source.take(
        fromMs,
        Math.min(toMs, this.#preparedUntilMs - 1_000),
      );
      closedCount += await this.#close(seconds.map((second) => this.#leaves.compute(second)));
    }
    return closedCount;
  }

  /** The earliest second that may still be closed; real time counts, in a pause as well. */
  #earliestMs(): number {
    const { clock, realClock, world } = this.#ctx;
    const runMs = closeAgeMaxMs - clock.pausedSinceMs(realClock.nowMs() - closeAgeMaxMs);
    if (runMs <= 0) return nextSecondMs(clock.uncappedMs());
    return Math.ceil((clock.uncappedMs() - runMs * world.market.speed) / 1_000) * 1_000;
  }

  /** Closes the ending seconds of a finished recording, once; returns how many were closed. */
  async #end(): Promise<number> {
    const { clock } = this.#ctx;
    const { lastMs } = this.#cursor as FeedCursor;
    if (clock.endMs === null || !hasEnded(clock) || lastMs > clock.endMs) return 0;
    // Time may have only just reached the end, and the last second may still have to be closed.
    if (Math.max(lastMs + 1_000, this.#earliestMs()) <= clock.endMs) return 0;
    return this.#close(createEndingSeconds(clock.endMs).map((ms) => this.#leaves.silent(ms)));
  }

  async #close(computed: readonly ComputedSecond[]): Promise<number> {
    const { database, bus, world } = this.#ctx;
    const cursor = this.#cursor as FeedCursor;
    const result = await database.db.transaction().execute(async (tx) => {
      await lockExclusive(tx, database.schema);
      // Computing and waiting took time; seconds that are too late by now become gaps.
      const earliestMs = this.#earliestMs();
      const seconds = computed.filter(({ secondMs }) => secondMs >= earliestMs);
      if (seconds.length === 0) return null;
      const first = await this.#transparencyLog.next(tx);
      const storedSeconds = seconds.map(({ secondMs, index, volume }, i) => ({
        secondMs,
        leaf: first + i,
        index,
        volume: [...volume],
      }));
      const closing = storedSeconds.map(({ secondMs, leaf, index }) => ({
        secondMs,
        leaf,
        index: mapBySymbol(world.symbols, index),
      }));
      const ordersBySecond = await this.#bind(tx, closing);
      const leaves = new Map(closing.map(({ secondMs, leaf }) => [secondMs, leaf]));
      await insertBindings(
        tx,
        [...ordersBySecond].map(([secondMs, hashes]) => ({ leaf: leaves.get(secondMs)!, hashes })),
      );
      await insertSeconds(tx, storedSeconds);
      const pending = [...cursor.pending, ...storedSeconds];
      const klinesUntilMs = await mergeMinutes(tx, world.symbols, cursor.klinesUntilMs, pending);
      await insertGaps(tx, this.#gapsBefore(cursor.closedMs, seconds[0]!.secondMs));
      await this.#source.save(tx);
      await this.#append(tx, first, seconds, ordersBySecond);
      const after: (() => void)[] = [];
      const appendedSeconds = closing.map((item, i) => this.#appended(item, seconds[i]!));
      for (const { afterAppend } of this.#contributions.onSecond)
        if (afterAppend) after.push(await afterAppend(tx, appendedSeconds));
      return {
        closing,
        after,
        pending: pending.filter((item) => item.secondMs >= klinesUntilMs),
        klinesUntilMs,
      };
    });
    const lastMs = computed.at(-1)?.secondMs ?? cursor.lastMs;
    if (!result) {
      this.#cursor = { ...cursor, lastMs };
      return 0;
    }
    const { klinesUntilMs, pending } = result;
    this.#cursor = { lastMs, closedMs: lastMs, klinesUntilMs, pending };
    for (const onCommitted of result.after) onCommitted();
    for (const second of result.closing) bus.publish("second.closed", second);
    return result.closing.length;
  }

  /** The seconds passed over between two closed ones, with their causes. */
  #gapsBefore(closedMs: number, nextMs: number): Gap[] {
    const { clock, realClock } = this.#ctx;
    // The seconds that end a recording lie days after its last one, where none is due.
    const toMs = clock.endMs === null ? nextMs : Math.min(nextMs, nextSecondMs(clock.endMs));
    const sinceMs = this.#runningSinceMs;
    if (sinceMs === null) return splitGap(closedMs + 1_000, toMs, null);
    const runningMs = Math.max(sinceMs, realClock.steppedAtMs?.() ?? sinceMs);
    const runMs = realClock.nowMs() - runningMs - clock.pausedSinceMs(runningMs);
    const runningWorldMs = clock.uncappedMs() - runMs * clock.speed;
    return splitGap(closedMs + 1_000, toMs, runningWorldMs);
  }

  #appended(closing: ClosingSecond, computed: ComputedSecond): AppendedSecond {
    const { symbols } = this.#ctx.world;
    return {
      ...closing,
      quotes: computed.quotes,
      volume: computed.volume,
      bookOf: (venue, symbol) => this.#source.bookOf(computed, venue, symbols.indexOf(symbol)),
      takerFee: (venue, symbol) =>
        this.#source.takerFee?.(computed, venue, symbols.indexOf(symbol)) ?? null,
    };
  }

  async #bind(tx: Tx, closing: readonly ClosingSecond[]): Promise<Map<number, Uint8Array[]>> {
    const ordersBySecond = new Map<number, Uint8Array[]>();
    for (const { beforeAppend } of this.#contributions.onSecond) {
      if (!beforeAppend) continue;
      for (const [secondMs, hashes] of await beforeAppend(tx, closing)) {
        if (hashes.length > 0)
          ordersBySecond.set(secondMs, [...(ordersBySecond.get(secondMs) ?? []), ...hashes]);
      }
    }
    return ordersBySecond;
  }

  async #append(
    tx: Tx,
    first: number,
    seconds: readonly ComputedSecond[],
    ordersBySecond: ReadonlyMap<number, Uint8Array[]>,
  ): Promise<void> {
    const leaves = seconds.map((second) => ({
      kind: "second" as const,
      bytes: this.#leaves.second(second, ordersBySecond.get(second.secondMs) ?? []),
    }));
    const firstLeaf = await this.#transparencyLog.append(tx, leaves);
    if (firstLeaf !== first)
      throw new Error("a hook appended to the log before the leaves of its seconds");
  }

  async #openLog(tx: Tx): Promise<void> {
    if ((await this.#transparencyLog.next(tx)) !== 0)
      throw new Error("the world leaf must be the first of the log");
    await this.#transparencyLog.append(tx, [
      { kind: "world", bytes: this.#leaves.world(await this.#source.create(tx)) },
    ]);
  }

  async #readCursor(): Promise<FeedCursor> {
    const { db } = this.#ctx.database;
    const state = await readState(db);
    if (!state) throw new Error("the market of this world is not prepared");
    const last = await readLastSecond(db);
    const lastMs = last?.secondMs ?? state.firstSecondMs - 1_000;
    return {
      lastMs,
      closedMs: lastMs,
      klinesUntilMs: state.klinesUntilMs,
      pending: await readSeconds(db, state.klinesUntilMs),
    };
  }
}

/** The first whole second after a time. */
function nextSecondMs(atMs: number): number {
  return (Math.floor(atMs / 1_000) + 1) * 1_000;
}

/**
 * Merges complete minutes into the klines of every interval; returns the time up to which seconds
 * are merged.
 */
async function mergeMinutes(
  tx: Tx,
  symbols: readonly MarketSymbol[],
  klinesUntilMs: number,
  pending: readonly StoredSecond[],
): Promise<number> {
  const openMs = getIntervalStart("1m", pending.at(-1)?.secondMs ?? klinesUntilMs);
  if (openMs <= klinesUntilMs) return klinesUntilMs;
  const closedSeconds = pending.filter(({ secondMs }) => secondMs < openMs);
  const rows = symbols.flatMap((symbol, s) => {
    const minutes = buildKlines("1m", toTicks(closedSeconds, s));
    return intervalNames.flatMap((interval) =>
      aggregateKlines(interval, minutes).map((kline) => ({ symbol, interval, kline })),
    );
  });
  if (rows.length > 0) await mergeKlines(tx, rows);
  await setKlinesUntil(tx, openMs);
  return openMs;
}

async function writeHistory(
  tx: Tx,
  symbols: readonly MarketSymbol[],
  history: KlineHistory,
): Promise<void> {
  for (const interval of intervalNames) {
    const rows = symbols.flatMap((symbol, s) =>
      (history[s]?.[interval] ?? []).map((kline) => ({ symbol, interval, kline })),
    );
    for (let index = 0; index < rows.length; index += klinesPerBatch) {
      await mergeKlines(tx, rows.slice(index, index + klinesPerBatch));
    }
  }
}
