import { bls12_381 } from "@noble/curves/bls12-381.js";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { dayNumber, daySeed } from "#core/market/simulate/daySeed.ts";
import { simulateHistory } from "#core/market/simulate/history.ts";
import { createModel } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { crossTime, Simulator } from "#core/market/simulate/simulator.ts";
import { encodeState } from "#core/market/simulate/state.ts";
import { symbols } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";
import {
  type Beacon,
  type BeaconRound,
  computePublishedMs,
  getRoundOfDay,
  knownBeacons,
  roundDomain,
  roundMessage,
  type WorldBeacon,
} from "#core/transparency-log/beacon.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { encodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeSeed, type SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import { vectorOrigin } from "./log.ts";

const scheme = bls12_381.shortSignatures;

/** A beacon for vectors only; its secret is public. */
const deriveSecret = (byte: number) => new Uint8Array(32).fill(byte);
const vectorSecret = deriveSecret(0x21);
const vectorBeacon: Beacon = {
  publicKey: scheme.getPublicKey(vectorSecret).toBytes(true),
  genesisSeconds: 1_700_000_000,
  periodSeconds: 3,
};

function signedRound(round: number, secret = vectorSecret): BeaconRound {
  const signature = scheme.sign(scheme.hash(roundMessage(round), roundDomain), secret);
  return { round, signature: scheme.Signature.toBytes(signature) };
}

/** Rounds of drand quicknet with their randomness, as the League of Entropy published them. */
const published = [
  [
    123,
    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
    "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
  ],
  [
    1_000,
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
  ],
] as const;

const beaconJson = ({ publicKey, genesisSeconds, periodSeconds }: Beacon) => ({
  public_key: bytesToHex(publicKey),
  genesis: genesisSeconds,
  period: periodSeconds,
});

const roundJson = ({ round, signature }: BeaconRound) => ({
  round,
  signature: bytesToHex(signature),
});

/** The world begins 45 s before a midnight, and nothing runs until half a minute before the next. */
const midnightMs = 1_767_571_200_000;
const createdAtMs = midnightMs - 45_000;
const lateMs = midnightMs + dayMs - 30_000;
/** Real time is four minutes behind world time. */
const startedAtMs = createdAtMs - 240_000;

const world = "vector";
const names = ["BTC/USDT", "USDC/USDT"] as const;
const links = new SeedChain(new Uint8Array(32).fill(0x67));
const model = createModel(names);
const beacon: WorldBeacon = { ...vectorBeacon, startedAtMs };
const context = { beacon, createdAtMs, market: { speed: 1 } };
const dueRound = getRoundOfDay(context, midnightMs)!;

function rules() {
  const quicknet = { ...knownBeacons[0]!, startedAtMs: Date.UTC(2026, 0, 1, 12, 0, 0) };
  const hoursAfter = (hours: number) => quicknet.startedAtMs + hours * 3_600_000;
  const cases: [number, number, number][] = [
    [1, quicknet.startedAtMs, hoursAfter(1)],
    [1, quicknet.startedAtMs, hoursAfter(12)],
    [1, quicknet.startedAtMs, hoursAfter(35.9)],
    [60, quicknet.startedAtMs, hoursAfter(12)],
    [7, Date.UTC(2023, 4, 5, 6, 7, 8), Date.UTC(2023, 8, 1)],
    // The round before the first midnight was published before the world began.
    [60, Date.UTC(2026, 4, 5, 23, 45), Date.UTC(2026, 4, 6)],
  ];
  return cases.map(([speed, createdAtMs, atMs]) => ({
    speed,
    created_at_ms: createdAtMs,
    started_at_ms: quicknet.startedAtMs,
    at_ms: atMs,
    round: getRoundOfDay({ beacon: quicknet, createdAtMs, market: { speed } }, atMs),
  }));
}

interface Change {
  /** The source stated in the day's leaf, and the one mixed in. */
  source: SeedSource;
  mixed?: SeedSource;
  /** In the log before the day begins; null: it was not written. */
  round: BeaconRound | null;
  beacon?: WorldBeacon | null;
}

function secondEntry({ secondMs, quotes }: ReturnType<Simulator["step"]>): Uint8Array {
  const best = quotes.map((row) => filterFreshQuotes(row, secondMs));
  const index = names.map((_, s) => computeIndexValue(best.map((row) => row[s] ?? null)));
  return encodeSecond({ secondMs, quotes: best, index, ...bindOrders([]) }, worldTag(world));
}

