import { beaconKeyBytes, type WorldBeacon } from "#core/transparency-log/beacon.ts";
import { bytesToHex, hexToBytes, parseHash } from "#core/transparency-log/bytes.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * The first leaf of a log: which world this is and how its market is produced. Never changes later.
 */
export interface WorldLeaf {
  world: string;
  market: {
    kind: "simulated" | "replay" | "live";
    /** World seconds per real second, 1 to 60. */
    speed: number;
  };
  /** Version of the simulator that produces the prices; null for other markets. */
  simulator: number | null;
  /** The end of the hash chain that a simulated market's day seeds come from; null for others. */
  seedAnchor: Uint8Array | null;
  /**
   * The public beacon whose rounds are mixed into a simulated market's day seeds; null if none is.
   */
  beacon: WorldBeacon | null;
  /** SHA-256 over the names and contents of a replayed recording's files; null for others. */
  recording: Uint8Array | null;
  /** World time of creation, in milliseconds. */
  createdAtMs: number;
  /** Venues in the order of the `second` leaves. */
  venues: readonly string[];
  /**
   * Symbols in the order of the `second` leaves; a price is an integer with `scale` digits after
   * the point. `venues` are those that list the symbol, in the world's order: the index needs
   * min(2, venues) of them.
   */
  symbols: readonly ListedSymbol[];
}

export interface ListedSymbol {
  name: string;
  scale: number;
  venues: readonly string[];
}

/**
 * Selects from a second's `quotes[venue][symbol]` one column's quotes by the venues that list the
 * symbol: the input of its index.
 */
export function filterListedQuotes<Quote>(
  { venues, symbols }: Pick<WorldLeaf, "venues" | "symbols">,
  quotes: readonly (readonly (Quote | null)[])[],
  column: number,
): (Quote | null)[] {
  const listing = symbols[column]?.venues ?? [];
  return venues.flatMap((venue, row) =>
    listing.includes(venue) ? [quotes[row]?.[column] ?? null] : [],
  );
}

const members = [
  "practice",
  "backing",
  "world",
  "market",
  "created_at_ms",
  "venues",
  "symbols",
] as const;
const marketKinds = ["simulated", "replay", "live"];

export function encodeWorld(leaf: WorldLeaf): Uint8Array {
  const bytes = encodeJsonLeaf("world", {
    practice: true,
    backing: "none",
    world: leaf.world,
    market: { kind: leaf.market.kind, speed: leaf.market.speed },
    ...(leaf.simulator === null ? {} : { simulator: leaf.simulator }),
    ...(leaf.seedAnchor && { seed_anchor: bytesToHex(leaf.seedAnchor) }),
    ...(leaf.beacon && { beacon: beaconJson(leaf.beacon) }),
    ...(leaf.recording && { recording: bytesToHex(leaf.recording) }),
    created_at_ms: leaf.createdAtMs,
    venues: [...leaf.venues],
    symbols: leaf.symbols.map(({ name, scale, venues }) => ({ name, scale, venues: [...venues] })),
  });
  if (!decodeWorld(bytes).ok) throw new RangeError("not a valid world leaf");
  return bytes;
}

function beaconJson({ publicKey, genesisSeconds, periodSeconds, startedAtMs }: WorldBeacon) {
  return {
    public_key: bytesToHex(publicKey),
    genesis: genesisSeconds,
    period: periodSeconds,
    started_at_ms: startedAtMs,
  };
}

function parseBeacon(value: unknown): WorldBeacon {
  ensure(typeof value === "object" && value !== null);
  requireKeys(value, ["public_key", "genesis", "period", "started_at_ms"]);
  const {
    public_key: key,
    genesis,
    period,
    started_at_ms: startedAtMs,
  } = value as {
    [name: string]: unknown;
  };
  ensure(typeof key === "string" && key.length === 2 * beaconKeyBytes && /^[0-9a-f]*$/.test(key));
  ensure(isCount(genesis) && isCount(period) && period >= 1 && period <= periodMax);
  ensure(isCount(startedAtMs));
  const times = { genesisSeconds: genesis, periodSeconds: period, startedAtMs };
  return { publicKey: hexToBytes(key), ...times };
}

/** A round that comes less often could be older than the day before. */
const periodMax = 60;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function decodeWorld(bytes: Uint8Array): Decoded<WorldLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "world", null);
    const { market, created_at_ms: createdAtMs, venues, symbols, simulator = null } = body;
    ensure(typeof market === "object" && market !== null);
    requireKeys(market, ["kind", "speed"]);
    const { kind, speed } = market as { kind: WorldLeaf["market"]["kind"]; speed: number };
    const simulated = kind === "simulated";
    const isReplay = kind === "replay";
    requireKeys(body, [
      ...members,
      ...(simulated ? ["simulator", "seed_anchor"] : []),
      ...(simulated && body.beacon !== undefined ? ["beacon"] : []),
      ...(isReplay ? ["recording"] : []),
    ]);
    const seedAnchor = simulated ? parseHash(body.seed_anchor) : null;
    const recording = isReplay ? parseHash(body.recording) : null;
    ensure((seedAnchor !== null) === simulated && (recording !== null) === isReplay);
    ensure(simulated ? isVersion(simulator) : simulator === null);
    ensure(marketKinds.includes(kind) && typeof speed === "number" && speed >= 1 && speed <= 60);
    ensure(typeof createdAtMs === "number" && createdAtMs >= 0);
    ensure(Array.isArray(venues) && venues.every(isName) && isSet(venues));
    ensure(
      Array.isArray(symbols) &&
        symbols.every((symbol) => isListed(symbol, venues)) &&
        isSet(symbols.map(({ name }) => name)),
    );
    const worldLeaf = { world: body.world, market: { kind, speed }, createdAtMs };
    const beacon = body.beacon === undefined ? null : parseBeacon(body.beacon);
    const prices = { simulator: simulator as number | null, seedAnchor, beacon, recording };
    return { ...worldLeaf, ...prices, venues, symbols };
  });
}

function isVersion(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0;
}

function isListed(value: unknown, venueNames: readonly string[]): value is ListedSymbol {
  if (typeof value !== "object" || value === null) return false;
  requireKeys(value, ["name", "scale", "venues"]);
  const { name, scale, venues } = value as Record<string, unknown>;
  ensure(Array.isArray(venues) && venues.length > 0);
  const inOrder = venueNames.filter((venue) => venues.includes(venue));
  return (
    isName(name) &&
    typeof scale === "number" &&
    scale >= 0 &&
    scale <= 18 &&
    inOrder.length === venues.length &&
    inOrder.every((venue, index) => venue === venues[index])
  );
}

function isSet(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
