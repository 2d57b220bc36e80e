import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBuild, encodeBuild } from "#core/transparency-log/buildLeaf.ts";
import { bytesToHex, hexToBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes, canonicalText, parseCanonical } from "#core/transparency-log/canonical.ts";
import { readKind, worldTag } from "#core/transparency-log/leaf.ts";
import {
  bindOrders,
  decodeSecond,
  encodeSecond,
  type SecondLeaf,
} from "#core/transparency-log/secondLeaf.ts";
import { decodeSeed, encodeSeed, type SeedLeaf } from "#core/transparency-log/seedLeaf.ts";
import { decodeTerms, encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import {
  decodeWorld,
  encodeWorld,
  filterListedQuotes,
  type WorldLeaf,
} from "#core/transparency-log/worldLeaf.ts";

const tag = worldTag("harbour");
const second: SecondLeaf = {
  secondMs: 1_700_000_001_000,
  quotes: [
    [{ bid: 2_312_344n, ask: 2_312_346n }, null],
    [{ bid: 2_312_340n, ask: 2_312_351n }, null],
  ],
  index: [2_312_345n, null],
  ...bindOrders([]),
};
const world: WorldLeaf = {
  world: "harbour",
  market: { kind: "simulated", speed: 1 },
  simulator: 1,
  seedAnchor: new Uint8Array(32).fill(6),
  beacon: null,
  recording: null,
  createdAtMs: 1_700_000_000_000,
  venues: ["north", "south"],
  symbols: [
    { name: "BTC/USDT", scale: 2, venues: ["north", "south"] },
    { name: "XRP/USDT", scale: 5, venues: ["south"] },
  ],
};
const withVenues = (venues: string[]) => ({
  ...world,
  symbols: [{ name: "BTC/USDT", scale: 2, venues }],
});
const terms = canonicalBytes({ practice: true, backing: "none", world: "harbour", version: 1 });
const beginLeaf: SeedLeaf = {
  action: "begin",
  world: "harbour",
  dayMs: 86_400_000,
  source: { kind: "none" },
};
const reveal: SeedLeaf = {
  action: "reveal",
  world: "harbour",
  dayMs: 86_400_000,
  link: new Uint8Array(32).fill(5),
  simulator: "drydock.simulate/1",
  state: Uint8Array.of(1, 2, 3),
};

const samples = {
  world: encodeWorld(world),
  second: encodeSecond(second, tag),
  terms: encodeTerms(terms, "harbour"),
  seed: encodeSeed(beginLeaf),
  build: encodeBuild({ world: "harbour", version: "1.2.3", listHash: new Uint8Array(32) }),
};
const decoders = {
  world: (bytes: Uint8Array) => decodeWorld(bytes),
  second: (bytes: Uint8Array) => decodeSecond(bytes, tag),
  terms: (bytes: Uint8Array) => decodeTerms(bytes, tag),
  seed: (bytes: Uint8Array) => decodeSeed(bytes, tag),
  build: (bytes: Uint8Array) => decodeBuild(bytes, tag),
};
const kinds = ["world", "second", "terms", "seed", "build"] as const;

describe("every leaf", () => {
  test.each(kinds)("%s survives a round trip and reports its kind", (kind) => {
    expect(decoders[kind](samples[kind]).ok).toBe(true);
    expect(readKind(samples[kind], tag)).toEqual({ ok: true, value: kind });
  });
  test.each(kinds)("%s without the practice label is refused", (kind) => {
    const bytes = samples[kind].slice();
    bytes[2] = 0;
    expect(decoders[kind](bytes)).toEqual({ ok: false, error: "leaf_not_practice" });
  });
  test.each(kinds)("%s of another version is refused", (kind) => {
    const bytes = samples[kind].slice();
    bytes[0] = 2;
    expect(decoders[kind](bytes)).toEqual({ ok: false, error: "leaf_version_unknown" });
  });
  test.each(kinds)("%s of another world is refused", (kind) => {
    const bytes = samples[kind].slice();
    bytes[5]! ^= 1;
    expect(decoders[kind](bytes)).toEqual({ ok: false, error: "leaf_world_wrong" });
  });
  test.each(kinds)("%s decoded as another kind is refused", (kind) => {
    const otherKind = kinds[(kinds.indexOf(kind) + 1) % kinds.length]!;
    expect(decoders[otherKind](samples[kind])).toEqual({ ok: false, error: "leaf_kind_wrong" });
  });
  test.each(
    kinds,
  )("%s without its label or of another world is refused before its kind is checked", (kind) => {
    const otherKind = kinds[(kinds.indexOf(kind) + 1) % kinds.length]!;
    const heads = [
      [0, "leaf_version_unknown"],
      [2, "leaf_not_practice"],
      [5, "leaf_world_wrong"],
    ] as const;
    for (const [offset, error] of heads.slice(0, otherKind === "world" ? 2 : 3)) {
      const bytes = samples[kind].slice();
      bytes[offset]! ^= 0x01;
      expect(decoders[otherKind](bytes)).toEqual({ ok: false, error });
      expect(readKind(bytes, tag)).toEqual({ ok: false, error });
    }
  });
  test.each(kinds)("%s with an extra byte or cut at any byte is refused", (kind) => {
    const bytes = samples[kind];
    expect(decoders[kind](Uint8Array.from([...bytes, 0])).ok).toBe(false);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decoders[kind](bytes.slice(0, length)).ok).toBe(false);
    }
  });
});

