import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { daySeed, isSeedLink } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel, type Model } from "#core/market/simulate/model.ts";
import { crossTime, Simulator } from "#core/market/simulate/simulator.ts";
import { decodeState, encodeState } from "#core/market/simulate/state.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** The market data of a `second` leaf, decoded. */
export interface LoggedSecond {
  secondMs: number;
  quotes: readonly (readonly (BestPrices | null)[])[];
  index: readonly (bigint | null)[];
}

/** The contents of a day's two `seed` leaves. */
export interface LoggedSeed {
  dayMs: number;
  source: SeedSource;
  link: Uint8Array;
  simulator: string;
  state: Uint8Array;
}

export type ReplayOutcome =
  | { ok: true; seconds: number; endState: Uint8Array }
  | {
      ok: false;
      error: "simulator_unknown" | "link_differs" | "state_malformed" | "order_wrong";
    }
  | { ok: false; error: "quotes_differ" | "index_differs"; secondMs: number };

/** A difference between a path and the log. */
export type PathMismatch =
  | { error: "order_wrong" }
  | { error: "quotes_differ" | "index_differs"; secondMs: number };

type ReplayedWorld = Pick<WorldLeaf, "symbols" | "simulator" | "seedAnchor" | "createdAtMs">;

/** A simulated day that is run again, second by second. */
export class DayReplay {
  readonly #model: Model;
  readonly #simulator: Simulator;

  constructor(model: Model, simulator: Simulator) {
    this.#model = model;
    this.#simulator = simulator;
  }

  /** Runs on to the second of a leaf and compares its quotes and index; null if both agree. */
  compare(leaf: LoggedSecond): PathMismatch | null {
    const simulator = this.#simulator;
    if (leaf.secondMs < simulator.nextMs || leaf.secondMs % 1_000 !== 0)
      return { error: "order_wrong" };
    this.runTo(leaf.secondMs);
    const { secondMs, quotes } = simulator.step();
    const freshRows = quotes.map((row) => filterFreshQuotes(row, secondMs));
    if (!sameQuotes(freshRows, leaf.quotes)) return { error: "quotes_differ", secondMs };
    const index = this.#model.symbols.map((_, s) =>
      computeIndexValue(freshRows.map((row) => row[s] ?? null)),
    );
    if (leaf.index.length !== index.length || !index.every((value, s) => value === leaf.index[s]))
      return { error: "index_differs", secondMs };
    return null;
  }

  /** Runs over seconds that have no leaf. */
  runTo(ms: number): void {
    while (this.#simulator.nextMs < ms) this.#simulator.skip();
  }

  /** The encoded state just before the next second. */
  state(): Uint8Array {
    return encodeState(this.#model, this.#simulator.state());
  }

  /** The encoded state at `toMs`, after time without a process under a later day's seed. */
  stateAfter(seed: Uint8Array, toMs: number): Uint8Array {
    const { nextMs } = this.#simulator;
    const crossedState = crossTime(this.#model, this.#simulator.state(), seed, nextMs, toMs);
    return encodeState(this.#model, crossedState);
  }

  /** The encoded state before a world's first second, which the first day's seed gives. */
  historyState(seed: Uint8Array, firstMs: number): Uint8Array {
    return encodeState(this.#model, simulateHistory(this.#model, seed, firstMs).state);
  }
}

/**
 * Opens a simulated day from the log: the world's symbols and simulator version, the anchor, and
 * the day's source with its revealed link and state.
 */
export function openReplay(
  world: ReplayedWorld,
  day: LoggedSeed,
):
  | { ok: true; replay: DayReplay }
  | { ok: false; error: "simulator_unknown" | "link_differs" | "state_malformed" } {
  const model = readModel(world);
  if (model?.name !== day.simulator) return { ok: false, error: "simulator_unknown" };
  if (!isSeedLink(world, day.dayMs, day.link)) return { ok: false, error: "link_differs" };
  const simulator = open(model, day);
  if (!simulator) return { ok: false, error: "state_malformed" };
  return { ok: true, replay: new DayReplay(model, simulator) };
}

/**
 * Replays a simulated day from the log and its `second` leaves in ascending order. Gaps are
 * skipped, as the feed did. Returns the first difference, or the state at the last leaf, which ties
 * the next day to this one.
 *
 * Pure; a full day takes about a second and a half.
 */
export function replayDay(
  world: ReplayedWorld,
  day: LoggedSeed,
  leaves: readonly LoggedSecond[],
): ReplayOutcome {
  const result = openReplay(world, day);
  if (!result.ok) return result;
  for (const leaf of leaves) {
    const difference = result.replay.compare(leaf);
    if (difference) return { ok: false, ...difference };
  }
  return { ok: true, seconds: leaves.length, endState: result.replay.state() };
}

function readModel({ symbols, simulator }: Pick<WorldLeaf, "symbols" | "simulator">): Model | null {
  const names = symbols.map(({ name }) => name);
  return unlessOutOfRange(() => (simulator === null ? null : createModel(names, simulator)));
}

function open(model: Model, day: LoggedSeed): Simulator | null {
  return unlessOutOfRange(
    () =>
      new Simulator(model, daySeed(day.link, day.source), decodeState(model, day.state), day.dayMs),
  );
}

function unlessOutOfRange<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function sameQuotes(
  a: readonly (readonly (BestPrices | null)[])[],
  b: readonly (readonly (BestPrices | null)[])[],
): boolean {
  return (
    a.length === b.length &&
    a.every((row, venue) =>
      row.every((quote, s) => {
        const otherQuote = b[venue]?.[s] ?? null;
        return quote && otherQuote
          ? quote.bid === otherQuote.bid && quote.ask === otherQuote.ask
          : quote === otherQuote;
      }),
    )
  );
}
