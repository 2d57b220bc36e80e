import type { Outcome, VoidReason } from "#core/contracts/settle.ts";
import { type Binding, bindingMembers, isBinding } from "#core/transparency-log/binding.ts";
import { isWellFormed } from "#core/transparency-log/canonical.ts";
import {
  hasOnly,
  isCount,
  isLog,
  isObject,
  isSigned,
  orNull,
} from "#core/transparency-log/schema.ts";

export const receiptFormat = "drydock.receipt.contract/1";

/** A contract receipt (docs/formats/receipt.md). Amounts are decimal strings of minor units. */
export interface ContractReceipt extends Binding {
  format: typeof receiptFormat;
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  order: Record<string, unknown>;
  /** The leaf that decided the entry: it holds the purchase price, or is too late. */
  entry_leaf: number;
  /**
   * From the last second before the window to the first at or after delivery, inclusive; null
   * without an entry.
   */
  window_leaves: [number, number] | null;
  terms: Record<string, unknown>;
  terms_leaf: number;
  result: ReceiptResult;
  /** The `day` leaf of the day on which the order ended; null until that day is over. */
  day_leaf: number | null;
  /** The leaf that began that day's seed; null if the log has none. */
  seed_leaf: number | null;
  log: { origin: string; vkey: string };
}

interface ReceiptResult {
  outcome: Outcome;
  void_reason: VoidReason | null;
  /** Integers at the symbol's scale. */
  purchase_price: string | null;
  selling_price: string | null;
  entry_at_ms: number | null;
  delivery_at_ms: number | null;
  payout: string;
  net: string;
}

/**
 * The most leaves a receipt may ask for: a window, its edges, and leaves of other kinds in between.
 */
const leavesMax = 5_000;

/**
 * Inclusive ranges of the leaves a check needs; the caller fetches them and proves them against a
 * checkpoint.
 */
export function listNeededLeaves(receipt: ContractReceipt): [number, number][] {
  const ranges: [number, number][] = [
    [0, 0],
    [receipt.terms_leaf, receipt.terms_leaf],
    [receipt.before_leaf, receipt.bound_leaf],
    [receipt.bound_leaf, receipt.entry_leaf],
  ];
  if (receipt.window_leaves) ranges.push(receipt.window_leaves);
  if (receipt.day_leaf !== null) ranges.push([receipt.day_leaf, receipt.day_leaf]);
  if (receipt.seed_leaf !== null) ranges.push([receipt.seed_leaf, receipt.seed_leaf]);
  return ranges;
}

const members = `format practice backing world market order ${bindingMembers} entry_leaf window_leaves terms terms_leaf result day_leaf seed_leaf log`;
const resultMembers =
  "outcome void_reason purchase_price selling_price entry_at_ms delivery_at_ms payout net";

/**
 * Reads the outer form of a receipt; null if it has another format or asks for an excessive range.
 */
export function parseReceipt(value: unknown): ContractReceipt | null {
  if (typeof value !== "object" || value === null || !isWellFormed(value)) return null;
  const receipt = value as ContractReceipt;
  const integer = isSigned(31);
  const isValid =
    receipt.format === receiptFormat &&
    hasOnly(receipt, members) &&
    isObject(receipt.order) &&
    isObject(receipt.terms) &&
    isObject(receipt.market) &&
    hasOnly(receipt.market, "kind speed") &&
    isLog(receipt.log) &&
    isBinding(receipt) &&
    [receipt.entry_leaf, receipt.terms_leaf].every(isCount) &&
    orNull((range) => Array.isArray(range) && range.length === 2 && range.every(isCount))(
      receipt.window_leaves,
    ) &&
    [receipt.day_leaf, receipt.seed_leaf].every(orNull(isCount)) &&
    isObject(receipt.result) &&
    hasOnly(receipt.result, resultMembers) &&
    ["won", "lost", "tie", "void"].includes(receipt.result.outcome) &&
    [null, "no_entry", "few_samples"].includes(receipt.result.void_reason) &&
    [receipt.result.purchase_price, receipt.result.selling_price].every(orNull(integer)) &&
    [receipt.result.entry_at_ms, receipt.result.delivery_at_ms].every(orNull(isCount)) &&
    integer(receipt.result.payout) &&
    integer(receipt.result.net);
  if (!isValid) return null;
  const leafRanges = listNeededLeaves(receipt);
  return leafRanges.every(([from, to]) => to >= from && to - from < leavesMax) ? receipt : null;
}
