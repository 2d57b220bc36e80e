import type { WorldBeacon } from "./beacon.ts";
import { equalBytes, MismatchError, sha256 } from "./bytes.ts";
import { type Json, parseCanonical } from "./canonical.ts";
import { emptyRoot } from "./merkle.ts";

/** Log entries (docs/formats/log.md). Every reader throws a MismatchError that names the fault. */

export const kinds = {
  world: 1,
  second: 2,
  terms: 3,
  seed: 4,
  books: 5,
  network: 6,
  mark: 7,
  payout: 8,
  liabilities: 9,
  build: 10,
  day: 11,
  audit: 12,
  succession: 14,
  sleep: 15,
} as const;
export type Kind = keyof typeof kinds;
export type Fields = { [name: string]: Json };

export interface World {
  name: string;
  market: { kind: string; speed: number };
  /** Version of the simulator; null if the market is not simulated. */
  simulator: number | null;
  /** The end of the chain that day seeds come from, if the market is simulated. */
  seedAnchor: string | null;
  /** The public beacon that day seeds are mixed with; null if there is none. */
  beacon: WorldBeacon | null;
  /** The hash of the recording, if the market replays one. */
  recording: string | null;
  createdAtMs: number;
  venues: string[];
  symbols: { name: string; scale: number; venues: string[] }[];
}

export interface Second {
  secondMs: number;
  ordersCount: number;
  ordersRoot: Buffer;
  /** One per symbol: the index, null in a gap; and the venues' quotes, null where silent. */
  columns: { index: bigint | null; quotes: ({ bid: bigint; ask: bigint } | null)[] }[];
}

const malformed = (difference: string, detail = "") =>
  new MismatchError("leaves", difference, detail);

export const worldTag = (name: string): Buffer =>
  sha256(Buffer.from(`drydock.world/1\n${name}`, "utf8")).subarray(0, 8);

/**
 * Checks the eleven bytes that begin every entry; `tag` is null only for the first leaf, which
 * names its world itself.
 */
export function readKind(entry: Uint8Array, tag: Uint8Array | null): number {
  if (entry.length < 11) throw malformed("leaf_truncated");
  if (entry[0] !== 0x01) throw malformed("leaf_version_unknown");
  if (entry[2] !== 0x50) throw malformed("leaf_not_practice");
  if (tag && !equalBytes(entry.subarray(3, 11), tag)) throw malformed("leaf_world_wrong");
  return entry[1] as number;
}

export function decodeJson(entry: Uint8Array, kind: Kind, tag: Uint8Array | null): Fields {
  if (readKind(entry, tag) !== kinds[kind]) throw malformed("leaf_kind_wrong");
  let fields: Json;
  try {
    fields = parseCanonical(entry.subarray(11));
  } catch {
    throw malformed("leaf_value_invalid", "not canonical JSON");
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    throw malformed("leaf_value_invalid");
  if (fields.practice !== true || fields.backing !== "none") throw malformed("leaf_not_practice");
  if (typeof fields.world !== "string") throw malformed("leaf_value_invalid", "world");
  if (!equalBytes(entry.subarray(3, 11), worldTag(fields.world)))
    throw malformed("leaf_world_wrong");
  return fields;
}

function onlyMembers(fields: Fields, names: string[]): void {
  const expected = ["backing", "practice", "world", ...names].sort().join();
  if (Object.keys(fields).sort().join() !== expected)
    throw malformed("leaf_value_invalid", "members");
}

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

function readBeacon(value: Json): WorldBeacon {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed("leaf_value_invalid", "beacon");
  const { public_key: publicKey, genesis, period, started_at_ms: startedAtMs } = value;
  const isCount = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0;
  const isWellFormed =
    Object.keys(value).length === 4 &&
    typeof publicKey === "string" &&
    /^[0-9a-f]{192}$/.test(publicKey) &&
    isCount(genesis) &&
    isCount(period) &&
    period >= 1 &&
    period <= 60 &&
    isCount(startedAtMs);
  if (!isWellFormed) throw malformed("leaf_value_invalid", "beacon");
  return { publicKey, genesis, period, startedAtMs };
}

export function decodeWorld(entry: Uint8Array): World {
  const fields = decodeJson(entry, "world", null);
  const {
    market,
    simulator = null,
    seed_anchor: seedAnchor = null,
    recording = null,
    venues,
    symbols,
    created_at_ms: createdAtMs,
  } = fields as unknown as {
    market: World["market"];
    simulator?: number | null;
    seed_anchor?: string | null;
    recording?: string | null;
    venues: string[];
    symbols: { name: string; scale: number; venues: string[] }[];
    created_at_ms: number;
  };
  const simulated = market?.kind === "simulated";
  const members = ["market", "created_at_ms", "venues", "symbols"];
  const isReplay = market?.kind === "replay";
  if (simulated) members.push("simulator", "seed_anchor");
  if (simulated && fields.beacon !== undefined) members.push("beacon");
  if (isReplay) members.push("recording");
  onlyMembers(fields, members);
  const isWellFormed =
    (simulated ? Number.isInteger(simulator) && Number(simulator) >= 1 : simulator === null) &&
    (!simulated || isHash(seedAnchor)) &&
    (!isReplay || isHash(recording)) &&
    ["simulated", "replay", "live"].includes(market?.kind) &&
    Number.isInteger(market?.speed) &&
    market.speed >= 1 &&
    market.speed <= 60 &&
    Array.isArray(venues) &&
    Array.isArray(symbols) &&
    symbols.every(
      (symbol) =>
        typeof symbol?.name === "string" &&
        Number.isInteger(symbol.scale) &&
        Array.isArray(symbol.venues) &&
        symbol.venues.every((venue) => venues.includes(venue)),
    );
  if (!isWellFormed) throw malformed("leaf_value_invalid", "world");
  return {
    name: fields.world as string,
    market,
    simulator,
    seedAnchor,
    beacon: fields.beacon === undefined ? null : readBeacon(fields.beacon),
    recording,
    createdAtMs,
    venues,
    symbols: symbols.map((symbol) => ({
      name: symbol.name,
      scale: symbol.scale,
      venues: symbol.venues,
    })),
  };
}

/** The JSON bytes of a `terms` leaf; their SHA-256 is the terms' hash. */
export function decodeTerms(entry: Uint8Array, tag: Uint8Array): Uint8Array {
  decodeJson(entry, "terms", tag);
  return entry.subarray(11);
}

export class Cursor {
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.at = offset;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw malformed("leaf_truncated");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  number(): bigint {
    let value = 0n;
    for (let index = 0; ; index++) {
      if (index === 10) throw malformed("leaf_varint_malformed");
      const byte = this.take(1)[0] as number;
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte & 0x80) continue;
      if ((byte === 0 && index > 0) || value >= 1n << 64n) throw malformed("leaf_varint_malformed");
      return value;
    }
  }

  signed(): bigint {
    const value = this.number();
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n;
  }

  count(max: number): number {
    const value = this.number();
    if (value > BigInt(max)) throw malformed("leaf_value_invalid", "count");
    return Number(value);
  }

  end(): void {
    if (this.at !== this.bytes.length) throw malformed("leaf_trailing_bytes");
  }
}

