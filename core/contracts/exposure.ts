const unit = 1_000_000n;

/**
 * Cap on the worst-case net payout of one contract, in minor units: the profits payable if every
 * open order won.
 */
export const exposureCap = 1_000_000n * unit;
/** One person's part of it: 5 %. Without it a few people could use up a contract for all others. */
export const exposureShare = exposureCap / 20n;
/**
 * The net profit that each person can always have open, however full the contract is: wallets are
 * free, so many of them could use up the cap as one could. The largest default order pays 900 net.
 */
const exposureFloor = 1_000n * unit;

/** "No cap" for the ledger, whose amounts are 64-bit. */
const unlimited = 2n ** 63n - 1n;

/**
 * Decides if an order that would pay `profit` net fits beside the person's open orders on the
 * contract, which would pay `own`; and the cap on the whole contract that then applies.
 */
export function decideExposure(
  ownExposure: bigint,
  profit: bigint,
): { ok: true; cap: bigint } | { ok: false } {
  if (ownExposure + profit > exposureShare) return { ok: false };
  return { ok: true, cap: ownExposure + profit <= exposureFloor ? unlimited : exposureCap };
}
