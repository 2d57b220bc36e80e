import { sha256 } from "@noble/hashes/sha2.js";
import { filterFreshQuotes } from "#core/market/indexValue.ts";
import { RandomDraws } from "#core/market/simulate/draws.ts";
import { exp, squareRoot } from "#core/market/simulate/exact.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { crossTime, type SimulatedSecond, Simulator } from "#core/market/simulate/simulator.ts";
import { encodeState, logarithm, type SimulatorState } from "#core/market/simulate/state.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { createSimulatedDayVectors } from "./simulatedDay.ts";

const seed = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
const firstMs = 1_793_365_631_000;
/** Enough for every venue to fall silent and quote again. */
const secondsRun = 20_000;
/** All symbols, and a short list whose assets are in another order. */
const worlds = [symbolNames, ["USDC/USD", "DOGE/USDT", "BTC/USDC"]];

/** A number's bits, as 16 hex digits, most significant first. */
function getBits(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

const getValues = (compute: (x: number) => number, inputs: readonly number[]) =>
  inputs.map((x) => ({ x: getBits(x), is: getBits(compute(x)) }));

function getQuotes({ secondMs, quotes }: SimulatedSecond) {
  return {
    second: secondMs / 1_000,
    quotes: quotes.map((row) =>
      filterFreshQuotes(row, secondMs).map(
        (quote) => quote && [String(quote.bid), String(quote.ask)],
      ),
    ),
  };
}

function toWords() {
  const draws = new RandomDraws(seed);
  draws.seek("second", 4_294_967_297);
  const words = Array.from({ length: 20 }, () => draws.word());
  draws.seek("coarse", 1_793_365_631, 300);
  const uniform = getBits(draws.uniform());
  const normal = getBits(draws.normal());
  return {
    second: 4_294_967_297,
    words,
    coarse: { second: 1_793_365_631, part: 300, uniform, normal, noise: getBits(draws.noise()) },
  };
}

function toPath(names: readonly string[]) {
  const model = createModel(names);
  const computeHash = (state: SimulatorState) => bytesToHex(sha256(encodeState(model, state)));
  const { state } = simulateHistory(model, seed, firstMs);
  const simulator = new Simulator(model, seed, state, firstMs);
  const first = [1, 2, 3].map(() => getQuotes(simulator.step()));
  let silentQuotes: ReturnType<typeof getQuotes> | null = null;
  for (let index = first.length; index < secondsRun; index += 1) {
    const second = getQuotes(simulator.step());
    if (second.quotes.some((row) => row.includes(null))) silentQuotes ??= second;
  }
  const end = simulator.state();
  const endMs = firstMs + secondsRun * 1_000;
  const crossedMs = endMs + 1_000_000;
  return {
    symbols: model.names,
    history: { first: firstMs / 1_000, state: bytesToHex(encodeState(model, state)) },
    seconds: first,
    silent: silentQuotes,
    after: { seconds: secondsRun, state_hash: computeHash(end) },
    crossed: {
      from: endMs / 1_000,
      to: crossedMs / 1_000,
      state_hash: computeHash(crossTime(model, end, seed, endMs, crossedMs)),
    },
  };
}

export function createSimulatorVectors() {
  return {
    about:
      "The simulated market, version 1. Numbers in hex are the bits of a binary64, most significant first. `history` is the state before the second `first`; `seconds` the quotes of the seconds from there on, by venue and symbol; `silent` the first second in which a venue has no fresh quote; `after` the state after that many seconds; `crossed` the state after coarse steps of 300 s from there. `day` is a whole log with a day to be run again, and falsified ones with what must be found.",
    seed: bytesToHex(seed),
    exp: getValues(exp, [0, 1, -1, 0.3, 11.066638364341463, -9.2e-9, 88.7, -100]),
    sqrt: getValues(squareRoot, [0, 1, 2, 0.09, 1 / 31_557_600, 1 - 0.09, 300 / 31_557_600]),
    ln: getValues(logarithm, [1, 64_000, 3_100, 0.58, 0.12]),
    draws: toWords(),
    worlds: worlds.map(toPath),
    day: createSimulatedDayVectors(),
  };
}