describe("second leaf", () => {
  test("the bytes of a second are pinned", () => {
    expect(bytesToHex(samples.second)).toBe(
      `010250${bytesToHex(tag)}81e2cfaa060002020799918d010102070b00`,
    );
  });
  test("a non-minimal varint is refused", () => {
    const hex = bytesToHex(samples.second);
    const longer = hexToBytes(hex.replace(/00020207/, "8000020207"));
    expect(decodeSecond(longer, tag)).toEqual({ ok: false, error: "leaf_varint_malformed" });
  });
  test("an unknown venue is refused", () => {
    const bytes = samples.second.slice();
    bytes[bytes.length - 1] = 8;
    expect(decodeSecond(bytes, tag)).toEqual({ ok: false, error: "leaf_value_invalid" });
  });
  test.each([
    ["half a second", { ...second, secondMs: 1_500 }],
    ["ask below bid", { ...second, quotes: [[{ bid: 2n, ask: 1n }, null]] }],
    ["a bid of zero", { ...second, quotes: [[{ bid: 0n, ask: 1n }, null]] }],
    ["an index of zero", { ...second, index: [0n, null] }],
    ["orders without their root", { ...second, ordersCount: 1, ordersRoot: new Uint8Array() }],
  ])("%s cannot be written", (_what, leaf) => {
    expect(() => encodeSecond(leaf, tag)).toThrow(RangeError);
  });
  test("any second survives a round trip, and its encoding is unique", () => {
    const quote = fc.option(
      fc.record({
        bid: fc.bigInt({ min: 1n, max: 10n ** 12n }),
        spread: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      }),
    );
    const leaf = fc
      .record({ venues: fc.nat({ max: 5 }), symbols: fc.nat({ max: 12 }) })
      .chain(({ venues, symbols }) =>
        fc.record({
          second: fc.nat(),
          orders: fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 9 }),
          index: fc.array(fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n })), {
            minLength: symbols,
            maxLength: symbols,
          }),
          quotes: fc.array(fc.array(quote, { minLength: symbols, maxLength: symbols }), {
            minLength: venues,
            maxLength: venues,
          }),
        }),
      );
    fc.assert(
      fc.property(leaf, fc.nat(), fc.integer({ min: 1, max: 255 }), (raw, index, change) => {
        const value: SecondLeaf = {
          secondMs: raw.second * 1000,
          index: raw.index,
          quotes: raw.quotes.map((row) =>
            row.map((value) => value && { bid: value.bid, ask: value.bid + value.spread }),
          ),
          ...bindOrders(raw.orders),
        };
        const bytes = encodeSecond(value, tag);
        expect(decodeSecond(bytes, tag)).toEqual({ ok: true, value });
        const alteredBytes = bytes.slice();
        alteredBytes[index % bytes.length]! ^= change;
        const second = decodeSecond(alteredBytes, tag);
        if (second.ok) expect(encodeSecond(second.value, tag)).toEqual(alteredBytes);
      }),
      { numRuns: 300 },
    );
  });
  test("a second of eleven symbols on three venues stays under 200 bytes", () => {
    const quotes = Array.from({ length: 3 }, (_, venue) =>
      Array.from({ length: 11 }, () => ({ bid: 2_312_340n + BigInt(venue), ask: 2_312_351n })),
    );
    const leaf = { ...second, quotes, index: Array.from({ length: 11 }, () => 2_312_345n) };
    expect(encodeSecond(leaf, tag).length).toBeLessThan(200);
  });
});

