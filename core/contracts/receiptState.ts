import type { OrderBody } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptForm.ts";
import type { VoidReason } from "#core/contracts/settle.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** The steps of a check, in their order. */
export const receiptSteps = [
  "marks",
  "order",
  "terms",
  "binding",
  "entry",
  "window",
  "selling",
  "outcome",
] as const;
export type StepName = (typeof receiptSteps)[number];

/** Why a receipt does not agree with the log. Each has its own sentence on the screen. */
export type Difference =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "order_malformed"
  | "fee_differs"
  | "terms_hash_differs"
  | "terms_not_in_log"
  | "terms_after_order"
  | "terms_do_not_allow_order"
  | "leaf_missing"
  | "leaf_unreadable"
  | "bound_leaf_not_a_second"
  | "bound_before_acceptance"
  | "bound_too_late"
  | "orders_count_differs"
  | "order_not_in_root"
  | "entry_leaf_differs"
  | "window_incomplete"
  | "entry_time_differs"
  | "purchase_price_differs"
  | "delivery_time_differs"
  | "selling_price_differs"
  | "outcome_differs"
  | "payout_differs";

/** One step with what went in and came out; amounts and prices are integers as strings. */
export interface ReceiptStep {
  step: StepName;
  ok: boolean;
  difference: Difference | null;
  inputs: Record<string, string | number | null>;
}

/** A second of the settlement window: `value` null in a gap, `used` false when trimmed. */
export interface WindowSample {
  secondMs: number;
  leaf: number | null;
  value: bigint | null;
  used: boolean;
}

/** What the steps work on and find out. */
export interface CheckState {
  readonly receipt: ContractReceipt;
  readonly order: OrderBody;
  readonly world: WorldLeaf;
  readonly leaves: ReadonlyMap<number, Uint8Array>;
  readonly tag: Uint8Array;
  /** Column of the order's symbol in a `second` leaf. */
  readonly column: number;
  orderHash: Uint8Array | null;
  entryAtMs: number | null;
  purchase: bigint | null;
  deliveryAtMs: number | null;
  window: WindowSample[];
  selling: bigint | null;
  voidReason: VoidReason | null;
}

export type StepResult = { difference: Difference | null; inputs: ReceiptStep["inputs"] };

/** Thrown inside steps when a leaf that the receipt needs is not there or cannot be read. */
export class LeafProblem extends Error {
  readonly difference: "leaf_missing" | "leaf_unreadable";
  readonly leaf: number;

  constructor(difference: "leaf_missing" | "leaf_unreadable", leaf: number) {
    super(`${difference} ${leaf}`);
    this.name = "LeafProblem";
    this.difference = difference;
    this.leaf = leaf;
  }
}

/** The second leaf at `index`; null when the log holds another kind there. Throws a LeafProblem. */
export function secondAt(state: CheckState, index: number): SecondLeaf | null {
  const bytes = state.leaves.get(index);
  if (!bytes) throw new LeafProblem("leaf_missing", index);
  const read = decodeSecond(bytes, state.tag);
  if (read.ok) return read.value;
  if (read.error === "leaf_kind_wrong") return null;
  throw new LeafProblem("leaf_unreadable", index);
}
