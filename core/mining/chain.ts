import { epochBlocks } from "#core/mining/difficulty.ts";
import { feeBlocks } from "#core/mining/formula.ts";

/** A block of the mined network. */
export interface Block {
  height: number;
  /** World time in seconds since 1970. */
  seconds: number;
  /** Compact target. */
  bits: number;
  /** Satoshi. */
  fees: bigint;
}

/**
 * A chain at one moment: its last block, when its epoch began, and the last 144 blocks, oldest
 * first.
 */
export interface ChainTip {
  last: Block;
  epochFirstSeconds: number;
  recent: readonly Block[];
}

/** The tip after one more block. */
export function addBlock({ epochFirstSeconds, recent }: ChainTip, block: Block): ChainTip {
  return {
    last: block,
    epochFirstSeconds: block.height % epochBlocks === 0 ? block.seconds : epochFirstSeconds,
    recent: [...recent.slice(-(feeBlocks - 1)), block],
  };
}

/** Total fees of the last 144 blocks, in satoshi. Throws a RangeError with fewer. */
export function sumFees({ recent }: ChainTip): bigint {
  if (recent.length !== feeBlocks) throw new RangeError("the mean fee needs 144 blocks");
  return recent.reduce((sum, { fees }) => sum + fees, 0n);
}
