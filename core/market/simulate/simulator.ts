import type { Book, BookLevel } from "#core/market/book.ts";
import { type BestPrices, type Quote, quoteMaxAgeMs } from "#core/market/quote.ts";
import { Draws } from "#core/market/simulate/draws.ts";
import {
  simulatorVersion,
  stepFactors,
  symbolTable,
  venues,
} from "#core/market/simulate/parameters.ts";
import { copyState, type SimulatorState, symbolCount } from "#core/market/simulate/state.ts";
import { createStepResult, stepCoarse, stepSecond } from "#core/market/simulate/step.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";

/** What a `reveal` leaf calls this simulator. */
export const simulatorName = `drydock.simulate/${simulatorVersion}`;

/** Length of the steps in which time without a process, and old history, is crossed. */
export const coarseSeconds = 300;
const coarseFactors = stepFactors(coarseSeconds);

/** One second of the simulated market. */
export interface SimulatedSecond {
  secondMs: number;
  /** `quotes[venue][symbol]`, in the orders of `venues` and of the symbol registry; null before a venue first spoke. */
  quotes: (Quote | null)[][];
  /** By symbol: traded on all venues together, at `volumeScale`. */
  volume: bigint[];
}

/**
 * A stretch of the path under one seed. `state` is the one just before `nextMs`; given the same state and seed,
 * `step` gives the same seconds on every machine.
 */
export class Simulator {
  readonly #state: SimulatorState;
  readonly #draws: Draws;
  readonly #result = createStepResult();
  #nextMs: number;

  /** `nextMs`: the first second that `step` gives, a multiple of 1 000. */
  constructor(seed: Uint8Array, state: SimulatorState, nextMs: number) {
    if (nextMs % 1_000 !== 0) throw new RangeError("the simulator steps by whole seconds");
    this.#state = copyState(state);
    this.#draws = new Draws(seed);
    this.#nextMs = nextMs;
  }

  get nextMs(): number {
    return this.#nextMs;
  }

  /** A copy of the state just before `nextMs`. */
  state(): SimulatorState {
    return copyState(this.#state);
  }

  /** The next second. */
  step(): SimulatedSecond {
    const secondMs = this.#nextMs;
    this.skip();
    return {
      secondMs,
      quotes: this.#quotes(secondMs),
      volume: Array.from(this.#result.volume, BigInt),
    };
  }

  /** Passes over the next second: the same change of state, without making quotes of it. */
  skip(): void {
    stepSecond(this.#state, this.#draws, this.#nextMs / 1_000, this.#result);
    this.#nextMs += 1_000;
  }

  #quotes(secondMs: number): (Quote | null)[][] {
    return venues.map((_, venue) => {
      const atMs = secondMs - (this.#state.age[venue] as number) * 1_000;
      return Array.from({ length: symbolCount }, (_unused, symbol) => {
        const at = venue * symbolCount + symbol;
        const bid = this.#state.bid[at] as number;
        if (bid === 0) return null;
        const ask = this.#state.ask[at] as number;
        return { bid: BigInt(bid), ask: BigInt(ask), atMs, maxAgeMs: quoteMaxAgeMs };
      });
    });
  }
}

/**
 * The state after time in which no process ran: whole coarse steps from `fromMs` on, as many as fit before `toMs`, with
 * the words of the seed that is used from `toMs` on. The remainder of less than a step is left out.
 */
export function crossTime(
  state: SimulatorState,
  seed: Uint8Array,
  fromMs: number,
  toMs: number,
): SimulatorState {
  const crossed = copyState(state);
  const draws = new Draws(seed);
  const result = createStepResult();
  for (let atMs = fromMs; atMs + coarseSeconds * 1_000 <= toMs; atMs += coarseSeconds * 1_000) {
    stepCoarse(crossed, draws, Math.floor(atMs / 1_000), coarseFactors, result);
  }
  return crossed;
}

const bookLevels = 20;
/** The path counts in ten-thousandths of the base asset, a book at `sizeScale`. */
const sizeUnit = 10_000n;

/**
 * The book behind a venue's best prices in one second: 20 levels a side, sizes growing away from the middle. A function
 * of the seed, the second, the venue and the symbol (by their numbers).
 */
export function bookOf(
  seed: Uint8Array,
  place: { secondMs: number; venue: number; symbol: number },
  best: BestPrices,
): Book {
  const draws = new Draws(seed);
  draws.seek("book", place.secondMs / 1_000, place.venue * 4_096 + place.symbol);
  const spread = Number(best.ask - best.bid);
  const perSecond = symbolTable[symbolNames[place.symbol] as MarketSymbol].volume * 10_000;
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
