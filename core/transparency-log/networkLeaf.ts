import { concatBytes } from "#core/transparency-log/bytes.ts";
import { decodeHead, ensure, leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import { ByteReader, ByteWriter, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** A block of the mined network as logged. */
export interface LoggedBlock {
  /** Seconds after the previous block. */
  afterSeconds: number;
  /** Satoshi. */
  fees: bigint;
}

/**
 * A reading of the mined network at a whole hour of world time (docs/formats/log.md, "network").
 */
export interface NetworkLeaf {
  source: "simulated" | "replay";
  /** World time of the reading, in whole hours since 1970. */
  hour: number;
  /**
   * In a simulated network's first reading: the 32-byte anchor that commits to the chain of its
   * daily seeds.
   */
  anchor: Uint8Array | null;
  /** In a simulated network's first reading of a day: the previous day's 32-byte seed. */
  revealed: Uint8Array | null;
  /**
   * The last block, when it was found (seconds since 1970), its compact target, and when its
   * epoch's first block was found.
   */
  height: number;
  blockSeconds: number;
  bits: number;
  epochFirstSeconds: number;
  /** Total fees of the last 144 blocks, in satoshi. */
  feeSum: bigint;
  /** Blocks since the previous reading, oldest first; the last 144 in the first reading. */
  blocks: readonly LoggedBlock[];
}

const flags = { replay: 1, anchor: 2, revealed: 4 };
const seedBytes = 32;
/** Readings that came late still have one leaf per hour; no hour has more blocks than this. */
const blocksMax = 3_600;
const secondsMax = 2 ** 40;
const hourMax = 2 ** 29;
const heightMax = 100_000_000;

/** Throws a RangeError for values a decoder would refuse. */
export function encodeNetwork(leaf: NetworkLeaf, world: string): Uint8Array {
  const writer = new ByteWriter();
  writer.uint(
    (leaf.source === "replay" ? flags.replay : 0) +
      (leaf.anchor ? flags.anchor : 0) +
      (leaf.revealed ? flags.revealed : 0),
  );
  writer.uint(leaf.hour);
  if (leaf.anchor) writer.raw(leaf.anchor);
  if (leaf.revealed) writer.raw(leaf.revealed);
  for (const value of [leaf.height, leaf.blockSeconds, leaf.bits, leaf.epochFirstSeconds])
    writer.uint(value);
  writer.uint(leaf.feeSum);
  writer.uint(leaf.blocks.length);
  for (const { afterSeconds, fees } of leaf.blocks) {
    writer.uint(afterSeconds);
    writer.uint(fees);
  }
  const bytes = concatBytes(leafHead("network", worldTag(world)), writer.bytes());
  if (!decodeNetwork(bytes, worldTag(world)).ok) throw new RangeError("not a valid network leaf");
  return bytes;
}

/** Reads a `network` leaf of the world with this tag (null: of any world). */
export function decodeNetwork(bytes: Uint8Array, tag: Uint8Array | null): Decoded<NetworkLeaf> {
  return tryDecode(() => {
    const reader = new ByteReader(bytes);
    decodeHead(reader, "network", tag);
    const flag = reader.count(7);
    const source = flag & flags.replay ? "replay" : "simulated";
    // A recording has no seeds to commit to.
    ensure(source === "simulated" || flag === flags.replay);
    const hour = reader.count(hourMax);
    const anchor = flag & flags.anchor ? reader.raw(seedBytes) : null;
    const revealedSeed = flag & flags.revealed ? reader.raw(seedBytes) : null;
    const height = reader.count(heightMax);
    const blockSeconds = reader.count(secondsMax);
    const bits = reader.count(0xffffffff);
    const epochFirstSeconds = reader.count(secondsMax);
    const feeSum = reader.uint();
    const blocks = Array.from({ length: reader.count(blocksMax) }, () => ({
      afterSeconds: reader.count(secondsMax),
      fees: reader.uint(),
    }));
    reader.end();
    ensure(blockSeconds <= hour * 3_600 && epochFirstSeconds <= blockSeconds);
    return {
      source,
      hour,
      anchor,
      revealed: revealedSeed,
      height,
      blockSeconds,
      bits,
      epochFirstSeconds,
      feeSum,
      blocks,
    };
  });
}
