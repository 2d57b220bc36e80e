import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { dayNumber, daySeed } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { crossTime, Simulator } from "#core/market/simulate/simulator.ts";
import { encodeState, type SimulatorState } from "#core/market/simulate/state.ts";
import { symbols } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeSeed, type SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { createCosignedSource, vectorOrigin } from "./log.ts";

/** Half a minute before midnight; the next day begins five minutes and ten seconds late. */
const midnightMs = 1_767_571_200_000;
const createdAtMs = midnightMs - 30_000;
const lateMs = midnightMs + 310_000;
/** Seconds of the first day that have a leaf: all but the seventh and the eighth. */
const closedSeconds = Array.from({ length: 29 }, (_, index) => index + 1).filter(
  (second) => second !== 7 && second !== 8,
);

const world = "vector";
const names = ["BTC/USDT", "USDC/USDT"] as const;
const links = new SeedChain(new Uint8Array(32).fill(0x66));
const model = createModel(names);

interface Change {
  /** Added to every bid and ask of the tenth second. */
  price?: bigint;
  startState?: (bytes: Uint8Array) => Uint8Array;
  nextState?: (bytes: Uint8Array) => Uint8Array;
  source?: SeedSource;
  link?: Uint8Array;
  missing?: { from: number; count: number }[];
  twice?: boolean;
  begunLate?: boolean;
  unrevealed?: boolean;
}

function secondEntry({ secondMs, quotes }: ReturnType<Simulator["step"]>, price = 0n): Uint8Array {
  const best = quotes.map((row) =>
    filterFreshQuotes(row, secondMs).map(
      (freshQuote) => freshQuote && { bid: freshQuote.bid + price, ask: freshQuote.ask + price },
    ),
  );
  const index = names.map((_, s) => computeIndexValue(best.map((row) => row[s] ?? null)));
  return encodeSecond({ secondMs, quotes: best, index, ...bindOrders([]) }, worldTag(world));
}

const keepBytes = (bytes: Uint8Array) => bytes;

/** The log of a day and the leaves after it, honest except for the change. */
function createLog(change: Change = {}): Uint8Array[] {
  const first = encodeWorld({
    world,
    market: { kind: "simulated", speed: 1 },
    simulator: 1,
    seedAnchor: links.anchor,
    beacon: null,
    recording: null,
    createdAtMs,
    venues: [...venues],
    symbols: names.map((name) => ({ name, scale: symbols[name].scale, venues: [...venues] })),
  });
  const getLink = (ms: number) => links.seedOf(dayNumber({ createdAtMs }, ms));
  const begin = (ms: number, source: SeedSource) =>
    encodeSeed({ action: "begin", world, dayMs: ms, source });
  const reveal = (ms: number, link: Uint8Array, state: Uint8Array) =>
    encodeSeed({ action: "reveal", world, dayMs: ms, link, simulator: model.name, state });

  const startMs = createdAtMs + 1_000;
  const source = change.source ?? createCosignedSource([first]);
  const seed = daySeed(getLink(startMs), change.source ? createCosignedSource([first]) : source);
  const start: SimulatorState = simulateHistory(model, seed, startMs).state;
  const simulator = new Simulator(model, seed, start, startMs);
  const path = Array.from({ length: 29 }, () => simulator.step());
  const seconds = closedSeconds.map((second) =>
    secondEntry(path[second - 1]!, second === 10 ? change.price : undefined),
  );
  if (change.twice) seconds.splice(10, 0, seconds[9]!);

  const nextSeed = daySeed(getLink(lateMs), { kind: "none" });
  const nextState = crossTime(model, simulator.state(), nextSeed, midnightMs, lateMs);
  const lateSecond = new Simulator(model, nextSeed, nextState, lateMs).step();
  const thirdMs = midnightMs + dayMs;
  const third = daySeed(getLink(thirdMs), { kind: "none" });
  const day = Math.floor(createdAtMs / dayMs);
  const from = (startMs % dayMs) / 1_000;
  const ordinary = [{ from: from + 6, count: 2 }];
  const stateAtStart = begin(startMs, source);
  const encode = (state: SimulatorState) => encodeState(model, state);
  return [
    first,
    ...(change.begunLate ? [seconds.shift()!, stateAtStart] : [stateAtStart]),
    ...seconds,
    ...(change.unrevealed
      ? []
      : [
          reveal(
            startMs,
            change.link ?? getLink(startMs),
            (change.startState ?? keepBytes)(encode(start)),
          ),
        ]),
    begin(lateMs, { kind: "none" }),
    secondEntry(lateSecond),
    encodeDay(
      {
        day,
        due: { from, count: 29 },
        voids: { noEntry: 0, fewSamples: 0 },
        before: null,
        missing: change.missing ?? ordinary,
      },
      world,
    ),
    reveal(lateMs, getLink(lateMs), (change.nextState ?? keepBytes)(encode(nextState))),
    begin(thirdMs, { kind: "none" }),
    secondEntry(new Simulator(model, third, nextState, thirdMs).step()),
  ];
}

/** The lowest bit of a state's second number. */
const flipBit = (bytes: Uint8Array) => bytes.map((byte, index) => (index === 8 ? byte ^ 1 : byte));
const from = ((createdAtMs + 1_000) % dayMs) / 1_000;

const falsified: [string, Change, string, string][] = [
  ["a tick more in one second", { price: 1n }, "path", "quotes_differ"],
  ["the same second twice", { twice: true }, "day", "seconds_not_ascending"],
  [
    "a missing second that is not counted",
    { missing: [{ from: from + 6, count: 1 }] },
    "day",
    "day_seconds_differ",
  ],
  [
    "a closed second that is counted",
    { missing: [{ from: from + 6, count: 3 }] },
    "day",
    "day_seconds_differ",
  ],
  ["another state at its start", { startState: flipBit }, "state", "state_differs"],
  ["the next day from another state", { nextState: flipBit }, "state", "state_differs"],
  ["the link of the next day", { link: links.seedOf(1) }, "seed", "seed_link_differs"],
  ["a link of no chain", { link: new Uint8Array(32) }, "seed", "seed_link_differs"],
  ["begun when its first price was known", { begunLate: true }, "seed", "seed_leaf_differs"],
  ["never revealed", { unrevealed: true }, "seed", "seed_missing"],
  [
    "mixed with a cosignature of a later tree",
    { source: createCosignedSource(Array.from({ length: 9 }, () => new Uint8Array())) },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with a cosignature of another log",
    { source: createCosignedSource([new Uint8Array()], "elsewhere") },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with something else than it says",
    { source: { kind: "none" } },
    "state",
    "state_differs",
  ],
];

export function createSimulatedDayVectors() {
  return {
    origin: vectorOrigin,
    day: Math.floor(createdAtMs / dayMs),
    entries: createLog().map(bytesToHex),
    falsified: falsified.map(([name, change, step, difference]) => ({
      name,
      entries: createLog(change).map(bytesToHex),
      step,
      difference,
    })),
  };
}