describe("world, terms and seed leaves", () => {
  test("a world survives a round trip", () => {
    expect(decodeWorld(samples.world)).toEqual({ ok: true, value: world });
  });
  test.each([
    ["speed 61", { ...world, market: { kind: "simulated" as const, speed: 61 } }],
    ["no simulator version", { ...world, simulator: null }],
    ["a fractional version", { ...world, simulator: 1.5 }],
    [
      "a simulator in a replayed market",
      { ...world, market: { kind: "replay" as const, speed: 1 } },
    ],
    ["a repeated venue", { ...world, venues: ["north", "north"] }],
    ["an empty name", { ...world, world: "" }],
    ["a symbol that no venue lists", withVenues([])],
    ["a symbol listed by an unknown venue", withVenues(["north", "mole"])],
    ["a symbol listed twice by one venue", withVenues(["north", "north"])],
    ["venues listed in another order", withVenues(["south", "north"])],
  ])("a world with %s cannot be written", (_what, leaf) => {
    expect(() => encodeWorld(leaf)).toThrow(RangeError);
  });
  test("a venue that does not list a symbol is excluded from its index", () => {
    const quotes = [
      ["a", "b"],
      ["c", null],
    ];
    expect(filterListedQuotes(world, quotes, 0)).toEqual(["a", "c"]);
    expect(filterListedQuotes(world, quotes, 1)).toEqual([null]);
    expect(filterListedQuotes(world, quotes, 2)).toEqual([]);
  });
  test("a terms leaf carries the hash of its exact bytes", () => {
    const decodedTerms = decodeTerms(samples.terms, tag);
    expect(decodedTerms.ok && bytesToHex(decodedTerms.value.termsHash)).toBe(
      bytesToHex(sha256(terms)),
    );
  });
  test.each([
    '{"backing":"none","practice":true,"world":"harbour" }',
    '{"practice":true,"backing":"none","world":"harbour"}',
    '{"backing":"some","practice":true,"world":"harbour"}',
    '{"backing":"none","practice":false,"world":"harbour"}',
    '{"backing":"none","practice":true}',
    '{"backing":"none","practice":true,"world":"elsewhere"}',
    "[]",
    "",
  ])("terms %s cannot be written", (text) => {
    expect(() => encodeTerms(utf8ToBytes(text), "harbour")).toThrow(RangeError);
  });
  test.each([beginLeaf, reveal])("a seed leaf survives a round trip: $action", (leaf) => {
    expect(decodeSeed(encodeSeed(leaf), tag)).toEqual({ ok: true, value: leaf });
  });
});

describe("canonical JSON", () => {
  test("keys are sorted and no whitespace is added", () => {
    expect(canonicalText({ b: [1, "é\n", null], a: { d: true, c: -5 } })).toBe(
      '{"a":{"c":-5,"d":true},"b":[1,"é\\n",null]}',
    );
  });
  test.each([
    [0.5],
    [1e300],
    [Number.NaN],
    ["\ud800"],
    [["\udc00"]],
  ])("%j cannot be written", (value) => {
    expect(() => canonicalText(value)).toThrow(RangeError);
  });
  test.each([
    "1.0",
    "1e3",
    "-0",
    '{"a":1,"a":1}',
    '{"b":1,"a":1}',
    '"\\u0041"',
    " 1",
    "01",
  ])("%s is not canonical", (text) => {
    expect(parseCanonical(utf8ToBytes(text))).toBeNull();
  });
  test("malformed UTF-8 is not canonical", () => {
    expect(parseCanonical(Uint8Array.of(0x22, 0xc0, 0x80, 0x22))).toBeNull();
  });
});
