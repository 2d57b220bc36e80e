import {
  type BeaconRound,
  type BeaconWorld,
  getRoundOfDay,
  roundSignatureBytes,
  type VerifyRound,
  type WorldBeacon,
} from "#core/transparency-log/beacon.ts";
import { bytesToHex, hexToBytes, parseHash } from "#core/transparency-log/bytes.ts";
import { checkpointText, type VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";
import { cosignedBytes, parseWitnessKey } from "#core/transparency-log/witnesses/cosignature.ts";

/**
 * The source mixed into a day's seed besides its link: a round of the world's beacon, a witness's
 * cosignature on a tree of this log, or nothing.
 */
export type SeedSource =
  | { kind: "none" }
  | ({ kind: "beacon" } & BeaconRound)
  | {
      kind: "witness";
      vkey: string;
      size: number;
      root: Uint8Array;
      /** The cosignature's own Unix time. */
      seconds: number;
      signature: Uint8Array;
    };

/**
 * The seed of a simulated day: what is mixed into it, before its first second (`begin`), and its
 * link afterwards (`reveal`) with the state the simulator started from, so that anyone can replay
 * the day and compare it with the `second` leaves.
 */
export type SeedLeaf =
  | {
      action: "begin";
      world: string;
      /** World time of the first second under this seed, in milliseconds. */
      dayMs: number;
      source: SeedSource;
    }
  /** The day's round of the world's beacon, as soon as it is known; `dayMs` is the midnight. */
  | ({ action: "round"; world: string; dayMs: number } & BeaconRound)
  | {
      action: "reveal";
      world: string;
      dayMs: number;
      /** The day's link of the chain that ends in the world's anchor. */
      link: Uint8Array;
      /** Name and version of the simulator (docs/formats/simulator.md). */
      simulator: string;
      /** The simulator's state at the day's start, in its own encoding; at most 16 KB. */
      state: Uint8Array;
    };

/** The source that a day's seed began with, and whether the world's beacon had a round for it. */
export interface MixedSeed {
  source: SeedSource;
  /** The beacon whose round is due on that day; null if none is. */
  due: WorldBeacon | null;
}

const stateBytesMax = 16_384;
const dayLengthMs = 86_400_000;
const marks = ["practice", "backing", "world", "day_ms", "action"];

/** Throws a RangeError for values a decoder would refuse. */
export function encodeSeed(leaf: SeedLeaf): Uint8Array {
  const head = { practice: true, backing: "none", world: leaf.world, day_ms: leaf.dayMs } as const;
  const bytes = encodeJsonLeaf("seed", { ...head, ...actionJson(leaf) });
  if (!decodeSeed(bytes, null).ok) throw new RangeError("not a valid seed leaf");
  return bytes;
}

function actionJson(leaf: SeedLeaf) {
  const { action } = leaf;
  if (action === "begin") return { action, source: toSourceJson(leaf.source) };
  if (action === "round") return { action, ...roundJson(leaf) };
  const { link, simulator, state } = leaf;
  return { action, link: bytesToHex(link), simulator, state: bytesToHex(state) };
}

const roundJson = ({ round, signature }: BeaconRound) => ({
  round,
  signature: bytesToHex(signature),
});

export function toSourceJson(source: SeedSource) {
  if (source.kind === "none") return { kind: source.kind };
  if (source.kind === "beacon") return { kind: source.kind, ...roundJson(source) };
  const { kind, vkey, size, root, seconds, signature } = source;
  return {
    kind,
    vkey,
    size,
    root: bytesToHex(root),
    time: seconds,
    signature: bytesToHex(signature),
  };
}

/** Reads a `seed` leaf of the world with this tag (null: of any world). */
export function decodeSeed(bytes: Uint8Array, tag: Uint8Array | null): Decoded<SeedLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "seed", tag);
    const { world, action, day_ms: dayMs } = body;
    ensure(typeof dayMs === "number" && dayMs >= 0 && dayMs % 1_000 === 0);
    if (action === "begin") {
      requireKeys(body, [...marks, "source"]);
      return { action, world, dayMs, source: parseSource(body.source) };
    }
    if (action === "round") {
      requireKeys(body, [...marks, "round", "signature"]);
      ensure(dayMs % dayLengthMs === 0);
      return { action, world, dayMs, ...parseRound(body) };
    }
    ensure(action === "reveal");
    requireKeys(body, [...marks, "link", "simulator", "state"]);
    const { simulator, state } = body;
    const link = parseHash(body.link);
    ensure(link && typeof simulator === "string" && simulator !== "");
    ensure(typeof state === "string" && /^([0-9a-f]{2})*$/.test(state));
    ensure(state.length <= stateBytesMax * 2);
    return { action, world, dayMs, link, simulator, state: hexToBytes(state) };
  });
}

