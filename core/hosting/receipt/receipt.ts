import { sha256 } from "@noble/hashes/sha2.js";
import type { PoolMarkBody } from "#core/hosting/bodies.ts";
import { type HostingReceipt, parseHostingReceipt } from "#core/hosting/receipt/receiptSchema.ts";
import {
  checkMarks,
  checkTerms,
  ensure,
  type HostingCheckStep,
  type Inputs,
  Leaves,
  requireAscending,
  requireMarked,
  runSteps,
} from "#core/hosting/receipt/receiptSteps.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";
import { dayMs } from "#core/money/time.ts";
import {
  type BindingMismatch,
  bindingRanges,
  findBindingMismatch,
  findInclusionMismatch,
} from "#core/transparency-log/binding.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** 10^(8 + 8 − 6): units × NAV divided by this is minor units of pUSDT. */
const unitsToMinor = 10n ** 10n;

/**
 * Leaves needed to check a subscription or redemption, besides `listHostingLeavesBehind`: all from the
 * second before its binding to its execution.
 */
export function listNeededHostingLeaves(receipt: HostingReceipt): number[] {
  const { bound_leaf: boundLeaf, mark_leaf: mark, terms_leaf: terms } = receipt;
  const ends = [boundLeaf, mark ?? boundLeaf];
  const bindings = bindingRanges(receipt).flatMap((range) => listIndexes(...range));
  return [0, terms, ...bindings, ...listIndexes(Math.min(...ends), Math.max(...ends))];
}

/**
 * All leaves to the end of a log of `size` leaves, for an order that was returned or executed at a
 * mark before it was bound.
 */
export function listHostingLeavesBehind(receipt: HostingReceipt, size: number): number[] {
  const { before_leaf: before, bound_leaf: boundLeaf, mark_leaf: mark } = receipt;
  return mark !== null && mark > boundLeaf
    ? []
    : listIndexes(Math.min(before, mark ?? before), size - 1);
}

/**
 * Recomputes a subscription or redemption from proven leaves (docs/formats/hosting.md, "An order").
 */
export function checkHostingOrder(
  value: unknown,
  world: WorldLeaf,
  bytes: ReadonlyMap<number, Uint8Array>,
): { ok: boolean; steps: HostingCheckStep[] } {
  const receipt = parseHostingReceipt(value);
  if (!receipt) {
    const difference = "receipt_malformed" as const;
    return { ok: false, steps: [{ step: "marks", ok: false, difference, inputs: {} }] };
  }
  const leaves = new Leaves(world, bytes);
  const steps = runSteps([
    ["marks", () => checkMarks(leaves, [receipt, receipt.order])],
    ["terms", () => checkOrderTerms(leaves, receipt)],
    ["bound", () => checkBound(leaves, receipt)],
    ["executed", () => checkExecuted(leaves, receipt)],
    ["amounts", () => checkAmounts(leaves, receipt)],
  ]);
  return { ok: steps.every(({ ok }) => ok), steps };
}

function checkOrderTerms(leaves: Leaves, receipt: HostingReceipt): Inputs {
  const { order, terms } = receipt;
  const hash = checkTerms(leaves, receipt, order.pool_id, receipt.bound_leaf);
  ensure(hash === order.terms_hash, "terms_hash_differs");
  if (order.amount !== null) {
    const amount = BigInt(order.amount);
    const isWithinBounds =
      amount >= BigInt(terms.minimum as string) && amount <= BigInt(terms.maximum as string);
    ensure(isWithinBounds, "terms_do_not_allow_pool_order");
  }
  return { terms_hash: hash, version: terms.version as number, terms_leaf: receipt.terms_leaf };
}

function checkBound(leaves: Leaves, receipt: HostingReceipt): Inputs {
  const { order, orders_count: count, orders_index: index, bound_leaf: boundLeaf } = receipt;
  const hash = sha256(canonicalBytes(order as never));
  const boundOrders = leaves.orders(boundLeaf);
  const difference = boundOrders
    ? lateBindingMismatch(receipt, hash, boundOrders)
    : findBindingMismatch(receipt, order.accepted_at_ms, hash, (leaf) => leaves.second(leaf));
  if (difference) ensure(false, difference);
  return {
    order_hash: bytesToHex(hash),
    orders_index: index,
    orders_count: count,
    bound_leaf: boundLeaf,
  };
}

/**
 * A redemption after a recording's end is bound by a leaf of type `orders`, as no second closes any
 * more; `checkEnded` looks at the seconds before it.
 */
function lateBindingMismatch(
  receipt: HostingReceipt,
  hash: Uint8Array,
  ordersLeaf: { count: number; root: Uint8Array },
): BindingMismatch | null {
  const { order, bound_leaf: boundLeaf, mark_leaf: mark } = receipt;
  if (order.action !== "redeem" || mark === null || mark > boundLeaf)
    return "bound_leaf_not_a_second";
  return findInclusionMismatch(receipt, hash, ordersLeaf);
}

interface LoggedMark extends PoolMarkBody {
  at_ms: number;
  second_leaf: number;
}

