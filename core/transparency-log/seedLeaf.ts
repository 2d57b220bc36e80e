import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, parseHash, sameBytes } from "#core/transparency-log/bytes.ts";
import {
  encodeJsonLeaf,
  readJsonBody,
  requireKeys,
  requireThat,
} from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, decoded } from "#core/transparency-log/varint.ts";

/**
 * The seed of a simulated day: its hash before the day (`commit`), and the seed itself afterwards
 * (`reveal`) with the state the simulator started from, so that anyone can replay the day and
 * compare it with the `second` leaves.
 */
export type SeedLeaf =
  | {
      action: "commit";
      world: string;
      /** World time at which the day begins, in milliseconds. */
      dayMs: number;
      /** SHA-256 of the 32 seed bytes. */
      seedHash: Uint8Array;
    }
  | {
      action: "reveal";
      world: string;
      dayMs: number;
      seed: Uint8Array;
      /** Name and version of the simulator (docs/rules/market.md). */
      simulator: string;
      /** The simulator's state at the day's start, in its own encoding; at most 16 KB. */
      state: Uint8Array;
    };

const stateBytesMax = 16_384;

/** Throws a RangeError for values a decoder would refuse. */
export function encodeSeed(leaf: SeedLeaf): Uint8Array {
  const labels = {
    practice: true,
    backing: "none",
    world: leaf.world,
    day_ms: leaf.dayMs,
  } as const;
  const bytes =
    leaf.action === "commit"
      ? encodeJsonLeaf("seed", {
          ...labels,
          action: "commit",
          seed_hash: bytesToHex(leaf.seedHash),
        })
      : encodeJsonLeaf("seed", {
          ...labels,
          action: "reveal",
          seed: bytesToHex(leaf.seed),
          simulator: leaf.simulator,
          state: bytesToHex(leaf.state),
        });
  if (!decodeSeed(bytes, null).ok) throw new RangeError("not a valid seed leaf");
  return bytes;
}

/** Reads a `seed` leaf of the world with this tag (null: of any world). */
export function decodeSeed(bytes: Uint8Array, tag: Uint8Array | null): Decoded<SeedLeaf> {
  return decoded(() => {
    const { body } = readJsonBody(new ByteReader(bytes), "seed", tag);
    const { world, action, day_ms: dayMs } = body;
    requireThat(typeof dayMs === "number" && dayMs >= 0);
    if (action === "commit") {
      requireKeys(body, ["practice", "backing", "world", "day_ms", "action", "seed_hash"]);
      const seedHash = parseHash(body.seed_hash);
      requireThat(seedHash);
      return { action, world, dayMs, seedHash };
    }
    requireThat(action === "reveal");
    requireKeys(body, [
      "practice",
      "backing",
      "world",
      "day_ms",
      "action",
      "seed",
      "simulator",
      "state",
    ]);
    const { simulator, state } = body;
    const seed = parseHash(body.seed);
    requireThat(seed && typeof simulator === "string" && simulator !== "");
    requireThat(typeof state === "string" && /^([0-9a-f]{2})*$/.test(state));
    requireThat(state.length <= stateBytesMax * 2);
    return { action, world, dayMs, seed, simulator, state: hexToBytes(state) };
  });
}

/** Whether a revealed seed is the one committed to for that day. */
export function seedMatches(
  commit: Extract<SeedLeaf, { action: "commit" }>,
  reveal: Extract<SeedLeaf, { action: "reveal" }>,
): boolean {
  return (
    commit.world === reveal.world &&
    commit.dayMs === reveal.dayMs &&
    sameBytes(sha256(reveal.seed), commit.seedHash)
  );
}