/** The log of a world's second day, which begins late. */
function createLog({ source, mixed = source, round, ...change }: Change): Uint8Array[] {
  const getLink = (ms: number) => links.seedOf(dayNumber({ createdAtMs }, ms));
  const begin = (ms: number, from: SeedSource) =>
    encodeSeed({ action: "begin", world, dayMs: ms, source: from });
  const reveal = (ms: number, state: Uint8Array) =>
    encodeSeed({
      action: "reveal",
      world,
      dayMs: ms,
      link: getLink(ms),
      simulator: model.name,
      state,
    });
  const dayLeaf = (
    first: number,
    count: number,
    closedRange: [number, number],
    before: number | null,
  ) =>
    encodeDay(
      {
        day: Math.floor(createdAtMs / dayMs) + (before === null ? 0 : 1),
        due: { from: first, count },
        voids: { noEntry: 0, fewSamples: 0 },
        before,
        missing: [
          { from: first, count: closedRange[0] - first },
          { from: closedRange[1], count: first + count - closedRange[1] },
        ].filter((item) => item.count > 0),
      },
      world,
    );
  const startMs = createdAtMs + 1_000;
  const noSource: SeedSource = { kind: "none" };
  const firstSeed = daySeed(getLink(startMs), noSource);
  const start = simulateHistory(model, firstSeed, startMs).state;
  const first = new Simulator(model, firstSeed, start, startMs);
  const seconds = Array.from({ length: 44 }, () => secondEntry(first.step()));
  const seed = daySeed(getLink(lateMs), mixed);
  const lateState = crossTime(model, first.state(), seed, midnightMs, lateMs);
  const lateSecond = new Simulator(model, seed, lateState, lateMs);
  const path = Array.from({ length: 30 }, () => secondEntry(lateSecond.step()));
  const nextMs = midnightMs + dayMs;
  const next = new Simulator(model, daySeed(getLink(nextMs), noSource), lateSecond.state(), nextMs);
  const roundLeaf = round && encodeSeed({ action: "round", world, dayMs: midnightMs, ...round });
  const from = (startMs % dayMs) / 1_000;
  // Half a minute before midnight, and a second for the answer.
  const knownLeaf = 16;
  const before = [
    encodeWorld({
      world,
      market: { kind: "simulated", speed: 1 },
      simulator: 1,
      seedAnchor: links.anchor,
      beacon: change.beacon === undefined ? beacon : change.beacon,
      recording: null,
      createdAtMs,
      venues: [...venues],
      symbols: names.map((name) => ({ name, scale: symbols[name].scale, venues: [...venues] })),
    }),
    begin(startMs, noSource),
    ...seconds.slice(0, knownLeaf),
    ...(roundLeaf ? [roundLeaf] : []),
    ...seconds.slice(knownLeaf),
    reveal(startMs, encodeState(model, start)),
    begin(lateMs, source),
    path[0]!,
  ];
  return [
    ...before,
    dayLeaf(from, 44, [from, from + 44], null),
    ...path.slice(1),
    reveal(lateMs, encodeState(model, lateState)),
    begin(nextMs, noSource),
    secondEntry(next.step()),
    dayLeaf(0, 86_400, [86_370, 86_400], before.length),
  ];
}

const dueSignedRound = signedRound(dueRound);
const asSource = (round: BeaconRound): SeedSource => ({ kind: "beacon", ...round });
const noSource: SeedSource = { kind: "none" };
const forgedRound = signedRound(dueRound, deriveSecret(0x22));
/** Another point of the group, in the encoding of one. */
const alteredRound = { round: dueRound, signature: signedRound(dueRound + 7).signature };

const falsified: [string, Change, string, string][] = [
  [
    "mixed with the round before",
    { source: asSource(signedRound(dueRound - 1)), round: null },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with the round after",
    { source: asSource(signedRound(dueRound + 1)), round: null },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with a round of another key",
    { source: asSource(forgedRound), round: null },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with another signature than the round's",
    { source: asSource(alteredRound), round: null },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with bytes that are no point",
    {
      source: asSource({ round: dueRound, signature: new Uint8Array(48).fill(0x99) }),
      round: null,
    },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with nothing although the log holds the round",
    { source: noSource, round: dueSignedRound },
    "seed",
    "seed_source_differs",
  ],
  [
    "a round in the log that is not the one due",
    { source: noSource, round: signedRound(dueRound - 1) },
    "seed",
    "seed_source_differs",
  ],
  [
    "a round in the log of another key",
    { source: asSource(dueSignedRound), round: forgedRound },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with a round in a world without a beacon",
    { source: asSource(dueSignedRound), round: null, beacon: null },
    "seed",
    "seed_source_differs",
  ],
  [
    "mixed with something else than it says",
    { source: asSource(dueSignedRound), mixed: noSource, round: dueSignedRound },
    "path",
    "quotes_differ",
  ],
];

const listEntries = (change: Change) => createLog(change).map(bytesToHex);

export function createBeaconVectors() {
  return {
    about:
      "A public beacon in day seeds. `quicknet` has rounds as the League of Entropy published them, with what must be refused; `rules` the round that is due on the day of a world time; `days` whole logs of a world with a beacon made for these vectors: one whose day is mixed with its round, one whose day had to do without (`missed`), and falsified ones with what must be found.",
    quicknet: {
      ...beaconJson(knownBeacons[0]!),
      rounds: published.map(([round, signature, randomness]) => ({ round, signature, randomness })),
      refused: [
        { name: "of another number", round: 124, signature: published[0][1] },
        { name: "of another round", round: 123, signature: published[1][1] },
        {
          name: "with another sign of y",
          round: 123,
          signature: `97${published[0][1].slice(2)}`,
        },
        { name: "of another network", ...roundJson(signedRound(123)) },
      ],
    },
    rules: rules(),
    days: {
      origin: vectorOrigin,
      secret: bytesToHex(vectorSecret),
      day: Math.floor(midnightMs / dayMs),
      round: {
        ...roundJson(dueSignedRound),
        published_at_ms: computePublishedMs(beacon, dueRound),
      },
      entries: listEntries({ source: asSource(dueSignedRound), round: dueSignedRound }),
      missed: listEntries({ source: noSource, round: null }),
      falsified: falsified.map(([name, change, step, difference]) => ({
        name,
        entries: listEntries(change),
        step,
        difference,
      })),
    },
  };
}
