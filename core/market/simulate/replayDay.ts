import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { daySeed, isLinkOf } from "#core/market/simulate/daySeed.ts";
import { type Model, modelOf } from "#core/market/simulate/model.ts";
import { Simulator } from "#core/market/simulate/simulator.ts";
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
      reason: "simulator_unknown" | "link_differs" | "state_malformed" | "order_wrong";
    }
  | { ok: false; reason: "quotes_differ" | "index_differs"; secondMs: number };

/**
 * Replays a simulated day from the log: the world's symbols and simulator version, the anchor,
 * the revealed link and state, and the day's `second` leaves in ascending order. Gaps are
 * skipped, as the feed did. Returns the first difference, or the state at the last leaf, which ties
 * the next day to this one.
 *
 * Pure; a full day takes about a second and a half.
 */
export function replayDay(
  world: Pick<WorldLeaf, "symbols" | "simulator" | "seedAnchor" | "createdAtMs">,
  day: LoggedSeed,
  leaves: readonly LoggedSecond[],
): ReplayOutcome {
  const model = readModel(world);
  if (model?.name !== day.simulator) return { ok: false, reason: "simulator_unknown" };
  if (!isLinkOf(world, day.dayMs, day.link)) return { ok: false, reason: "link_differs" };
  const simulator = open(model, day);
  if (!simulator) return { ok: false, reason: "state_malformed" };
  for (const leaf of leaves) {
    if (leaf.secondMs < simulator.nextMs || leaf.secondMs % 1_000 !== 0) {
      return { ok: false, reason: "order_wrong" };
    }
    while (simulator.nextMs < leaf.secondMs) simulator.skip();
    const { secondMs, quotes } = simulator.step();
    const fresh = quotes.map((row) => freshQuotes(row, secondMs));
    if (!sameQuotes(fresh, leaf.quotes)) return { ok: false, reason: "quotes_differ", secondMs };
    const index = model.symbols.map((_, s) => indexValue(fresh.map((row) => row[s] ?? null)));
    if (!index.every((value, s) => value === leaf.index[s])) {
      return { ok: false, reason: "index_differs", secondMs };
    }
  }
  return { ok: true, seconds: leaves.length, endState: encodeState(model, simulator.state()) };
}

function readModel({ symbols, simulator }: Pick<WorldLeaf, "symbols" | "simulator">): Model | null {
  const names = symbols.map(({ name }) => name);
  return unlessOutOfRange(() => (simulator === null ? null : modelOf(names, simulator)));
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
        const other = b[venue]?.[s] ?? null;
        return quote && other
          ? quote.bid === other.bid && quote.ask === other.ask
          : quote === other;
      }),
    )
  );
}