/** The mark of the receipt's pool at `index`, or null. */
function markAt(leaves: Leaves, { order }: HostingReceipt, index: number): LoggedMark | null {
  const body = leaves.body(index, "mark");
  if (body?.type !== "mark") return null;
  const pool = (body.pools as PoolMarkBody[]).find(({ pool_id: id }) => id === order.pool_id);
  const { at_ms: atMs, second_leaf: second } = body as { at_ms: number; second_leaf: number };
  return pool ? { ...pool, at_ms: atMs, second_leaf: second } : null;
}

function checkExecuted(leaves: Leaves, receipt: HostingReceipt): Inputs {
  const { bound_leaf: boundLeaf, mark_leaf: leaf, order, terms } = receipt;
  if (leaf === null) {
    ensure(order.action === "subscribe", "mark_not_in_log");
    checkEnded(leaves, receipt, null);
    return { mark_leaf: null };
  }
  const mark = markAt(leaves, receipt, leaf);
  ensure(mark !== null && mark.at_ms === receipt.result.mark_at_ms, "mark_not_in_log");
  if (leaf < boundLeaf) {
    ensure(order.action === "redeem", "mark_not_in_log");
    checkEnded(leaves, receipt, mark);
  } else {
    ensure(mark.second_leaf > boundLeaf && mark.second_leaf < leaf, "mark_not_in_log");
    for (let index = boundLeaf + 1; index < leaf; index += 1) {
      const otherMark = markAt(leaves, receipt, index);
      ensure(otherMark === null || otherMark.second_leaf <= boundLeaf, "mark_too_late");
      ensure(otherMark === null || otherMark.at_ms < mark.at_ms, "marks_not_ascending");
    }
    requireAscending(leaves, boundLeaf, leaf);
    requireMarked(leaves, terms, boundLeaf + 1, mark.second_leaf - 1);
  }
  return { mark_leaf: leaf, second_leaf: mark.second_leaf, mark_at_ms: mark.at_ms };
}

/**
 * Checks that a recording ended after its last mark (null: before the first that could execute the
 * order): no mark of the pool follows, and the last two seconds are the empty ones that end it.
 */
function checkEnded(leaves: Leaves, receipt: HostingReceipt, mark: LoggedMark | null): void {
  ensure(leaves.world.market.kind === "replay", "log_not_ended");
  const { order, before_leaf: before, bound_leaf: boundLeaf, mark_leaf: markLeaf, terms } = receipt;
  const seconds: SecondLeaf[] = [];
  const from = markLeaf ?? before;
  let to = from;
  for (let index = from + 1; leaves.has(index); index += 1) {
    to = index;
    const otherMark = markAt(leaves, receipt, index);
    const executes = otherMark !== null && (mark !== null || otherMark.second_leaf > boundLeaf);
    ensure(!executes, "mark_too_late");
    const second = leaves.second(index);
    if (!second) continue;
    ensure(second.secondMs > (seconds.at(-1)?.secondMs ?? 0), "seconds_not_ascending");
    seconds.push(second);
  }
  const sinceMs = mark?.at_ms ?? order.accepted_at_ms;
  const isEndingSecond = ({ secondMs, quotes }: SecondLeaf) =>
    secondMs > sinceMs + dayMs && quotes.every((row) => row.every((quote) => quote === null));
  ensure(seconds.length >= 2 && seconds.slice(-2).every(isEndingSecond), "log_not_ended");
  if (leaves.orders(boundLeaf)) {
    const knownMs = [mark?.at_ms ?? 0, ...seconds.slice(0, -2).map(({ secondMs }) => secondMs)];
    ensure(Math.max(...knownMs) <= order.accepted_at_ms, "bound_too_late");
  }
  requireMarked(leaves, terms, (markLeaf ?? boundLeaf) + 1, to);
}

function checkAmounts(leaves: Leaves, receipt: HostingReceipt): Inputs {
  const { order, result, mark_leaf: leaf, terms } = receipt;
  if (leaf === null) {
    ensure(result.payout === order.amount && result.amount === order.amount, "payout_differs");
    ensure(result.units === null && result.nav === null, "units_differ");
    return { amount: order.amount, payout: result.payout };
  }
  const mark = markAt(leaves, receipt, leaf)!;
  if (order.amount !== null) {
    const units = divideDown(BigInt(order.amount) * unitsToMinor, BigInt(mark.entry_nav));
    ensure(result.nav === mark.entry_nav, "units_differ");
    ensure(result.amount === order.amount, "payout_differs");
    ensure(result.units === units.toString(), "units_differ");
    ensure(result.fee === null || result.fee === "0", "payout_differs");
    return { entry_nav: mark.entry_nav, amount: order.amount, units: units.toString() };
  }
  const worth = divideDown(BigInt(order.units!) * BigInt(mark.nav), unitsToMinor);
  const fee = divideUp(worth * BigInt(terms.redemption_fee_bp as number), 10_000n);
  ensure(result.nav === mark.nav && result.units === order.units, "units_differ");
  const agrees =
    result.amount === worth.toString() &&
    result.fee === fee.toString() &&
    result.payout === (worth - fee).toString();
  ensure(agrees, "payout_differs");
  return {
    nav: mark.nav,
    units: order.units,
    amount: `${worth}`,
    fee: `${fee}`,
    payout: `${worth - fee}`,
  };
}
