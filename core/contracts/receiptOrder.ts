import { sha256 } from "@noble/hashes/sha2.js";
import { coinFlipReturnLimits, computeCoinFlipReturnPer20000 } from "#core/contracts/breakEven.ts";
import { orderHash } from "#core/contracts/order.ts";
import type { CheckState, StepResult } from "#core/contracts/receiptState.ts";
import { secondAt } from "#core/contracts/receiptState.ts";
import { computeFee } from "#core/contracts/settle.ts";
import { matchesFixedTerms } from "#core/contracts/terms.ts";
import { findBindingMismatch } from "#core/transparency-log/binding.ts";
import { bytesToHex, equalBytes, hexToBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import { LeafError } from "#core/transparency-log/provenLeaves.ts";
import { isCount } from "#core/transparency-log/schema.ts";
import { decodeTerms } from "#core/transparency-log/termsLeaf.ts";

/** Recomputes the order's hash and its charge. */
export function checkOrder(state: CheckState): StepResult {
  const { order } = state;
  const hash = orderHash(order);
  state.orderHash = hexToBytes(hash);
  const fee = computeFee(order.stake, order.feeBp);
  const inputs = {
    order_hash: hash,
    stake: order.stake.toString(),
    fee_bp: order.feeBp,
    fee: fee.toString(),
  };
  return { inputs, difference: fee === order.fee ? null : "fee_differs" };
}

/**
 * Checks that the terms match the hash pinned by the order, precede the order in the log, and allow
 * it.
 */
export function checkTerms(state: CheckState): StepResult {
  const { receipt, order, leaves } = state;
  const inputs = { terms_hash: order.termsHash, terms_leaf: receipt.terms_leaf };
  const hash = computeHash(receipt.terms);
  if (hash === null || bytesToHex(hash) !== order.termsHash) {
    return { inputs, difference: "terms_hash_differs" };
  }
  const bytes = leaves.get(receipt.terms_leaf);
  if (!bytes) throw new LeafError("leaf_missing", receipt.terms_leaf);
  const leaf = decodeTerms(bytes, state.tag);
  if (!leaf.ok || !equalBytes(leaf.value.termsHash, hash))
    return { inputs, difference: "terms_not_in_log" };
  if (receipt.terms_leaf >= receipt.bound_leaf) return { inputs, difference: "terms_after_order" };
  if (!matchesFixedTerms(leaf.value.body)) return { inputs, difference: "constants_differ" };
  const tiers = getTiers(leaf.value.body);
  if (!tiers.every(returnsWithinLimits)) return { inputs, difference: "return_out_of_range" };
  const allowed = allows(leaf.value.body, tiers, state);
  return { inputs, difference: allowed ? null : "terms_do_not_allow_order" };
}

type TierFields = Record<string, unknown>;

const getTiers = ({ tiers }: Record<string, unknown>): TierFields[] =>
  Array.isArray(tiers) ? tiers : [];

/** No instance may offer a tier outside these limits, even if its log states one. */
function returnsWithinLimits({ rate_bp: rateBp, fee_bp: feeBp }: TierFields): boolean {
  if (!isCount(rateBp) || !isCount(feeBp)) return false;
  const returnPer20000 = computeCoinFlipReturnPer20000({ rateBp, feeBp });
  return returnPer20000 >= coinFlipReturnLimits.min && returnPer20000 <= coinFlipReturnLimits.max;
}

function computeHash(terms: Record<string, unknown>): Uint8Array | null {
  try {
    return sha256(canonicalBytes(terms as { [name: string]: Canonical }));
  } catch {
    return null;
  }
}

function allows(
  body: Record<string, unknown>,
  tiers: readonly TierFields[],
  { order }: CheckState,
): boolean {
  const tier = tiers.find((tier) => tier.seconds === order.tierSeconds);
  return (
    tier !== undefined &&
    body.contract_id === order.contractId &&
    body.symbol === order.symbol &&
    tier.range_bp === order.rangeBp &&
    tier.rate_bp === order.rateBp &&
    tier.fee_bp === order.feeBp &&
    tier.window_seconds === order.windowSeconds &&
    BigInt(String(tier.stake_min)) <= order.stake &&
    order.stake <= BigInt(String(tier.stake_max))
  );
}

/**
 * Checks that the order is under the `orders_root` of its leaf: the first second closing no earlier
 * than the order was accepted.
 */
export function checkBinding(state: CheckState): StepResult {
  const { receipt, order } = state;
  const leaf = secondAt(state, receipt.bound_leaf);
  const inputs = {
    leaf: receipt.bound_leaf,
    second_ms: leaf?.secondMs ?? null,
    accepted_at_ms: order.acceptedAtMs,
    orders_root: leaf && bytesToHex(leaf.ordersRoot),
    orders_index: receipt.orders_index,
    orders_count: receipt.orders_count,
  };
  const difference = findBindingMismatch(receipt, order.acceptedAtMs, state.orderHash!, (index) =>
    secondAt(state, index),
  );
  if (leaf) state.passed = { leaf: receipt.bound_leaf, secondMs: leaf.secondMs };
  return { inputs, difference };
}
