/**
 * Difficulty as in Bitcoin: a target in compact form (`bits`), recomputed every 2 016 blocks.
 * Source: Bitcoin Core, `arith_uint256::SetCompact`/`GetCompact` and `CalculateNextWorkRequired`.
 */

/** Blocks per difficulty epoch. */
export const epochBlocks = 2_016;
/** Their intended duration in seconds: two weeks. */
const epochSeconds = 1_209_600;
/** Maximum factor by which one epoch changes the difficulty. */
const clampFactor = 4;

const easiestTarget = 0xffffn << 208n;

/**
 * Decodes a compact target: three base-256 digits and the number of digits. Throws a RangeError if
 * invalid.
 */
export function bitsToTarget(bits: number): bigint {
  const size = bits >>> 24;
  const word = BigInt(bits & 0x7fffff);
  const target = size <= 3 ? word >> BigInt(8 * (3 - size)) : word << BigInt(8 * (size - 3));
  if ((bits & 0x800000) !== 0 || target === 0n || target > easiestTarget) {
    throw new RangeError(`${bits} is not a compact target`);
  }
  return target;
}

/** Encodes a target in compact form, which truncates it to its first three bytes. */
export function targetToBits(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2);
  let word = Number(
    size <= 3 ? target << BigInt(8 * (3 - size)) : target >> BigInt(8 * (size - 3)),
  );
  // The top bit would be read as a sign.
  if ((word & 0x800000) !== 0) {
    word >>= 8;
    size += 1;
  }
  return size * 0x1000000 + word;
}

/** How many times harder than the easiest target, rounded down to an integer. */
export function bitsToDifficulty(bits: number): bigint {
  return easiestTarget / bitsToTarget(bits);
}

/**
 * Computes the next epoch's bits from this one's and the times of its first and last block, in
 * seconds. The span is 2 015 intervals, not 2 016: Bitcoin's own off-by-one, kept because it is the
 * rule.
 */
export function nextBits(bits: number, firstSeconds: number, lastSeconds: number): number {
  const span = Math.min(
    Math.max(lastSeconds - firstSeconds, epochSeconds / clampFactor),
    epochSeconds * clampFactor,
  );
  const target = (bitsToTarget(bits) * BigInt(span)) / BigInt(epochSeconds);
  return targetToBits(target > easiestTarget ? easiestTarget : target);
}

/** Hashes per second that find a block every 600 s at this difficulty, rounded down. */
export function difficultyToHashrate(difficulty: bigint): bigint {
  return (difficulty << 32n) / 600n;
}
