/**
 * The chart of accounts: every kind of account, whose it is, and what a positive balance of it
 * means.
 *
 * A user's accounts belong to one attempt and never go below zero. House accounts have one row per
 * coin, take no lock and may go below zero: `issuance` always does, by as much as was ever handed
 * out.
 */
const accountKinds = {
  /** What the user may use. */
  wallet: { of: "user" },
  /** What is set aside for a pending hold; moved only by naming that hold. */
  held: { of: "user" },
  /** Where practice money comes from: starting balances, credited vouchers, rewards. */
  issuance: { of: "house" },
  /** Stakes and fees of open contracts come in, payouts go out. */
  contracts: { of: "house" },
  /** What left the practice ledger by withdrawal. */
  outside: { of: "house" },
  /** Fees of withdrawals and exchanges. */
  fees: { of: "house" },
  /** The other side of every exchange, in both coins. */
  exchange: { of: "house" },
  /**
   * What hosting pools own: cash and inventory, all pools together; each journal names its pool.
   */
  hosting: { of: "house" },
  /** The venues as pools see them: the other side of every paper trade, fees included. */
  venues: { of: "house" },
  /** Lease prices and electricity come in, payouts and refunds go out. */
  mining: { of: "house" },
} as const satisfies Record<string, { of: "user" | "house" }>;

export type AccountKind = keyof typeof accountKinds;

/**
 * The kinds of journals the ledger writes for itself; each domain names its own (`contract.open`).
 */
export const attemptStart = "attempt.start";

/** What a new attempt starts with: 10 000 pUSDT in minor units (docs/rules/ledger.md). */
export const startingBalance = 10_000_000_000n;

/**
 * What an invitation brings to each of the two: 100 pUSDT in minor units (docs/rules/invites.md).
 */
export const inviteReward = 100_000_000n;
