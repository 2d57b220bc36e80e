import type { CheckState, StepResult, WindowSample } from "#core/contracts/receiptState.ts";
import { nextSecond, secondAt } from "#core/contracts/receiptState.ts";
import { computeDelivery, readEntry, settle } from "#core/contracts/settle.ts";
import { computeSettlementPrice, getTrimCount, getWindowBounds } from "./settlementWindow.ts";

/**
 * Reads the leaves after the binding one until one decides the entry; it must be the receipt's
 * entry leaf, with the same price.
 */
export function checkEntryPrice(state: CheckState): StepResult {
  const { receipt, order, column } = state;
  for (let leaf = receipt.bound_leaf + 1; leaf <= receipt.entry_leaf; leaf += 1) {
    const second = nextSecond(state, leaf);
    if (!second) continue;
    const value = second.index[column] ?? null;
    const entry = readEntry(order.acceptedAtMs, { secondMs: second.secondMs, value });
    if (!entry.decides) continue;
    const inputs = {
      leaf,
      second_ms: second.secondMs,
      late_by_ms: second.secondMs - order.acceptedAtMs,
      purchase_price: entry.price === null ? null : entry.price.toString(),
    };
    if (leaf !== receipt.entry_leaf) return { inputs, difference: "entry_leaf_differs" };
    state.entryPrice = entry.price;
    if (entry.price === null) state.voidReason = "no_entry";
    else {
      state.entryAtMs = second.secondMs;
      state.deliveryAtMs = computeDelivery(second.secondMs, order.tierSeconds);
    }
    return { inputs, difference: entryMismatch(state) };
  }
  return { inputs: { leaf: receipt.entry_leaf }, difference: "entry_leaf_differs" };
}

function entryMismatch({ receipt, entryPrice, entryAtMs, deliveryAtMs }: CheckState) {
  const { result } = receipt;
  if (result.purchase_price !== toText(entryPrice)) return "purchase_price_differs";
  if (result.entry_at_ms !== entryAtMs) return "entry_time_differs";
  return result.delivery_at_ms === deliveryAtMs ? null : "delivery_time_differs";
}

const toText = (value: bigint | null) => (value === null ? null : value.toString());

/**
 * Collects the window second by second; the range must extend past both edges, so that nothing is
 * left out.
 */
export function checkWindow(state: CheckState): StepResult {
  const { receipt, order, deliveryAtMs } = state;
  if (deliveryAtMs === null) {
    return { inputs: {}, difference: receipt.window_leaves === null ? null : "window_incomplete" };
  }
  if (!receipt.window_leaves) return { inputs: {}, difference: "window_incomplete" };
  const { fromMs, toMs } = getWindowBounds(deliveryAtMs, order.windowSeconds);
  const [first, last] = receipt.window_leaves;
  const inputs = { from_ms: fromMs, to_ms: toMs, first_leaf: first, last_leaf: last };
  if (first < receipt.entry_leaf) return { inputs, difference: "leaves_out_of_order" };
  const before = secondAt(state, first);
  const after = secondAt(state, last);
  if (!before || before.secondMs >= fromMs || !after || after.secondMs < toMs) {
    return { inputs, difference: "window_incomplete" };
  }
  const valuesByMs = new Map<number, { leaf: number; value: bigint | null }>();
  for (let leaf = first; leaf <= last; leaf += 1) {
    const second = nextSecond(state, leaf);
    if (!second) continue;
    valuesByMs.set(second.secondMs, { leaf, value: second.index[state.column] ?? null });
  }
  for (let secondMs = fromMs; secondMs <= toMs; secondMs += 1000) {
    const { leaf, value } = valuesByMs.get(secondMs) ?? { leaf: null, value: null };
    state.window.push({ secondMs, leaf, value, used: false });
  }
  return { inputs, difference: null };
}

/** Computes the settlement price from the window's samples. */
export function checkSettlementPrice(state: CheckState): StepResult {
  const { receipt, order, window } = state;
  if (state.deliveryAtMs === null) return { inputs: {}, difference: priceMismatch(state) };
  const presentSamples = window.filter((sample) => sample.value !== null);
  const price = computeSettlementPrice(
    presentSamples.map(({ value }) => value as bigint),
    order.windowSeconds,
  );
  if (price.ok) {
    markUsed(presentSamples);
    state.settlementPrice = price.price;
  } else state.voidReason = "few_samples";
  const inputs = {
    window_seconds: order.windowSeconds,
    present: presentSamples.length,
    dropped_at_each_end: price.ok ? price.dropped : null,
    selling_price: toText(state.settlementPrice),
    claimed: receipt.result.selling_price,
  };
  return { inputs, difference: priceMismatch(state) };
}

const priceMismatch = ({ receipt, settlementPrice }: CheckState) =>
  receipt.result.selling_price === toText(settlementPrice) ? null : "selling_price_differs";

/**
 * Marks the samples that count. Of equal values at the edge, which one is dropped does not matter.
 */
function markUsed(presentSamples: WindowSample[]): void {
  const sorted = [...presentSamples].sort((a, b) => {
    const [leftValue, rightValue] = [a.value as bigint, b.value as bigint];
    return leftValue < rightValue ? -1 : leftValue > rightValue ? 1 : a.secondMs - b.secondMs;
  });
  const trimCount = getTrimCount(sorted.length);
  for (const sample of sorted.slice(trimCount, sorted.length - trimCount)) sample.used = true;
}

/** Checks outcome and payout to the minor unit. */
export function checkOutcome(state: CheckState): StepResult {
  const { receipt, order, entryPrice, settlementPrice } = state;
  const { result } = receipt;
  const settlement = settle(order, entryPrice, settlementPrice);
  const inputs = {
    direction: order.direction,
    range_bp: order.rangeBp,
    rate_bp: order.rateBp,
    purchase_price: toText(entryPrice),
    selling_price: toText(settlementPrice),
    outcome: settlement.outcome,
    payout: settlement.payout.toString(),
    net: settlement.net.toString(),
  };
  if (result.outcome !== settlement.outcome || result.void_reason !== state.voidReason) {
    return { inputs, difference: "outcome_differs" };
  }
  const matches = result.payout === inputs.payout && result.net === inputs.net;
  return { inputs, difference: matches ? null : "payout_differs" };
}
