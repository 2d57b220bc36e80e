import { sha256 } from "@noble/hashes/sha2.js";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { checkIndexes } from "#core/contracts/receiptIndex.ts";
import { listNeededLeaves, parseReceipt } from "#core/contracts/receiptSchema.ts";
import {
  checkHostingOrder,
  listHostingLeavesBehind,
  listNeededHostingLeaves,
} from "#core/hosting/receipt/receipt.ts";
import { parseHostingReceipt } from "#core/hosting/receipt/receiptSchema.ts";
import { checkLease } from "#core/mining/receipt.ts";
import { listNeededLeaseLeaves, parseLeaseReceipt } from "#core/mining/receiptSchema.ts";
import type { Coin } from "#core/money/coins.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import type { JournalState, JournalStepResult } from "#core/records/journalReceiptStep.ts";
import {
  type Binding,
  bindingRanges,
  findBindingMismatch,
  isBinding,
} from "#core/transparency-log/binding.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { getProvenSecond, LeafError, listIndexes } from "#core/transparency-log/provenLeaves.ts";
import { isObject } from "#core/transparency-log/schema.ts";

/**
 * Ties money to orders (docs/formats/journal.md, "Orders"): a journal that takes money for an order
 * shows the order bound in the log, and one that pays for orders shows the receipt of each.
 */

/** The leg still to be checked once an order or receipt is verified. */
interface ExpectedLeg {
  orderId: string;
  attemptId: string;
  /**
   * The amount that the journal's leg has to move, in minor units of the kind's coin; null if
   * nothing.
   */
  amount: bigint | null;
}

type Fields = Record<string, unknown>;
type Check = (value: unknown, state: JournalState) => ExpectedLeg | null;

const text = (value: unknown) => (typeof value === "string" ? value : "");
/** Null for anything but digits: malformed text must not count as zero. */
const integer = (value: unknown) =>
  /^[0-9]{1,30}$/.test(text(value)) ? BigInt(text(value)) : null;

/** The sum of the values; null if any of them is null. */
const sumUp = (values: readonly unknown[]) =>
  values.reduce<bigint | null>((sum, value) => {
    const item = integer(value);
    return sum === null || item === null ? null : sum + item;
  }, 0n);

/** The kinds that charge: the format of the purchased item, its id, and its cost. */
const openings: Record<string, { format: string; id: string; cost: readonly string[] }> = {
  "contract.open": {
    format: "drydock.contract.order/1",
    id: "order_id",
    cost: ["stake", "fee"],
  },
  "hosting.subscribe": { format: "drydock.hosting.order/1", id: "order_id", cost: ["amount"] },
  "mining.lease": { format: "drydock.mining.lease/1", id: "lease_id", cost: ["price", "power"] },
};

/** Journal kinds that pay in another coin than pUSDT. */
const paidIn: Record<string, Coin> = { "mining.payout": "pBTC" };

/** The kinds that pay: one receipt for each of the person's legs. */
const payments: Record<string, Check> = {
  "contract.settle": (value, { world, leaves, verify, verifyRound }) => {
    const receipt = parseReceipt(value);
    if (!receipt || !checkReceipt(value, world, leaves, verify, verifyRound).ok) return null;
    const receiptLeaves = listNeededLeaves(receipt).flatMap((range) => listIndexes(...range));
    if (checkIndexes(String(receipt.order.symbol), world, leaves, receiptLeaves).wrong) return null;
    return computeDue(receipt.order, "order_id", integer(receipt.result.payout));
  },
  "hosting.redeem": paidByPool("redeem"),
  "hosting.return": paidByPool("subscribe"),
  "mining.payout": (value, { world, leaves }) => {
    const receipt = parseLeaseReceipt(value);
    const [payout, ...rest] = receipt?.payouts ?? [];
    if (!receipt || !payout || rest.length > 0 || !checkLease(value, world, leaves).ok) return null;
    const dueAmount = computeDue(receipt.lease, "lease_id", integer(payout.amount));
    return { ...dueAmount, orderId: `${dueAmount.orderId} ${payout.day}` };
  },
  "mining.refund": (value, { world, leaves }) => {
    const ending = parseLeaseReceipt(value)?.ended?.ending;
    if (!ending || !checkLease(value, world, leaves).ok) return null;
    const { lease } = value as { lease: Fields };
    return computeDue(lease, "lease_id", sumUp([ending.price, ending.power]));
  },
};

function paidByPool(action: string): Check {
  return (value, { world, leaves }) => {
    const receipt = parseHostingReceipt(value);
    if (receipt?.order.action !== action || !checkHostingOrder(value, world, leaves).ok)
      return null;
    return computeDue({ ...receipt.order }, "order_id", integer(receipt.result.payout));
  };
}

const computeDue = (order: Fields, id: string, amount: bigint | null): ExpectedLeg => ({
  orderId: text(order[id]),
  attemptId: text(order.attempt_id),
  amount,
});

