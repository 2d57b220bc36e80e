import { concatBytes } from "#core/transparency-log/bytes.ts";
import { decodeHead, leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import { ByteReader, ByteWriter, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * The public figures of mining payouts: the earnings of 1 TH/s since the world's first reading,
 * before the pool fee, and its earnings in the hour that begins, in 10⁻¹² satoshi. Directly follows
 * the `network` leaf of its hour.
 */
export interface PayoutLeaf {
  /** World time in whole hours since 1970. */
  hour: number;
  cumulative: bigint;
  accrual: bigint;
}

const hourMax = 2 ** 29;

/** Encodes a `payout` leaf. Throws a RangeError for values that do not fit. */
export function encodePayout({ hour, cumulative, accrual }: PayoutLeaf, world: string): Uint8Array {
  const writer = new ByteWriter();
  writer.uint(hour);
  writer.uint(cumulative);
  writer.uint(accrual);
  return concatBytes(leafHead("payout", worldTag(world)), writer.bytes());
}

/** Reads a `payout` leaf of the world with this tag (null: of any world). */
export function decodePayout(bytes: Uint8Array, tag: Uint8Array | null): Decoded<PayoutLeaf> {
  return tryDecode(() => {
    const reader = new ByteReader(bytes);
    decodeHead(reader, "payout", tag);
    const hour = reader.count(hourMax);
    const cumulative = reader.uint();
    const accrual = reader.uint();
    reader.end();
    return { hour, cumulative, accrual };
  });
}
