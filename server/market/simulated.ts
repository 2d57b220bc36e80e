import { randomBytes } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { sha256 } from "@noble/hashes/sha2.js";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { type Model, modelOf } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { bookOf, crossTime, Simulator } from "#core/market/simulate/simulator.ts";
import { decodeState, encodeState, type SimulatorState } from "#core/market/simulate/state.ts";
import { dayMs } from "#core/money/time.ts";
import { encodeSeed } from "#core/transparency-log/seedLeaf.ts";
import {
  insertDay,
  readDays,
  type StoredDay,
  saveReveal,
  saveStartState,
  saveState,
} from "#server/market/dayStore.ts";
import type { KlineHistory, LeafLog, MarketSource, SourceSecond } from "#server/market/source.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** World time between two saved states; a restart recomputes at most this much. */
const saveEveryMs = 60_000;
/** Seconds simulated before yielding to the event loop: about 20 ms. */
const chunkSeconds = 2_000;

/**
 * The simulated market (docs/rules/market.md). Each world day has a 32-byte seed from the machine's
 * random number generator, committed to in the log a day ahead and revealed when the day is over;
 * the path is a function of the seeds alone.
 */
export function createSimulatedSource(
  ctx: Pick<AppContext, "database" | "world">,
  transparencyLog: LeafLog,
  newSeed: () => Uint8Array = () => randomBytes(32),
): MarketSource {
  const { world } = ctx;
  if (world.simulator === null) throw new Error("the world has no simulated market");
  const model = modelOf(world.symbols, world.simulator);
  let running: { day: StoredDay; simulator: Simulator; keptMs: number } | null = null;

  const reopen = async (atMs: number) => {
    const day = (await readDays(ctx.database.db)).find(
      (one) => one.startMs <= atMs && atMs < one.endMs,
    );
    if (!day) throw new Error("the source is not prepared for the requested second");
    running = { day, simulator: openDay(model, day, atMs), keptMs: atMs };
    return running;
  };
  return {
    kind: "simulated",
    venues,
    prepare: async (tx, atMs) => {
      running = null;
      const { day, history } = await beginDay(tx, {
        transparencyLog,
        model,
        world: world.name,
        newSeed,
        atMs,
      });
      return { untilMs: day.endMs, history };
    },
    take: async (fromMs, toMs) => {
      const fits = running && running.simulator.nextMs <= fromMs && toMs < running.day.endMs;
      const { simulator } = fits && running ? running : await reopen(fromMs);
      await runTo(simulator, fromMs);
      const seconds: SourceSecond[] = [];
      while (simulator.nextMs <= toMs) seconds.push(simulator.step());
      return seconds;
    },
    bookOf: ({ secondMs, quotes }, venue, symbol) => {
      const quote = quotes[venue]?.[symbol];
      if (!quote || !running) return null;
      const { startMs, endMs, seed } = running.day;
      if (secondMs < startMs || secondMs >= endMs)
        throw new Error("a book was requested for a day that is not running");
      return bookOf(model, seed, { secondMs: quote.atMs, venue, symbol }, quote);
    },
    save: async (tx) => {
      if (!running) return;
      const { day, simulator, keptMs } = running;
      if (simulator.nextMs < keptMs + saveEveryMs) return;
      await saveState(tx, day.startMs, encodeState(model, simulator.state()), simulator.nextMs);
      running.keptMs = simulator.nextMs;
    },
  };
}

interface DayEnd {
  state: SimulatorState;
  atMs: number;
}

interface DayStart {
  transparencyLog: LeafLog;
  model: Model;
  world: string;
  newSeed: () => Uint8Array;
  atMs: number;
}

/**
 * Finds or creates the day that holds `atMs`, reveals finished days, and commits to the next one.
 * States are computed before the first leaf is appended, because from then on the log stays locked.
 */
async function beginDay(
  tx: Tx,
  { transparencyLog, model, world, newSeed, atMs }: DayStart,
): Promise<{ day: StoredDay; history: KlineHistory | null }> {
  const days = await readDays(tx);
  const ascending = days.filter((one) => one.startMs <= atMs).reverse();
  const end = await chainStates(tx, model, ascending, atMs);
  let day = days.find((one) => one.startMs <= atMs && atMs < one.endMs) ?? null;
  let history: KlineHistory | null = null;
  if (!day) {
    const seed = newSeed();
    let state: SimulatorState;
    if (end) state = crossTime(model, end.state, seed, end.atMs, atMs);
    else ({ klines: history, state } = simulateHistory(model, seed, atMs));
    day = {
      startMs: atMs,
      endMs: (Math.floor(atMs / dayMs) + 1) * dayMs,
      seed,
      startState: encodeState(model, state),
      state: null,
      revealLeaf: null,
    };
    await commit(tx, transparencyLog, world, day);
  }
  for (const over of ascending) {
    if (over.endMs > atMs || over.revealLeaf !== null || !over.startState) continue;
    const { startMs, seed, startState } = over;
    const bytes = encodeSeed({
      action: "reveal",
      world,
      dayMs: startMs,
      seed,
      simulator: model.name,
      state: startState,
    });
    await saveReveal(tx, startMs, await transparencyLog.append(tx, [{ kind: "seed", bytes }]));
  }
  const { endMs } = day;
  if (!days.some((one) => one.startMs === endMs)) {
    const next = { startMs: endMs, endMs: endMs + dayMs, seed: newSeed(), startState: null };
    await commit(tx, transparencyLog, world, next);
  }
  return { day, history };
}

/**
 * Gives each day that has begun by `atMs` its start state, which is the end state of the day
 * before. Returns the end of the last day when no day holds `atMs`, otherwise null: running a day
 * to its end takes time, and is done only where needed.
 */
async function chainStates(
  tx: Tx,
  model: Model,
  ascending: StoredDay[],
  atMs: number,
): Promise<DayEnd | null> {
  let end: DayEnd | null = null;
  for (const [i, day] of ascending.entries()) {
    if (!day.startState) {
      if (end?.atMs !== day.startMs) throw new Error("the day before a simulated day is missing");
      day.startState = encodeState(model, end.state);
      await saveStartState(tx, day.startMs, day.startState);
    }
    if (day.endMs > atMs) return null;
    if (ascending[i + 1]?.startState) continue;
    const simulator = openDay(model, day, day.endMs);
    await runTo(simulator, day.endMs);
    end = { state: simulator.state(), atMs: day.endMs };
  }
  return end;
}

async function commit(
  tx: Tx,
  transparencyLog: LeafLog,
  world: string,
  day: Pick<StoredDay, "startMs" | "endMs" | "seed" | "startState">,
): Promise<void> {
  const bytes = encodeSeed({
    action: "commit",
    world,
    dayMs: day.startMs,
    seedHash: sha256(day.seed),
  });
  await insertDay(tx, day, await transparencyLog.append(tx, [{ kind: "seed", bytes }]));
}

/** The simulator of a begun day, at the latest saved state that is not past `atMs`. */
function openDay(model: Model, day: StoredDay, atMs: number): Simulator {
  if (day.state && day.state.atMs <= atMs) {
    return new Simulator(model, day.seed, decodeState(model, day.state.bytes), day.state.atMs);
  }
  if (!day.startState) throw new Error("a simulated day was opened before it began");
  return new Simulator(model, day.seed, decodeState(model, day.startState), day.startMs);
}

async function runTo(simulator: Simulator, atMs: number): Promise<void> {
  for (let i = 1; simulator.nextMs < atMs; i += 1) {
    simulator.skip();
    if (i % chunkSeconds === 0) await breathe();
  }
}
