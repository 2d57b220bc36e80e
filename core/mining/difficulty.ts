/**
 * Difficulty as Bitcoin keeps it: a target in compact form (`bits`), set anew every 2 016 blocks.
 * Source: Bitcoin Core,
 * `arith_uint256::SetCompact`/`GetCompact` and `CalculateNextWorkRequired`.
 */

/** Blocks of one difficulty. */
export const epochBlocks = 2_016;
/** What they are meant to take, in seconds: two weeks. */
const epochSeconds = 1_209_600;
/** One epoch changes the difficulty by this factor at most. */
const clampFactor = 4;

const easiestTarget = 0xffffn << 208n;

/**
 * The target of a compact form: three digits in base 256 and how many digits there are. Throws a
 * RangeError for none.
 */
export function targetOf(bits: number): bigint {
  const size = bits >>> 24;
  const word = BigInt(bits & 0x7fffff);
  const target = size <= 3 ? word >> BigInt(8 * (3 - size)) : word << BigInt(8 * (size - 3));
  if ((bits & 0x800000) !== 0 || target === 0n || target > easiestTarget) {
    throw new RangeError(`${bits} is no compact target`);
  }
  return target;
}

/** The compact form of a target, which cuts it to its first three bytes. */
export function bitsOf(target: bigint): number {
  let size = Math.ceil(target.toString(16).length / 2);
  let word = Number(
    size <= 3 ? target << BigInt(8 * (3 - size)) : target >> BigInt(8 * (size - 3)),
  );
  // The top bit would be a sign.
  if ((word & 0x800000) !== 0) {
    word >>= 8;
    size += 1;
  }
  return size * 0x1000000 + word;
}

/** How many times harder than the easiest target, whole, rounded down. */
export function difficultyOf(bits: number): bigint {
  return easiestTarget / targetOf(bits);
}

/**
 * The next epoch's bits from this one's and the times of its first and last block, in seconds. The
 * span is 2 015 intervals and not 2 016: Bitcoin's own slip, kept because it is the rule.
 */
export function nextBits(bits: number, firstSeconds: number, lastSeconds: number): number {
  const span = Math.min(
    Math.max(lastSeconds - firstSeconds, epochSeconds / clampFactor),
    epochSeconds * clampFactor,
  );
  const target = (targetOf(bits) * BigInt(span)) / BigInt(epochSeconds);
  return bitsOf(target > easiestTarget ? easiestTarget : target);
}

/** Hashes a second that find a block every 600 s at this difficulty, rounded down. */
export function hashrateOf(difficulty: bigint): bigint {
  return (difficulty << 32n) / 600n;
}
