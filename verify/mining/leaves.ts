import { MismatchError } from "../log/bytes.ts";
import { Cursor, kinds, readKind } from "../log/leaves.ts";

/** A `network` leaf and the `payout` leaf after it (docs/formats/log.md). */
export interface HourLeaf {
  simulated: boolean;
  hour: number;
  anchor: Uint8Array | null;
  revealed: Uint8Array | null;
  height: number;
  blockSeconds: number;
  bits: number;
  epochFirstSeconds: number;
  feeSum: bigint;
  blocks: { after: number; fees: bigint }[];
}

const malformed = (difference: string, detail = "") =>
  new MismatchError("leaves", difference, detail);

export function decodeNetwork(entry: Uint8Array, tag: Uint8Array): HourLeaf {
  if (readKind(entry, tag) !== kinds.network) throw malformed("leaf_kind_wrong");
  const cursor = new Cursor(entry, 11);
  const flags = cursor.count(7);
  if (flags % 2 === 1 && flags > 1) throw malformed("leaf_value_invalid", "a recording with seeds");
  const hour = cursor.count(2 ** 29);
  const anchor = flags & 2 ? cursor.take(32) : null;
  const revealedSeed = flags & 4 ? cursor.take(32) : null;
  const height = cursor.count(100_000_000);
  const blockSeconds = cursor.count(2 ** 40);
  const bits = cursor.count(2 ** 32 - 1);
  const epochFirstSeconds = cursor.count(2 ** 40);
  const feeSum = cursor.number();
  const blocks: HourLeaf["blocks"] = [];
  for (let remaining = cursor.count(3_600); remaining > 0; remaining--)
    blocks.push({ after: cursor.count(2 ** 40), fees: cursor.number() });
  cursor.end();
  if (blockSeconds > hour * 3_600) throw malformed("leaf_value_invalid", "a block after its hour");
  if (epochFirstSeconds > blockSeconds)
    throw malformed("leaf_value_invalid", "an epoch after its block");
  return {
    simulated: flags % 2 === 0,
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
}

export interface PayoutLeaf {
  hour: number;
  cumulative: bigint;
  accrual: bigint;
}

export function decodePayout(entry: Uint8Array, tag: Uint8Array): PayoutLeaf {
  if (readKind(entry, tag) !== kinds.payout) throw malformed("leaf_kind_wrong");
  const cursor = new Cursor(entry, 11);
  const hour = cursor.count(2 ** 29);
  const cumulative = cursor.number();
  const accrual = cursor.number();
  cursor.end();
  return { hour, cumulative, accrual };
}
