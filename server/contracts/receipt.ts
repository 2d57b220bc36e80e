import { orderStructure } from "#core/contracts/order.ts";
import { type ContractReceipt, receiptFormat } from "#core/contracts/receiptSchema.ts";
import { toRealDay } from "#core/money/time.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import type { Catalogue } from "#server/contracts/catalogue.ts";
import { readWindowLeaves } from "#server/contracts/settlement/windowLeaves.ts";
import type { Contract, ContractsDeps, OrderRow } from "#server/contracts/types.ts";
import { readDayLeaf } from "#server/market/dayLeaves.ts";
import { readSeedLeaf } from "#server/market/dayStore.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext, World } from "#server/platform/context.ts";
import { readBinding } from "#server/transparency-log/bindings.ts";

/**
 * Builds the receipt of a settled order once a signed checkpoint covers every leaf it refers to;
 * until then throws `contracts.receipt_not_ready`. Format: docs/formats/receipt.md.
 */
export async function buildReceipt(
  { world, database }: AppContext,
  { transparencyLog }: ContractsDeps,
  catalogue: Catalogue,
  order: OrderRow,
  { symbol }: Pick<Contract, "symbol">,
): Promise<ContractReceipt> {
  const { db } = database;
  const { outcome, payout } = order;
  if (outcome === null || payout === null) throw new ApiError("contracts.receipt_not_ready");
  // A settled order has a bound leaf and a leaf that decided its entry: the table allows no other.
  const [boundLeaf, entry] = [Number(order.bound_leaf), Number(order.entry_leaf)];
  const [binding, checkpoint, terms, window, identity, dayLeaf, seedLeaf] = await Promise.all([
    readBinding(db, boundLeaf, hexToBytes(order.order_hash)),
    transparencyLog.checkpoint(),
    catalogue.termsOf(order.terms_hash),
    readWindowLeaves(db, order),
    transparencyLog.identity(),
    readDayLeaf(db, toRealDay(Number(order.due_at_ms))),
    readSeedLeaf(db, Number(order.due_at_ms)),
  ]);
  const last = Math.max(entry, window?.[1] ?? 0);
  const key = identity.keys[0];
  if (!checkpoint || checkpoint.size <= last || !terms || !key) {
    throw new ApiError("contracts.receipt_not_ready");
  }
  const text = (value: bigint | null) => (value === null ? null : value.toString());
  const moment = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    format: receiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    order: buildStructure(world, order, symbol),
    ...binding,
    entry_leaf: entry,
    window_leaves: window,
    terms: JSON.parse(terms.body) as Record<string, unknown>,
    terms_leaf: terms.leaf,
    result: {
      outcome,
      void_reason: order.void_reason,
      purchase_price: text(order.purchase_price),
      selling_price: text(order.selling_price),
      entry_at_ms: moment(order.entry_at_ms),
      delivery_at_ms: moment(order.delivery_at_ms),
      payout: payout.toString(),
      net: (payout - order.stake - order.fee).toString(),
    },
    day_leaf: dayLeaf !== null && dayLeaf < checkpoint.size ? dayLeaf : null,
    seed_leaf: seedLeaf,
    log: { origin: identity.origin, vkey: key.vkey },
  };
}

/** The hashed structure of an order. */
function buildStructure(world: World, order: OrderRow, symbol: Contract["symbol"]) {
  return orderStructure({
    world: world.name,
    market: world.market,
    orderId: order.id,
    attemptId: order.attempt_id,
    contractId: order.contract_id,
    symbol,
    direction: order.direction,
    tierSeconds: order.tier_seconds,
    windowSeconds: order.window_seconds,
    rangeBp: order.range_bp,
    rateBp: order.rate_bp,
    feeBp: order.fee_bp,
    stake: order.stake,
    fee: order.fee,
    termsHash: order.terms_hash,
    acceptedAtMs: Number(order.accepted_at_ms),
    salt: order.salt,
  });
}

/**
 * The order that money was taken for, and where it is bound, for a journal's receipt; throws
 * `contracts.receipt_not_ready` until its leaf is under a checkpoint.
 */
export async function buildBoundOrder(
  { world, database }: AppContext,
  { transparencyLog }: ContractsDeps,
  order: OrderRow,
  { symbol }: Pick<Contract, "symbol">,
): Promise<object> {
  const checkpoint = await transparencyLog.checkpoint();
  if (order.bound_leaf === null || (checkpoint?.size ?? 0) <= Number(order.bound_leaf))
    throw new ApiError("contracts.receipt_not_ready");
  const hash = hexToBytes(order.order_hash);
  const binding = await readBinding(database.db, Number(order.bound_leaf), hash);
  return { order: buildStructure(world, order, symbol), ...binding };
}
