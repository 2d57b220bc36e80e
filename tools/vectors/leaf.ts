import { computeIndexValue } from "#core/market/indexValue.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { auditStart, decodeAudit, encodeAudit } from "#core/transparency-log/auditLeaf.ts";
import type { WorldBeacon } from "#core/transparency-log/beacon.ts";
import { decodeBuild, encodeBuild } from "#core/transparency-log/buildLeaf.ts";
import { bytesToBase64, bytesToHex, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { encodeVkey, noteKey, signNote } from "#core/transparency-log/checkpoint.ts";
import { type DayLeaf, decodeDay, encodeDay } from "#core/transparency-log/dayLeaf.ts";
import { encodeJsonLeaf, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeLiabilities, encodeLiabilities } from "#core/transparency-log/liabilitiesLeaf.ts";
import { leafHash } from "#core/transparency-log/merkle.ts";
import {
  bindOrders,
  decodeSecond,
  encodeSecond,
  type SecondLeaf,
} from "#core/transparency-log/secondLeaf.ts";
import { decodeSeed, encodeSeed, type SeedLeaf } from "#core/transparency-log/seedLeaf.ts";
import { decodeSleep, encodeSleep } from "#core/transparency-log/sleepLeaf.ts";
import { decodeSuccession, encodeSuccession } from "#core/transparency-log/successionLeaf.ts";
import { decodeTerms, encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import type { ReadError } from "#core/transparency-log/varint.ts";
import {
  decodeWorld,
  encodeWorld,
  filterListedQuotes,
  type WorldLeaf,
} from "#core/transparency-log/worldLeaf.ts";
import { createCosignedSource, vectorKey, vectorOrigin, vectorSigner } from "./log.ts";

const world = "vector";
const tag = worldTag(world);
const links = new SeedChain(new Uint8Array(32).fill(0x11));
const dayMs = 1_767_571_200_000;

const seconds: Record<string, SecondLeaf> = {
  "two venues, one symbol with index, one gap, no orders": {
    secondMs: dayMs + 1_000,
    quotes: [
      [{ bid: 2_312_344n, ask: 2_312_346n }, null],
      [
        { bid: 2_312_340n, ask: 2_312_351n },
        { bid: 5n, ask: 6n },
      ],
    ],
    index: [2_312_345n, null],
    ...bindOrders([]),
  },
  "one venue, two orders bound": {
    secondMs: dayMs + 2_000,
    quotes: [[{ bid: 1n, ask: 1_000_000_000_000n }]],
    index: [500_000_000_000n],
    ...bindOrders([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]),
  },
  "no venues, no symbols": { secondMs: 0, quotes: [], index: [], ...bindOrders([]) },
};

const days: Record<string, DayLeaf> = {
  "a whole day with two gaps": {
    day: dayMs / 86_400_000,
    due: { from: 0, count: 86_400 },
    voids: { noEntry: 1, fewSamples: 300 },
    before: 0,
    missing: [
      { from: 0, count: 3 },
      { from: 86_000, count: 400 },
    ],
  },
  "the first day, without a gap": {
    day: dayMs / 86_400_000 - 1,
    due: { from: 86_399, count: 1 },
    voids: { noEntry: 0, fewSamples: 0 },
    before: null,
    missing: [],
  },
};

const dayJson = ({ day, due, voids, before, missing }: DayLeaf) => ({
  day,
  due: [due.from, due.count],
  no_entry: voids.noEntry,
  few_samples: voids.fewSamples,
  before,
  missing: missing.map(({ from, count }) => [from, count]),
});

function secondJson({ secondMs, quotes, index, ordersCount, ordersRoot }: SecondLeaf) {
  return {
    second_ms: secondMs,
    quotes: quotes.map((row) =>
      row.map((quote) => quote && { bid: String(quote.bid), ask: String(quote.ask) }),
    ),
    index: index.map((value) => (value === null ? null : String(value))),
    orders_count: ordersCount,
    orders_root: bytesToHex(ordersRoot),
  };
}

const beaconRound = { round: 9, signature: new Uint8Array(48).fill(0x88) };
const beacon: WorldBeacon = {
  publicKey: new Uint8Array(96).fill(0x77),
  genesisSeconds: 1_692_803_367,
  periodSeconds: 3,
  startedAtMs: dayMs - 5_000,
};

function jsonLeaves() {
  const terms = canonicalBytes({ practice: true, backing: "none", world, version: 1 });
  const begin: SeedLeaf = { action: "begin", world, dayMs, source: { kind: "none" } };
  const state = Uint8Array.of(1, 2, 3);
  const reveal: SeedLeaf = {
    action: "reveal",
    world,
    dayMs,
    link: links.seedOf(0),
    simulator: "example/1",
    state,
  };
  const worldLeaf: WorldLeaf = {
    world,
    market: { kind: "simulated", speed: 1 },
    simulator: 1,
    seedAnchor: links.anchor,
    beacon: null,
    recording: null,
    createdAtMs: dayMs,
    venues: ["north", "south"],
    symbols: [
      { name: "BTC/USDT", scale: 2, venues: ["north", "south"] },
      { name: "XRP/USDT", scale: 5, venues: ["south"] },
    ],
  };
  return {
    world: encodeWorld(worldLeaf),
    "world with a beacon": encodeWorld({ ...worldLeaf, beacon }),
    terms: encodeTerms(terms, world),
    "world of a recording": encodeWorld({
      ...worldLeaf,
      market: { kind: "replay", speed: 60 },
      simulator: null,
      seedAnchor: null,
      recording: new Uint8Array(32).fill(0x55),
    }),
    "seed begin": encodeSeed(begin),
    "seed begin, mixed with a cosignature": encodeSeed({
      ...begin,
      source: createCosignedSource([new Uint8Array()]),
    }),
    "seed begin, mixed with a round": encodeSeed({
      ...begin,
      source: { kind: "beacon", ...beaconRound },
    }),
    "seed round": encodeSeed({
      action: "round",
      world,
      dayMs,
      ...beaconRound,
    }),
    "seed reveal": encodeSeed(reveal),
    liabilities: encodeLiabilities({
      world,
      before: 7,
      atMs: dayMs + 61_000,
      batch: 7,
      batchHead: new Uint8Array(32).fill(0x22),
      accounts: 3,
      root: new Uint8Array(32).fill(0x33),
      users: [19_999_000_000n, 0n, 5n, 0n],
      house: [-19_999_000_000n, 0n, -5n, 0n],
    }),
    succession: encodeSuccession({ world, note: successionNote("1") }),
    sleep: encodeSleep({ world, lastSecondMs: dayMs + 1_000, wokeAtMs: dayMs + 61_234 }),
    build: encodeBuild({ world, version: "0.1.0", listHash: new Uint8Array(32).fill(0x44) }),
    "audit act": encodeAudit({
      world,
      seq: 2,
      before: 9,
      previous: "55".repeat(32),
      atMs: dayMs + 5,
      record: {
        type: "act",
        act: {
          what: "class.sign_up_changed",
          role: "owner",
          target: null,
          details: { from: "open", to: "class_links" },
        },
        commitment: "66".repeat(32),
      },
    }),
    "audit act that touches a person": encodeAudit({
      world,
      seq: 1,
      before: null,
      previous: auditStart,
      atMs: dayMs + 4,
      record: { type: "act", act: null, commitment: "77".repeat(32) },
    }),
    "audit publication": encodeAudit({
      world,
      seq: 3,
      before: 10,
      previous: "88".repeat(32),
      atMs: dayMs + 6,
      record: {
        type: "publication",
        publication: "01900000-0000-8000-8000-000000000001",
        kind: "news",
        subject: null,
        version: 2,
        state: "published",
        text: "99".repeat(32),
        languages: ["de", "en"],
      },
    }),
  };
}

const otherKey = noteKey("drydock.invalid/vector/11111111", vectorKey.publicKey);

/** The vectors' log ended at one leaf, of which none survived; `size` may be malformed. */
function successionNote(size: string, origin = vectorOrigin): string {
  const root = bytesToBase64(leafHash(utf8ToBytes("a")));
  const lines = ["drydock.succession/1", origin, size, root, "0", otherKey.name];
  return signNote(`${lines.join("\n")}\n${encodeVkey(otherKey)}\n`, [vectorSigner]);
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes.subarray(11));

export function createLeafVectors() {
  const leaves = jsonLeaves();
  return {
    about: "Leaves by kind, and bytes that a reader must refuse, with the reason.",
    world,
    world_tag: bytesToHex(tag),
    second: Object.entries(seconds).map(([name, leaf]) => ({
      name,
      value: secondJson(leaf),
      bytes: bytesToHex(encodeSecond(leaf, tag)),
    })),
    day: Object.entries(days).map(([name, leaf]) => ({
      name,
      value: dayJson(leaf),
      bytes: bytesToHex(encodeDay(leaf, world)),
    })),
    json: Object.entries(leaves).map(([name, bytes]) => ({
      name,
      body: text(bytes),
      bytes: bytesToHex(bytes),
    })),
    refused: refused(leaves),
    index: indexVectors(),
  };
}

/** Seconds with quotes that do not count, and the index by those that do. */
function indexVectors() {
  const mids = (...all: bigint[]) => all.map((mid) => ({ bid: mid - 1n, ask: mid + 1n }));
  const flat = { bid: 104n, ask: 104n };
  const cases: [string, BestPrices[], string[], bigint | null][] = [
    ["all count", mids(100n, 102n, 104n), ["a", "b", "c"], 102n],
    ["an ask that is its bid", [...mids(100n, 102n), flat], ["a", "b", "c"], 101n],
    ["an ask that is its bid, one left", [...mids(100n), flat], ["a", "b"], null],
    ["the third venue does not list the symbol", mids(100n, 102n, 104n), ["a", "b"], 101n],
    ["only one that lists it has a quote", [...mids(100n), flat], ["b"], null],
  ];
  return cases.map(([name, prices, listing, index]) => {
    const venues = ["a", "b", "c"].slice(0, prices.length);
    const leaf = { secondMs: dayMs, quotes: prices.map((price) => [price]), index: [index] };
    const symbols = [{ name: "BTC/USDT", scale: 2, venues: listing }];
    const computed = computeIndexValue(filterListedQuotes({ venues, symbols }, leaf.quotes, 0));
    if (computed !== index) throw new Error(`${name}: the quotes give ${computed}`);
    const bytes = bytesToHex(encodeSecond({ ...leaf, ...bindOrders([]) }, tag));
    return { name, venues, symbols, bytes, index: index?.toString() ?? null };
  });
}

function refused(leaves: ReturnType<typeof jsonLeaves>) {
  const validLeaf = encodeSecond(Object.values(seconds)[0]!, tag);
  const head = Array.from(validLeaf.subarray(0, 11));
  const dayHead = encodeDay(days["the first day, without a gap"]!, world).subarray(0, 11);
  /** 86 400 as a number. */
  const wholeDay = [0x80, 0xa3, 0x05];
  const change = (bytes: Uint8Array, position: number, to: number) =>
    bytes.map((byte, index) => (index === position ? to : byte));
  const audit = (from: string, to: string) =>
    replaceText(leaves["audit act that touches a person"], from, to);
  const publication = (from: string, to: string) =>
    replaceText(leaves["audit publication"], from, to);
  const cases: [string, RefusedKind, Uint8Array][] = [
    ["version 2", "second", change(validLeaf, 0, 2)],
    ["another kind", "second", leaves.terms],
    ["no practice mark", "second", change(validLeaf, 2, 0)],
    ["another world", "second", change(validLeaf, 3, validLeaf[3]! ^ 1)],
    ["one byte more", "second", Uint8Array.from([...validLeaf, 0])],
    ["one byte less", "second", validLeaf.subarray(0, -1)],
    ["a number in a longer spelling", "second", Uint8Array.from([...head, 0x80, 0x00, 0, 0, 0])],
    ["a number of eleven bytes", "second", Uint8Array.from([...head, ...Array(10).fill(0xff), 1])],
    ["a venue that is not there", "second", Uint8Array.from([...head, 1, 0, 0, 1, 2])],
    ["an index of zero", "second", Uint8Array.from([...head, 1, 0, 0, 1, 1, 0])],
    ["a bid of zero", "second", Uint8Array.from([...head, 1, 0, 1, 1, 2, 0, 1])],
    ["terms that are not canonical", "terms", Uint8Array.from([...leaves.terms, 0x20])],
    ["a seed leaf cut short", "seed", leaves["seed begin"].subarray(0, -2)],
    ["a seed of a source that nobody knows", "seed", getSeed({ kind: "moon" })],
    ["a seed of a witness without its signature", "seed", getSeed({ kind: "witness" })],
    ["a seed of a beacon without its signature", "seed", getSeed({ kind: "beacon" })],
    [
      "a round of no midnight",
      "seed",
      replaceText(leaves["seed round"], `"day_ms":${dayMs}`, `"day_ms":${dayMs + 1_000}`),
    ],
    ["a round of number 0", "seed", replaceText(leaves["seed round"], '"round":9', '"round":0')],
    [
      "a world whose beacon's key is short",
      "world",
      replaceText(leaves["world with a beacon"], "7777", "77"),
    ],
    [
      "a world whose beacon has no period",
      "world",
      replaceText(leaves["world with a beacon"], '"period":3', '"period":0'),
    ],
    ["a simulated world without an anchor", "world", withoutAnchor(leaves.world)],
    ["a world without its practice mark", "world", change(leaves.world, 2, 1)],
    ["liabilities whose columns do not cancel out", "liabilities", replace(leaves, '"-5"', '"-4"')],
    ["liabilities of a coin without its mark", "liabilities", replace(leaves, "pBTC", "BTC0")],
    ["a build without a version", "build", build({ list: "0".repeat(64), version: "" })],
    ["a build whose list is no hash", "build", build({ list: "0", version: "1" })],
    [
      "a build with a further member",
      "build",
      build({ list: "0".repeat(64), version: "1", at: 1 }),
    ],
    ["a first act with one before it", "audit", audit('"before":null', '"before":3')],
    ["a first act that follows a hash", "audit", audit(auditStart, "1".repeat(64))],
    [
      "a touching act with a further member",
      "audit",
      audit('"seq":1', '"seq":1,"touches":"somebody"'),
    ],
    ["an act without a commitment", "audit", audit(`"${"77".repeat(32)}"`, "null")],
    ["an act of number 0", "audit", audit('"seq":1', '"seq":0')],
    ["languages out of order", "audit", publication('["de","en"]', '["en","de"]')],
    ["a text in an unknown state", "audit", publication('"published"', '"changed"')],
    ["a day without a second", "day", Uint8Array.from([...dayHead, 1, 0, 0, 0, 0, 0, 0])],
    [
      "a day of 86 401 seconds",
      "day",
      Uint8Array.from([...dayHead, 1, 1, ...wholeDay, 0, 0, 0, 0]),
    ],
    [
      "a gap of no second",
      "day",
      Uint8Array.from([...dayHead, 1, 0, ...wholeDay, 0, 0, 0, 1, 5, 0]),
    ],
    [
      "two gaps that touch",
      "day",
      Uint8Array.from([...dayHead, 1, 0, ...wholeDay, 0, 0, 0, 2, 5, 1, 0, 1]),
    ],
    ["a gap beyond what was due", "day", Uint8Array.from([...dayHead, 1, 0, 9, 0, 0, 0, 1, 5, 5])],
    ["a succession without a signature", "succession", succession(`${successionNote("1")}\n`)],
    ["a succession of a size in another spelling", "succession", succession(successionNote("01"))],
    ["a log that succeeds itself", "succession", succession(successionNote("1", otherKey.name))],
    ["a succession in no note", "succession", succession("drydock.succession/1\n")],
    ["a sleep that ends where it began", "sleep", sleep(dayMs, dayMs)],
    ["a sleep that began between two seconds", "sleep", sleep(dayMs + 1, dayMs + 2_000)],
    [
      "a sleep that ends at a fraction",
      "sleep",
      replaceText(sleep(dayMs, dayMs + 5), "5,", "5.5,"),
    ],
    ["liabilities to nobody", "liabilities", replace(leaves, '"accounts":3', '"accounts":0')],
  ];
  return cases.map(([name, kind, bytes]) => ({
    name,
    kind,
    bytes: bytesToHex(bytes),
    error: findError(kind, bytes),
  }));
}

type RefusedKind =
  | "second"
  | "day"
  | "world"
  | "terms"
  | "seed"
  | "liabilities"
  | "build"
  | "audit"
  | "succession"
  | "sleep";

const getSeed = (source: { kind: string }) =>
  encodeJsonLeaf("seed", {
    practice: true,
    backing: "none",
    world,
    day_ms: dayMs,
    action: "begin",
    source,
  });

function withoutAnchor(bytes: Uint8Array): Uint8Array {
  const body = text(bytes).replace(/"seed_anchor":"[0-9a-f]{64}",/, "");
  return Uint8Array.from([...bytes.subarray(0, 11), ...new TextEncoder().encode(body)]);
}

const succession = (note: string) =>
  encodeJsonLeaf("succession", { practice: true, backing: "none", world, note });

const sleep = (lastSecondMs: number, wokeAtMs: number) =>
  encodeJsonLeaf("sleep", {
    practice: true,
    backing: "none",
    world,
    last_second_ms: lastSecondMs,
    woke_at_ms: wokeAtMs,
  });

const build = (members: Record<string, string | number>) =>
  encodeJsonLeaf("build", { practice: true, backing: "none", world, ...members });

/** A JSON leaf with every occurrence of a text replaced. */
function replaceText(leaf: Uint8Array, from: string, to: string) {
  const body = new TextEncoder().encode(text(leaf).replaceAll(from, to));
  return Uint8Array.from([...leaf.subarray(0, 11), ...body]);
}

const replace = ({ liabilities }: ReturnType<typeof jsonLeaves>, from: string, to: string) =>
  replaceText(liabilities, from, to);

function findError(kind: RefusedKind, bytes: Uint8Array): ReadError {
  const decoders = {
    second: decodeSecond,
    day: decodeDay,
    terms: decodeTerms,
    seed: decodeSeed,
    liabilities: decodeLiabilities,
    build: decodeBuild,
    audit: decodeAudit,
    succession: decodeSuccession,
    sleep: decodeSleep,
  };
  const result = kind === "world" ? decodeWorld(bytes) : decoders[kind](bytes, tag);
  if (result.ok) throw new Error(`a ${kind} leaf that must be refused was decoded`);
  return result.error;
}
