import type { JournalReceipt } from "#core/records/journalReceiptForm.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

export const journalSteps = [
  "marks",
  "legs",
  "chain",
  "running",
  "committed",
  "arithmetic",
] as const;
export type JournalStepName = (typeof journalSteps)[number];

/** Why a journal's receipt disagrees. Each has its own message on screen. */
export type JournalDifference =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "legs_not_zero"
  | "leg_not_in_chain"
  | "journal_not_in_chain"
  | "chain_start_differs"
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
  | "index_too_old";

export interface JournalStep {
  step: JournalStepName;
  ok: boolean;
  difference: JournalDifference | null;
  inputs: Record<string, string | number | null>;
}

export type JournalStepResult = Omit<JournalStep, "step" | "ok">;

export interface JournalState {
  readonly receipt: JournalReceipt;
  readonly world: WorldLeaf;
  readonly leaves: ReadonlyMap<number, Uint8Array>;
  /** Each account's chain head after its entries, by position in the list. */
  heads: Uint8Array[];
}
