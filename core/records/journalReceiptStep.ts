import type { FillCosts } from "#core/market/fillCosts.ts";
import type { Coin } from "#core/money/coins.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { VerifyRound } from "#core/transparency-log/beacon.ts";
import type { BindingMismatch } from "#core/transparency-log/binding.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

export const journalSteps = [
  "marks",
  "legs",
  "chain",
  "running",
  "committed",
  "arithmetic",
  "orders",
] as const;
export type JournalStepName = (typeof journalSteps)[number];

/** Why a journal's receipt disagrees. Each has its own message on screen. */
export type JournalMismatch =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "legs_not_zero"
  | "leg_not_in_chain"
  | "journal_not_in_chain"
  | "chain_start_differs"
  | "parts_differ"
  | "accounts_fell"
  | "running_differs"
  | "balance_negative"
  | "leaf_missing"
  | "liabilities_unreadable"
  | "account_not_committed"
  | "total_differs"
  | "start_differs"
  | "reward_differs"
  | "fee_differs"
  | "rate_differs"
  | "received_differs"
  | "index_not_in_leaf"
  | "index_too_old"
  | "order_missing"
  | "order_differs"
  | "leaf_unreadable"
  | BindingMismatch;

export interface JournalStep {
  step: JournalStepName;
  ok: boolean;
  difference: JournalMismatch | null;
  inputs: Record<string, string | number | null>;
}

export type JournalStepResult = Omit<JournalStep, "step" | "ok">;

/** The cost of an exchange against the index of its quote, in minor units of the coin received. */
export interface ExchangeEvidence {
  coin: Coin;
  atIndex: bigint;
  /** Without a delay: the index of the moment of the exchange is not in the receipt. */
  costs: FillCosts;
}

export interface JournalState {
  readonly receipt: JournalReceipt;
  readonly world: WorldLeaf;
  readonly leaves: ReadonlyMap<number, Uint8Array>;
  /** For the seeds that receipts of contracts rest on; null where they are not verified. */
  readonly verify: VerifyEd25519 | null;
  readonly verifyRound: VerifyRound | null;
  /** The start of each account's chain, and its head after its entries, by index in the list. */
  starts: Uint8Array[];
  heads: Uint8Array[];
  /** The costs of an `exchange.execute` whose arithmetic agrees. */
  exchange: ExchangeEvidence | null;
}
