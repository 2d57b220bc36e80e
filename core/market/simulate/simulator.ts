import type { Book, BookLevel } from "#core/market/book.ts";
import { type BestPrices, type Quote, quoteMaxAgeMs } from "#core/market/quote.ts";
import { RandomDraws } from "#core/market/simulate/draws.ts";
import { coarseSeconds, type Model, type ModelSymbol } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { copyState, type SimulatorState } from "#core/market/simulate/state.ts";
import {
  createStepResult,
  type StepResult,
  stepCoarse,
  stepSecond,
} from "#core/market/simulate/step.ts";

/** A second of the simulated market. */
export interface SimulatedSecond {
  secondMs: number;
  /**
   * `quotes[venue][symbol]`, in the order of `venues` and of the model's symbols; null before a
   * venue first quoted.
   */
  quotes: (Quote | null)[][];
  /** By symbol: traded on all venues together, at `volumeScale`. */
  volume: bigint[];
}

/**
 * A stretch of the path under one seed. `state` is the one just before `nextMs`; the same state and
 * seed make `step` return the same seconds on every machine.
 */
export class Simulator {
  readonly #model: Model;
  readonly #state: SimulatorState;
  readonly #draws: RandomDraws;
  readonly #result: StepResult;
  #nextMs: number;

  /** `nextMs`: the first second that `step` returns, a multiple of 1 000. */
  constructor(model: Model, seed: Uint8Array, state: SimulatorState, nextMs: number) {
    if (nextMs % 1_000 !== 0) throw new RangeError("the simulator steps by whole seconds");
    this.#model = model;
    this.#state = copyState(model, state);
    this.#result = createStepResult(model);
    this.#draws = new RandomDraws(seed);
    this.#nextMs = nextMs;
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  /** A copy of the state just before `nextMs`. */
  state(): SimulatorState {
    return copyState(this.#model, this.#state);
  }

  /** Simulates the next second. */
  step(): SimulatedSecond {
    const secondMs = this.#nextMs;
    this.skip();
    return {
      secondMs,
      quotes: computeQuotes(this.#model, this.#state, secondMs),
      volume: Array.from(this.#result.volume, BigInt),
    };
  }

  /** Skips the next second: the same state change without building quotes. */
  skip(): void {
    stepSecond(this.#model, this.#state, this.#draws, this.#nextMs / 1_000, this.#result);
    this.#nextMs += 1_000;
  }
}

/** The venues' last quotes in a state, in the order of `venues` and of the model's symbols. */
export function computeQuotes(
  { symbols }: Model,
  { age, bid: bids, ask: asks }: SimulatorState,
  secondMs: number,
): (Quote | null)[][] {
  return venues.map((_, venue) => {
    const atMs = secondMs - (age[venue] as number) * 1_000;
    return symbols.map((_symbol, index) => {
      const bid = bids[venue * symbols.length + index] as number;
      if (bid === 0) return null;
      const ask = asks[venue * symbols.length + index] as number;
      return { bid: BigInt(bid), ask: BigInt(ask), atMs, maxAgeMs: quoteMaxAgeMs };
    });
  });
}

/**
 * The state after time without a process: complete coarse steps from `fromMs`, as many as fit
 * before `toMs`, with the words of the seed used from `toMs` on. The remainder of less than a step
 * is ignored.
 */
export function crossTime(
  model: Model,
  state: SimulatorState,
  seed: Uint8Array,
  fromMs: number,
  toMs: number,
): SimulatorState {
  const nextState = copyState(model, state);
  const draws = new RandomDraws(seed);
  const result = createStepResult(model);
  for (let atMs = fromMs; atMs + coarseSeconds * 1_000 <= toMs; atMs += coarseSeconds * 1_000) {
    stepCoarse(model, nextState, draws, Math.floor(atMs / 1_000), model.coarse, result);
  }
  return nextState;
}

const bookLevels = 20;
/** The path uses ten-thousandths of the base asset, a book uses `sizeScale`. */
const sizeUnit = 10_000n;

/**
 * The book behind a venue's best prices in one second: 20 levels a side, with sizes growing away
 * from the middle. A function of the seed, the second, and the indexes of venue and symbol.
 */
export function buildBook(
  model: Model,
  seed: Uint8Array,
  position: { secondMs: number; venue: number; symbol: number },
  best: BestPrices,
): Book {
  const draws = new RandomDraws(seed);
  draws.seek("book", position.secondMs / 1_000, position.venue * 4_096 + position.symbol);
  const spread = Number(best.ask - best.bid);
  const { volume: perSecond } = model.symbols[position.symbol] as ModelSymbol;
  const side = (from: number, direction: 1 | -1): BookLevel[] => {
    const levels: BookLevel[] = [];
    let price = from;
    for (let i = 0; i < bookLevels; i += 1) {
      const size = perSecond * (0.15 + 0.1 * i) * (0.4 + 1.2 * draws.uniform());
      if (price > 0)
        levels.push({ price: BigInt(price), size: BigInt(1 + Math.floor(size)) * sizeUnit });
      price += direction * (1 + Math.floor(spread * 0.75 * draws.uniform()));
    }
    return levels;
  };
  return { bids: side(Number(best.bid), -1), asks: side(Number(best.ask), 1) };
}
