/** Satoshi in one BTC. */
const satoshiPerBtc = 100_000_000n;
/** Blocks between halvings (Bitcoin Core, `nSubsidyHalvingInterval`). */
const halvingBlocks = 210_000;
const firstSubsidy = 50n * satoshiPerBtc;

/**
 * The subsidy in satoshi of the block at `height`: 50 BTC, halved every 210 000 blocks, truncated
 * to whole satoshi.
 */
export function subsidyAt(height: number): bigint {
  const halvings = Math.floor(height / halvingBlocks);
  return halvings >= 64 ? 0n : firstSubsidy >> BigInt(halvings);
}

/** Height of the first block after `height` with half its subsidy. */
export function nextHalvingAfter(height: number): number {
  return (Math.floor(height / halvingBlocks) + 1) * halvingBlocks;
}
