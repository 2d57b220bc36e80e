const unit = 1_000_000n;

/**
 * Cap on the worst-case net payout of one contract, in minor units: the profits payable if every
 * open order won.
 */
export const exposureCap = 1_000_000n * unit;
/**
 * One person's share of the cap: 5 %. Without it a few people could use up a contract for all
 * others.
 */
export const exposureShare = exposureCap / 20n;
/**
 * The net profit that each person can always have open, however full the contract is: wallets cost
 * nothing, so one person could use up the cap with many. The largest default order pays 900 net.
 */
const exposureFloor = 1_000n * unit;

/** "No cap" for the ledger, whose amounts are 64-bit. */
const unlimited = 2n ** 63n - 1n;

/**
 * Decides whether an order with a net `profit` fits beside the person's open orders on the
 * contract, whose net profits are `ownExposure`, and which cap on the whole contract then applies.
 */
export function decideExposure(
  ownExposure: bigint,
  profit: bigint,
): { ok: true; cap: bigint } | { ok: false } {
  if (ownExposure + profit > exposureShare) return { ok: false };
  return { ok: true, cap: ownExposure + profit <= exposureFloor ? unlimited : exposureCap };
}