/** Throws `leaf_value_invalid` for a source of an unknown kind, which cannot be checked. */
export function parseSource(value: unknown): SeedSource {
  ensure(typeof value === "object" && value !== null);
  const { kind, vkey, size, time, ...rest } = value as Record<string, unknown>;
  if (kind === "none") {
    requireKeys(value, ["kind"]);
    return { kind };
  }
  if (kind === "beacon") {
    requireKeys(value, ["kind", "round", "signature"]);
    return { kind, ...parseRound(value) };
  }
  ensure(kind === "witness");
  requireKeys(value, ["kind", "vkey", "size", "root", "time", "signature"]);
  const root = parseHash(rest.root);
  ensure(typeof vkey === "string" && vkey.length <= 300 && parseWitnessKey(vkey) && root);
  ensure(isCount(size) && size > 0 && isCount(time));
  ensure(typeof rest.signature === "string" && /^[0-9a-f]{128}$/.test(rest.signature));
  return { kind, vkey, size, root, seconds: time, signature: hexToBytes(rest.signature) };
}

function parseRound(value: object): BeaconRound {
  const { round, signature } = value as Record<string, unknown>;
  ensure(isCount(round) && round >= 1);
  ensure(typeof signature === "string" && signature.length === 2 * roundSignatureBytes);
  ensure(/^[0-9a-f]*$/.test(signature));
  return { round, signature: hexToBytes(signature) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns true if the source is a cosignature, by its own key, of a tree of the log `origin`. */
function isCosigned(source: SeedSource, origin: string, verify: VerifyEd25519): boolean {
  if (source.kind !== "witness") return false;
  const key = parseWitnessKey(source.vkey);
  const text = checkpointText({ origin, size: source.size, root: source.root });
  return (
    key !== null &&
    verify(source.signature, cosignedBytes(text, BigInt(source.seconds)), key.publicKey)
  );
}

/**
 * How a reader checks the mixed-in source; without `round` a beacon's signature is not verified.
 */
export interface SourceVerifiers {
  verify: VerifyEd25519 | null;
  verifyRound: VerifyRound | null;
}

/**
 * Returns true if the source of a day that the leaf at `leaf` begins is valid: a cosignature of a
 * tree before that leaf, or the one round that is due on that day.
 */
export function isSourceRight(
  { source, dayMs }: Pick<Extract<SeedLeaf, { action: "begin" }>, "source" | "dayMs">,
  { leaf, origin, world }: { leaf: number; origin: string; world: BeaconWorld },
  { verify, verifyRound }: SourceVerifiers,
): boolean {
  if (source.kind === "none") return true;
  if (source.kind === "beacon") return isRoundDue(source, dayMs, world, verifyRound);
  // A cosignature of a tree that holds this leaf could not have been known when it was written.
  return source.size <= leaf && (!verify || isCosigned(source, origin, verify));
}

/**
 * Returns true if this is the round that is due on the day of `dayMs`, signed by the world's
 * beacon.
 */
export function isRoundDue(
  { round, signature }: BeaconRound,
  dayMs: number,
  world: BeaconWorld,
  verifyRound: VerifyRound | null,
): boolean {
  const { beacon } = world;
  if (!beacon || round !== getRoundOfDay(world, dayMs)) return false;
  return !verifyRound || verifyRound({ round, signature }, beacon.publicKey);
}

/** The description of a day's seed for readers. */
export function mixSeed(source: SeedSource, dayMs: number, world: BeaconWorld): MixedSeed {
  return { source, due: getRoundOfDay(world, dayMs) === null ? null : world.beacon };
}
