/**
 * The chart of accounts: every kind of account, its owner, and the meaning of a positive balance.
 *
 * A user's accounts belong to one attempt and never go below zero. House accounts have one row per
 * coin, take no lock and may go below zero: `issuance` always does, by the total ever issued.
 */
const accountKinds = {
  /** The user's available balance. */
  wallet: { of: "user" },
  /** Set aside for a pending hold; moved only by naming that hold. */
  held: { of: "user" },
  /** The source of practice money: starting balances, credited vouchers, rewards. */
  issuance: { of: "house" },
  /** Stakes and fees of open contracts come in, payouts go out. */
  contracts: { of: "house" },
  /** Withdrawn from the practice ledger. */
  outside: { of: "house" },
  /** Fees of withdrawals and exchanges. */
  fees: { of: "house" },
  /** The other side of every exchange, in both coins. */
  exchange: { of: "house" },
  /** Assets of all hosting pools together, cash and inventory; each journal names its pool. */
  hosting: { of: "house" },
  /** The venues' side of every paper trade, fees included. */
  venues: { of: "house" },
  /** Lease prices and electricity come in, payouts and refunds go out. */
  mining: { of: "house" },
} as const satisfies Record<string, { of: "user" | "house" }>;

export type AccountKind = keyof typeof accountKinds;

/** Kinds of journals the ledger writes itself; each domain names its own (`contract.open`). */
export const attemptStart = "attempt.start";

/** A new attempt's starting balance: 10 000 pUSDT in minor units (docs/rules/ledger.md). */
export const startingBalance = 10_000_000_000n;
