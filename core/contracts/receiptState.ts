import type { OrderBody } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import type { VoidReason } from "#core/contracts/settle.ts";
import type { VerifyRound } from "#core/transparency-log/beacon.ts";
import type { BindingMismatch } from "#core/transparency-log/binding.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import type { DayLeaf } from "#core/transparency-log/dayLeaf.ts";
import {
  getProvenSecond,
  LeafError,
  type ProvenLeaves,
} from "#core/transparency-log/provenLeaves.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { MixedSeed } from "#core/transparency-log/seedLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** The steps of a check, in order. */
export const receiptSteps = [
  "marks",
  "order",
  "terms",
  "binding",
  "entry",
  "window",
  "selling",
  "outcome",
  "day",
  "seed",
] as const;
export type StepName = (typeof receiptSteps)[number];

/** Why a receipt disagrees with the log. Each has its own message on screen. */
export type ContractMismatch =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "order_malformed"
  | "fee_differs"
  | "terms_hash_differs"
  | "terms_not_in_log"
  | "terms_after_order"
  | "constants_differ"
  | "return_out_of_range"
  | "terms_do_not_allow_order"
  | "leaf_missing"
  | "leaf_unreadable"
  | "leaves_out_of_order"
  | BindingMismatch
  | "entry_leaf_differs"
  | "window_incomplete"
  | "entry_time_differs"
  | "purchase_price_differs"
  | "delivery_time_differs"
  | "selling_price_differs"
  | "outcome_differs"
  | "payout_differs"
  | "day_leaf_differs"
  | "day_seconds_differ"
  | "day_voids_differ"
  | "seed_leaf_differs"
  | "seed_source_differs";

/** One step with its inputs and results; amounts and prices are integers as strings. */
export interface ReceiptStep {
  step: StepName;
  ok: boolean;
  difference: ContractMismatch | null;
  inputs: Record<string, string | number | null>;
}

/** The beginning of a day's seed, as the log says it. */
export interface StartedSeed extends MixedSeed {
  leaf: number;
}

/** A second of the settlement window: `value` null in a gap, `used` false when trimmed. */
export interface WindowSample {
  secondMs: number;
  leaf: number | null;
  value: bigint | null;
  used: boolean;
}

/** Input and working state of the steps. */
export interface CheckState {
  readonly receipt: ContractReceipt;
  readonly order: OrderBody;
  readonly world: WorldLeaf;
  readonly leaves: ProvenLeaves;
  readonly verify: VerifyEd25519 | null;
  readonly verifyRound: VerifyRound | null;
  readonly tag: Uint8Array;
  /** Column of the order's symbol in a `second` leaf. */
  readonly column: number;
  /** The last `second` leaf read by `nextSecond`. */
  passed: { leaf: number; secondMs: number } | null;
  orderHash: Uint8Array | null;
  entryAtMs: number | null;
  entryPrice: bigint | null;
  deliveryAtMs: number | null;
  window: WindowSample[];
  settlementPrice: bigint | null;
  voidReason: VoidReason | null;
  day: DayLeaf | null;
  /** The source mixed into the seed of the day on which it ended, and the leaf that states it. */
  seed: StartedSeed | null;
}

export type StepResult = { difference: ContractMismatch | null; inputs: ReceiptStep["inputs"] };

/** The second leaf at `index`; null when the log holds another kind there. Throws a LeafError. */
export const secondAt = ({ leaves, tag }: CheckState, index: number): SecondLeaf | null =>
  getProvenSecond(leaves, tag, index);

/**
 * Like `secondAt`, for reading the log in ascending order. A second that repeats or precedes the
 * previous one was written with knowledge of the market after its stated time.
 */
export function nextSecond(state: CheckState, index: number): SecondLeaf | null {
  const second = secondAt(state, index);
  if (!second) return null;
  const { passed } = state;
  // A window may begin with the entry leaf, which has been read already.
  if (passed && passed.leaf !== index && second.secondMs <= passed.secondMs)
    throw new LeafError("seconds_not_ascending", index);
  state.passed = { leaf: index, secondMs: second.secondMs };
  return second;
}