/** The hash of the build list that a `build` leaf names, in hex. */
export function decodeBuild(entry: Uint8Array, tag: Uint8Array | null): { list: string } {
  const fields = decodeJson(entry, "build", tag);
  onlyMembers(fields, ["list", "version"]);
  const { list, version } = fields;
  if (typeof list !== "string" || !/^[0-9a-f]{64}$/.test(list))
    throw malformed("leaf_value_invalid", "list");
  if (typeof version !== "string" || version.length < 1 || version.length > 64)
    throw malformed("leaf_value_invalid", "version");
  return { list };
}

/**
 * Reads a `sleep` leaf: the last second before the world fell asleep, and the time at which it
 * woke.
 */
export function decodeSleep(
  entry: Uint8Array,
  tag: Uint8Array | null,
): { lastSecondMs: number; wokeAtMs: number } {
  const fields = decodeJson(entry, "sleep", tag);
  if (Object.keys(fields).sort().join() !== "backing,last_second_ms,practice,woke_at_ms,world")
    throw malformed("leaf_value_invalid", "members");
  const { last_second_ms: lastSecondMs, woke_at_ms: wokeAtMs } = fields;
  const isWellFormed =
    typeof lastSecondMs === "number" &&
    typeof wokeAtMs === "number" &&
    lastSecondMs >= 0 &&
    lastSecondMs % 1_000 === 0 &&
    wokeAtMs > lastSecondMs;
  if (!isWellFormed) throw malformed("leaf_value_invalid", "times");
  return { lastSecondMs, wokeAtMs };
}

export function decodeSecond(entry: Uint8Array, tag: Uint8Array | null): Second {
  if (readKind(entry, tag) !== kinds.second) throw malformed("leaf_kind_wrong");
  const cursor = new Cursor(entry, 11);
  const second = cursor.number();
  if (second > 8_640_000_000_000n) throw malformed("leaf_value_invalid", "second");
  const ordersCount = cursor.count(Number.MAX_SAFE_INTEGER);
  const ordersRoot = ordersCount === 0 ? emptyRoot : Buffer.from(cursor.take(32));
  const venues = cursor.count(62);
  const symbols = cursor.count(10_000);
  const columns: Second["columns"] = [];
  for (let symbol = 0; symbol < symbols; symbol++) columns.push(readColumn(cursor, venues));
  cursor.end();
  return { secondMs: Number(second) * 1000, ordersCount, ordersRoot, columns };
}

function readColumn(cursor: Cursor, venues: number): Second["columns"][number] {
  const presenceMask = cursor.number();
  if (presenceMask >> BigInt(venues + 1))
    throw malformed("leaf_value_invalid", "a venue that is not there");
  const index = presenceMask & 1n ? cursor.number() : null;
  if (index === 0n) throw malformed("leaf_value_invalid", "index");
  const quotes: Second["columns"][number]["quotes"] = [];
  let before = index ?? 0n;
  for (let venue = 0; venue < venues; venue++) {
    if (!((presenceMask >> BigInt(venue + 1)) & 1n)) {
      quotes.push(null);
      continue;
    }
    const bid = before + cursor.signed();
    if (bid <= 0n) throw malformed("leaf_value_invalid", "bid");
    quotes.push({ bid, ask: bid + cursor.number() });
    before = bid;
  }
  return { index, quotes };
}

/**
 * Reads a `mark` leaf of type "orders", which binds orders after the end of a recording; null if
 * the entry is anything else.
 */
export function decodeBound(
  entry: Uint8Array,
  tag: Uint8Array,
): { count: number; root: Buffer } | null {
  if (readKind(entry, tag) !== kinds.mark) return null;
  const fields = decodeJson(entry, "mark", tag);
  if (fields.type !== "orders") return null;
  onlyMembers(fields, ["type", "count", "root"]);
  const { count, root } = fields;
  const isWellFormed =
    Number.isSafeInteger(count) && (count as number) >= 0 && typeof root === "string";
  if (!isWellFormed || !/^[0-9a-f]{64}$/.test(root as string))
    throw malformed("leaf_value_invalid", "orders");
  return { count: count as number, root: Buffer.from(root as string, "hex") };
}