/** The step "orders". */
export function checkOrders(state: JournalState): JournalStepResult {
  const { journal, orders } = state.receipt;
  const inputs = { kind: journal.kind, orders: orders.length };
  const opening = openings[journal.kind];
  const payment = payments[journal.kind];
  if (opening) return { inputs, difference: openingMismatch(state, opening) };
  if (payment) return { inputs, difference: paymentMismatch(state, payment) };
  return { inputs, difference: orders.length === 0 ? null : "order_missing" };
}

function openingMismatch(
  state: JournalState,
  { format, id, cost }: (typeof openings)[string],
): JournalStepResult["difference"] {
  const { receipt, world } = state;
  const [boundOrder, ...rest] = receipt.orders;
  if (!boundOrder || rest.length > 0 || !isBoundOrder(boundOrder)) return "order_missing";
  const { order } = boundOrder;
  const market = order.market as { kind?: unknown; speed?: unknown } | undefined;
  const isValid =
    order.format === format &&
    order.practice === true &&
    order.backing === "none" &&
    order.world === world.world &&
    market?.kind === world.market.kind &&
    market.speed === world.market.speed &&
    order.coin === "pUSDT" &&
    order.accepted_at_ms === receipt.journal.at_ms &&
    order[id] === receipt.journal.id;
  if (!isValid) return "order_differs";
  const dueAmount = sumUp(cost.map((name) => order[name]));
  const amountSum = receipt.legs.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const isOwn = receipt.accounts.every(
    ({ attempt_id: attempt, kind, coin }) =>
      attempt === order.attempt_id && kind === "wallet" && coin === "pUSDT",
  );
  if (!isOwn || dueAmount === null || amountSum !== -dueAmount) return "order_differs";
  return boundMismatch(state, boundOrder);
}

type BoundOrder = Fields & { order: Fields } & Binding;

const boundMembers = [
  "before_leaf",
  "bound_leaf",
  "order",
  "orders_count",
  "orders_index",
  "orders_path",
].join();

const isBoundOrder = (value: Fields): value is BoundOrder =>
  Object.keys(value).toSorted().join() === boundMembers &&
  isObject(value.order) &&
  isBinding(value);

function boundMismatch(
  { receipt, world, leaves }: JournalState,
  boundOrder: BoundOrder,
): JournalStepResult["difference"] {
  const tag = worldTag(world.world);
  const hash = sha256(canonicalBytes(boundOrder.order as { [name: string]: Canonical }));
  const secondAt = (index: number) => getProvenSecond(leaves, tag, index);
  try {
    return findBindingMismatch(boundOrder, receipt.journal.at_ms, hash, secondAt);
  } catch (error) {
    if (error instanceof LeafError) return error.difference;
    throw error;
  }
}

/** Checks that each of the person's legs has one receipt, in order and without repetition. */
function paymentMismatch(state: JournalState, check: Check): JournalStepResult["difference"] {
  const { receipt } = state;
  // An early end comes back in two legs, price and power, of one lease.
  const isRefund = receipt.journal.kind === "mining.refund";
  const amounts = receipt.legs.map(({ amount }) => BigInt(amount));
  const expected = isRefund ? [amounts.reduce((sum, amount) => sum + amount, 0n)] : amounts;
  if (receipt.orders.length !== expected.length) return "order_missing";
  const coin = paidIn[receipt.journal.kind] ?? "pUSDT";
  const seenIds = new Set<string>();
  for (const [index, value] of receipt.orders.entries()) {
    const dueOrder = check(value, state);
    if (!dueOrder || seenIds.has(dueOrder.orderId)) return "order_differs";
    seenIds.add(dueOrder.orderId);
    const legs = isRefund ? receipt.legs : [receipt.legs[index]!];
    const isOwn = legs.every(({ account }) => {
      const ownAccount = receipt.accounts.find(
        (receiptAccount) => receiptAccount.account === account,
      );
      return (
        ownAccount?.attempt_id === dueOrder.attemptId &&
        ownAccount.kind === "wallet" &&
        ownAccount.coin === coin
      );
    });
    if (!isOwn || dueOrder.amount !== expected[index]) return "order_differs";
  }
  return null;
}

/** The leaves that the orders of a journal's receipt rest on. */
export function listNeededOrderLeaves({ journal, orders }: JournalReceipt): number[] {
  if (openings[journal.kind])
    return orders.flatMap((order) => {
      if (!isBinding(order)) return [];
      return bindingRanges(order as Fields & Binding).flatMap((range) => listIndexes(...range));
    });
  return orders.flatMap((value) => {
    const [contract, pool, lease] = [
      parseReceipt(value),
      parseHostingReceipt(value),
      parseLeaseReceipt(value),
    ];
    if (contract) return listNeededLeaves(contract).flatMap((range) => listIndexes(...range));
    if (pool) return listNeededHostingLeaves(pool);
    return lease ? listNeededLeaseLeaves(lease).flatMap((range) => listIndexes(...range)) : [];
  });
}

/** Further leaves, known only from the log's size. */
export function listOrderLeavesBehind({ orders }: JournalReceipt, size: number): number[] {
  return orders.flatMap((value) => {
    const pool = parseHostingReceipt(value);
    return pool ? listHostingLeavesBehind(pool, size) : [];
  });
}
