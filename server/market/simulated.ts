import { setImmediate as breathe } from "node:timers/promises";
import { dayNumber, daySeed } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel, type Model } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { buildBook, crossTime, Simulator } from "#core/market/simulate/simulator.ts";
import { decodeState, encodeState, type SimulatorState } from "#core/market/simulate/state.ts";
import { nextDayMs } from "#core/money/time.ts";
import { encodeSeed, type SeedSource } from "#core/transparency-log/seedLeaf.ts";
import {
  insertDay,
  readDaySource,
  readDays,
  type StoredDay,
  saveReveal,
  saveState,
} from "#server/market/dayStore.ts";
import { createSeedChainFile } from "#server/market/seedChainFile.ts";
import type { KlineHistory, LeafLog, MarketSource, SourceSecond } from "#server/market/source.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** World time between two saved states; a restart recomputes at most this much. */
const saveEveryMs = 60_000;
/** Seconds simulated before yielding to the event loop: about 20 ms. */
const chunkSeconds = 2_000;

/** Finds the source to mix into the seed of a day that begins now, at this world time. */
export type NewestSource = (tx: Tx, atMs: number) => Promise<SeedSource>;

/** A begun day with the seed that its link and its source give. */
interface Day extends StoredDay {
  seed: Uint8Array;
}

/**
 * The simulated market (docs/rules/market.md). Each UTC day of world time has a link of a hash chain
 * that the `world` leaf ends; when the day begins, a `seed` leaf says what is mixed into it, and
 * when it is over, another reveals it. The path is a function of the seeds alone.
 */
export function createSimulatedSource(
  ctx: Pick<AppContext, "config" | "database" | "world">,
  transparencyLog: LeafLog,
  newSecret?: () => Uint8Array,
  newestSource: NewestSource = async () => ({ kind: "none" }),
): MarketSource {
  const { world } = ctx;
  const { simulator: version } = world;
  if (version === null) throw new Error("the world has no simulated market");
  const model = createModel(world.symbols, version);
  const chain = createSeedChainFile(ctx, newSecret);
  let currentDay: { day: Day; simulator: Simulator; keptMs: number } | null = null;

  const getLink = async (dbOrTx: Db | Tx, startMs: number) =>
    (await chain.open(dbOrTx)).seedOf(dayNumber({ createdAtMs: world.startMs }, startMs));
  const withSeed = async (dbOrTx: Db | Tx, day: StoredDay): Promise<Day> => ({
    ...day,
    seed: daySeed(await getLink(dbOrTx, day.startMs), day.source),
  });
  const reopen = async (atMs: number) => {
    const { db } = ctx.database;
    const storedDay = (await readDays(db)).find((day) => day.startMs <= atMs && atMs < day.endMs);
    if (!storedDay) throw new Error("the source is not prepared for the requested second");
    const day = await withSeed(db, storedDay);
    currentDay = { day, simulator: openDay(model, day, atMs), keptMs: atMs };
    return currentDay;
  };
  /** Begins the day that holds `atMs`, after the one that began last (null: the world's first). */
  const beginDay = async (tx: Tx, atMs: number, last: StoredDay | null) => {
    const source = await newestSource(tx, atMs);
    const seed = daySeed(await getLink(tx, atMs), source);
    let history: KlineHistory | null = null;
    let state: SimulatorState;
    if (last) {
      const simulator = openDay(model, await withSeed(tx, last), last.endMs);
      await runTo(simulator, last.endMs);
      state = crossTime(model, simulator.state(), seed, last.endMs, atMs);
    } else ({ klines: history, state } = simulateHistory(model, seed, atMs));
    const startState = encodeState(model, state);
    const day = { startMs: atMs, endMs: nextDayMs(atMs), source, startState };
    return { day, history };
  };
  const reveal = async (tx: Tx, { startMs, startState: state }: StoredDay) => {
    const link = await getLink(tx, startMs);
    const bytes = encodeSeed({
      action: "reveal",
      world: world.name,
      dayMs: startMs,
      link,
      simulator: model.name,
      state,
    });
    await saveReveal(tx, startMs, await transparencyLog.append(tx, [{ kind: "seed", bytes }]));
  };
  return {
    kind: "simulated",
    venues,
    create: async (tx) => ({ seedAnchor: await chain.create(tx), recording: null }),
    prepare: async (tx, atMs) => {
      currentDay = null;
      const days = await readDays(tx);
      const current = days.find((day) => day.startMs <= atMs && atMs < day.endMs);
      // States are computed before the first leaf is appended: from then on the log stays locked.
      const nextDay = current ? null : await beginDay(tx, atMs, days.at(-1) ?? null);
      for (const day of days)
        if (day.endMs <= atMs && day.revealLeaf === null) await reveal(tx, day);
      if (!nextDay) return { untilMs: current!.endMs, history: null };
      const { startMs: dayMs, source, endMs } = nextDay.day;
      const bytes = encodeSeed({ action: "begin", world: world.name, dayMs, source });
      await insertDay(tx, nextDay.day, await transparencyLog.append(tx, [{ kind: "seed", bytes }]));
      return { untilMs: endMs, history: nextDay.history };
    },
    take: async (fromMs, toMs) => {
      const canContinue =
        currentDay && currentDay.simulator.nextMs <= fromMs && toMs < currentDay.day.endMs;
      const { simulator } = canContinue && currentDay ? currentDay : await reopen(fromMs);
      await runTo(simulator, fromMs);
      const seconds: SourceSecond[] = [];
      while (simulator.nextMs <= toMs) seconds.push(simulator.step());
      return seconds;
    },
    bookOf: ({ secondMs, quotes }, venue, symbol) => {
      const quote = quotes[venue]?.[symbol];
      if (!quote || !currentDay) return null;
      const { startMs, endMs, seed } = currentDay.day;
      if (secondMs < startMs || secondMs >= endMs)
        throw new Error("a book was requested for a day that is not running");
      return buildBook(model, seed, { secondMs: quote.atMs, venue, symbol }, quote);
    },
    historyInputs: async (db, firstMs) => {
      const source = await readDaySource(db, firstMs);
      if (!source) return null;
      const seed = daySeed(await getLink(db, firstMs), source);
      const { names: symbols } = model;
      return { kind: "simulated", seed, symbols, simulator: version, firstMs };
    },
    save: async (tx) => {
      if (!currentDay) return;
      const { day, simulator, keptMs } = currentDay;
      if (simulator.nextMs < keptMs + saveEveryMs) return;
      await saveState(tx, day.startMs, encodeState(model, simulator.state()), simulator.nextMs);
      currentDay.keptMs = simulator.nextMs;
    },
  };
}

/** The simulator of a begun day, at the latest saved state that is not past `atMs`. */
function openDay(model: Model, day: Day, atMs: number): Simulator {
  if (day.state && day.state.atMs <= atMs) {
    return new Simulator(model, day.seed, decodeState(model, day.state.bytes), day.state.atMs);
  }
  return new Simulator(model, day.seed, decodeState(model, day.startState), day.startMs);
}

async function runTo(simulator: Simulator, atMs: number): Promise<void> {
  for (let i = 1; simulator.nextMs < atMs; i += 1) {
    simulator.skip();
    if (i % chunkSeconds === 0) await breathe();
  }
}
