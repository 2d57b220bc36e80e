import { encodeJsonLeaf, readJsonBody, requireKeys, requireThat } from "#core/log/leaf.ts";
import { ByteReader, type Decoded, decoded } from "#core/log/varint.ts";

/** The first leaf of a log: which world this is and how its market is made. Nothing in it changes later. */
export interface WorldLeaf {
  world: string;
  market: {
    kind: "simulated" | "replay" | "live" /** World seconds per real second, 1 to 60. */;
    speed: number;
  };
  /** World time of creation, milliseconds. */
  createdAtMs: number;
  /** Venues in the order of the `second` leaves. */
  venues: readonly string[];
  /** Symbols in the order of the `second` leaves; a price is an integer with `scale` digits after the point. */
  symbols: readonly { name: string; scale: number }[];
}

const marketKinds = ["simulated", "replay", "live"];

export function encodeWorld(leaf: WorldLeaf): Uint8Array {
  const bytes = encodeJsonLeaf("world", {
    practice: true,
    backing: "none",
    world: leaf.world,
    market: { kind: leaf.market.kind, speed: leaf.market.speed },
    created_at_ms: leaf.createdAtMs,
    venues: [...leaf.venues],
    symbols: leaf.symbols.map(({ name, scale }) => ({ name, scale })),
  });
  if (!decodeWorld(bytes).ok) throw new RangeError("not a valid world leaf");
  return bytes;
}

export function decodeWorld(bytes: Uint8Array): Decoded<WorldLeaf> {
  return decoded(() => {
    const { body } = readJsonBody(new ByteReader(bytes), "world", null);
    requireKeys(body, [
      "practice",
      "backing",
      "world",
      "market",
      "created_at_ms",
      "venues",
      "symbols",
    ]);
    const { market, created_at_ms: createdAtMs, venues, symbols } = body;
    requireThat(typeof market === "object" && market !== null);
    requireKeys(market, ["kind", "speed"]);
    const { kind, speed } = market as { kind: WorldLeaf["market"]["kind"]; speed: number };
    requireThat(
      marketKinds.includes(kind) && typeof speed === "number" && speed >= 1 && speed <= 60,
    );
    requireThat(typeof createdAtMs === "number" && createdAtMs >= 0);
    requireThat(Array.isArray(venues) && venues.every(isName) && isSet(venues));
    requireThat(
      Array.isArray(symbols) && symbols.every(isListed) && isSet(symbols.map(({ name }) => name)),
    );
    return { world: body.world, market: { kind, speed }, createdAtMs, venues, symbols };
  });
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0;
}

function isListed(value: unknown): value is { name: string; scale: number } {
  if (typeof value !== "object" || value === null) return false;
  requireKeys(value, ["name", "scale"]);
  const { name, scale } = value as Record<string, unknown>;
  return isName(name) && typeof scale === "number" && scale >= 0 && scale <= 18;
}

function isSet(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
