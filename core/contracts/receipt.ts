import { type OrderBody, readOrderStructure } from "#core/contracts/order.ts";
import { readBinding, readOrder, readTerms } from "#core/contracts/receiptOrder.ts";
import {
  readEntryPrice,
  readOutcome,
  readSelling,
  readWindow,
} from "#core/contracts/receiptPrice.ts";
import type { Outcome, VoidReason } from "#core/contracts/settle.ts";
import { worldTag } from "#core/log/leaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/log/secondLeaf.ts";
import type { WorldLeaf } from "#core/log/worldLeaf.ts";

export const receiptFormat = "drydock.receipt.contract/1";

/** A contract receipt as docs/formats/receipt.md lays it out. Amounts are decimal strings of minor units. */
export interface ContractReceipt {
  format: typeof receiptFormat;
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  order: Record<string, unknown>;
  orders_path: string[];
  orders_count: number;
  orders_index: number;
  /** The last second before `bound_leaf`; 0 when there was none. */
  before_leaf: number;
  bound_leaf: number;
  /** The leaf that decided the entry: it holds the purchase price, or lies too late. */
  entry_leaf: number;
  /** From the last second before the window to the first at or after delivery, inclusive; null without an entry. */
  window_leaves: [number, number] | null;
  terms: Record<string, unknown>;
  terms_leaf: number;
  result: ReceiptResult;
  log: { origin: string; vkey: string };
}

export interface ReceiptResult {
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

export interface ReceiptCheck {
  /** True only when every step agrees. Says nothing about whether any money exists. */
  ok: boolean;
  steps: ReceiptStep[];
  order: OrderBody | null;
  /** For the picture; empty for an order without an entry. */
  window: WindowSample[];
  purchase: bigint | null;
  selling: bigint | null;
}

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

/** Most leaves one receipt may ask for: a window, its edges and other kinds between. */
const leavesMax = 5_000;

/** The leaves a check needs, each an inclusive range; whoever checks fetches these and proves them against a checkpoint. */
export function leavesNeeded(receipt: ContractReceipt): [number, number][] {
  const ranges: [number, number][] = [
    [0, 0],
    [receipt.terms_leaf, receipt.terms_leaf],
    [receipt.before_leaf, receipt.bound_leaf],
    [receipt.bound_leaf, receipt.entry_leaf],
  ];
  if (receipt.window_leaves) ranges.push(receipt.window_leaves);
  return ranges;
}

/** Reads the outer form of a receipt; null when it is none of this format or asks for an absurd range. */
export function readReceipt(value: unknown): ContractReceipt | null {
  if (typeof value !== "object" || value === null) return null;
  const read = value as ContractReceipt;
  const index = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0;
  const integer = (text: unknown) =>
    typeof text === "string" && /^(0|-?[1-9][0-9]{0,30})$/.test(text);
  const orNull = (fits: (value: unknown) => boolean, field: unknown) =>
    field === null || fits(field);
  const fine =
    read.format === receiptFormat &&
    isObject(read.order) &&
    isObject(read.terms) &&
    isObject(read.market) &&
    isObject(read.log) &&
    Array.isArray(read.orders_path) &&
    read.orders_path.every((hash) => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash)) &&
    [
      read.orders_count,
      read.orders_index,
      read.before_leaf,
      read.bound_leaf,
      read.entry_leaf,
      read.terms_leaf,
    ].every(index) &&
    orNull(
      (range) => Array.isArray(range) && range.length === 2 && range.every(index),
      read.window_leaves,
    ) &&
    isObject(read.result) &&
    ["won", "lost", "tie", "void"].includes(read.result.outcome) &&
    orNull(
      (reason) => reason === "no_entry" || reason === "few_samples",
      read.result.void_reason,
    ) &&
    orNull(integer, read.result.purchase_price) &&
    orNull(integer, read.result.selling_price) &&
    orNull(index, read.result.entry_at_ms) &&
    orNull(index, read.result.delivery_at_ms) &&
    integer(read.result.payout) &&
    integer(read.result.net);
  if (!fine) return null;
  const asked = leavesNeeded(read);
  return asked.every(([from, to]) => to >= from && to - from < leavesMax) ? read : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

const steps: Record<Exclude<StepName, "marks">, (state: CheckState) => StepResult> = {
  order: readOrder,
  terms: readTerms,
  binding: readBinding,
  entry: readEntryPrice,
  window: readWindow,
  selling: readSelling,
  outcome: readOutcome,
};

/**
 * Recomputes a receipt from raw leaves by their index (the caller has proven that they are in the log) and the `world`
 * leaf. Stops at the first step that does not agree. Needs the leaves that `leavesNeeded` names.
 */
export function checkReceipt(
  value: unknown,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
): ReceiptCheck {
  const receipt = readReceipt(value);
  const failed = (difference: Difference, order: OrderBody | null = null): ReceiptCheck => ({
    ok: false,
    steps: [{ step: "marks", ok: false, difference, inputs: {} }],
    order,
    window: [],
    purchase: null,
    selling: null,
  });
  if (!receipt) return failed("receipt_malformed");
  if (receipt.practice !== true || receipt.backing !== "none") return failed("not_practice");
  const read = readOrderStructure(receipt.order);
  if (!read.ok)
    return failed(
      ["practice", "backing"].includes(read.field) ? "not_practice" : "order_malformed",
    );
  const { order } = read;
  if (receipt.world !== world.world || order.world !== world.world)
    return failed("world_differs", order);
  const sameMarket = [receipt.market, order.market].every(
    ({ kind, speed }) => kind === world.market.kind && speed === world.market.speed,
  );
  const column = world.symbols.findIndex(({ name }) => name === order.symbol);
  if (!sameMarket || column < 0) return failed("market_differs", order);
  const state: CheckState = {
    receipt,
    order,
    world,
    leaves,
    tag: worldTag(world.world),
    column,
    orderHash: null,
    entryAtMs: null,
    purchase: null,
    deliveryAtMs: null,
    window: [],
    selling: null,
    voidReason: null,
  };
  const done: ReceiptStep[] = [
    {
      step: "marks",
      ok: true,
      difference: null,
      inputs: { world: world.world, market: world.market.kind, speed: world.market.speed },
    },
  ];
  return runSteps(state, done);
}

function runSteps(state: CheckState, done: ReceiptStep[]): ReceiptCheck {
  for (const [step, run] of Object.entries(steps) as [
    Exclude<StepName, "marks">,
    (typeof steps)["order"],
  ][]) {
    let result: StepResult;
    try {
      result = run(state);
    } catch (problem) {
      if (!(problem instanceof LeafProblem)) throw problem;
      result = { difference: problem.difference, inputs: { leaf: problem.leaf } };
    }
    done.push({ step, ok: result.difference === null, ...result });
    if (result.difference !== null) break;
  }
  return {
    ok: done.every(({ ok }) => ok) && done.length === receiptSteps.length,
    steps: done,
    order: state.order,
    window: state.window,
    purchase: state.purchase,
    selling: state.selling,
  };
}
