import { type Binding, bindingMembers, isBinding } from "#core/transparency-log/binding.ts";
import { isWellFormed } from "#core/transparency-log/canonical.ts";
import {
  hasOnly,
  isCount,
  isHash,
  isInteger,
  isLog,
  isObject,
  isSigned,
  isText,
  orNull,
} from "#core/transparency-log/schema.ts";

/**
 * The outer form of hosting receipts (docs/formats/hosting.md). Amounts are decimal strings of
 * minor units; units and NAVs are at scale 8.
 */
export const hostingReceiptFormat = "drydock.receipt.hosting/1";
export const tradeReceiptFormat = "drydock.receipt.trade/1";
export const markReceiptFormat = "drydock.receipt.mark/1";

interface ReceiptHeader {
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  terms: Record<string, unknown>;
  terms_leaf: number;
  log: { origin: string; vkey: string };
}

/** A completed subscription or redemption. */
export interface HostingReceipt extends ReceiptHeader, Binding {
  format: typeof hostingReceiptFormat;
  order: {
    practice: true;
    backing: "none";
    world: string;
    market: { kind: string; speed: number };
    order_id: string;
    pool_id: string;
    action: "subscribe" | "redeem";
    amount: string | null;
    units: string | null;
    terms_hash: string;
    accepted_at_ms: number;
  };
  mark_leaf: number | null;
  result: {
    outcome: "executed" | "returned";
    mark_at_ms: number | null;
    nav: string | null;
    amount: string | null;
    units: string | null;
    fee: string | null;
    payout: string | null;
  };
}

/** A pool's decision whose legs have all been filled or given up. */
export interface TradeReceipt extends ReceiptHeader {
  format: typeof tradeReceiptFormat;
  pool_id: string;
  number: number;
  decision_leaf: number;
  fill_leaves: number[];
  result: {
    fills: { quantity: string; quote: string; fee: string; why: string | null }[];
    gross: string;
    slippage: string;
    fees: string;
    net: string;
  };
}

/** A pool's valuation at a minute. */
export interface MarkReceipt extends ReceiptHeader {
  format: typeof markReceiptFormat;
  pool_id: string;
  at_ms: number;
  mark_leaf: number;
  second_leaf: number;
  before_mark_leaf: number | null;
  result: { nav: string; units: string; assets: string; owed: string };
}

type Fields = Record<string, unknown>;

const isMinor = isInteger(30);
const isSignedMinor = isSigned(30);

const outerMembers = "format practice backing world market terms terms_leaf log";

/** `otherNames` are the names of the format's own members. */
function isOuter(value: Fields, otherNames: string): boolean {
  const { market, log } = value;
  return (
    hasOnly(value, `${outerMembers} ${otherNames}`) &&
    isObject(market) &&
    hasOnly(market, "kind speed") &&
    isText(market.kind) &&
    isCount(market.speed) &&
    isObject(value.terms) &&
    isCount(value.terms_leaf) &&
    isLog(log) &&
    isText(value.world) &&
    isWellFormed(value)
  );
}

/** Reads the outer form of a subscription's or redemption's receipt, or null. */
export function parseHostingReceipt(value: unknown): HostingReceipt | null {
  if (!isObject(value) || value.format !== hostingReceiptFormat) return null;
  if (!isOuter(value, `order ${bindingMembers} mark_leaf result`)) return null;
  const { order, result } = value;
  if (!isObject(order) || !isObject(order.market) || !isObject(result)) return null;
  const subscribes = order.action === "subscribe";
  const isWellFormed =
    [order.order_id, order.pool_id].every(isText) &&
    (subscribes || order.action === "redeem") &&
    (subscribes ? isMinor(order.amount) : order.amount === null) &&
    (subscribes ? order.units === null : isMinor(order.units)) &&
    isHash(order.terms_hash) &&
    isCount(order.accepted_at_ms) &&
    isBinding(value) &&
    orNull(isCount)(value.mark_leaf) &&
    hasOnly(result, "outcome mark_at_ms nav amount units fee payout") &&
    (result.outcome === "executed" || result.outcome === "returned") &&
    (result.outcome === "executed") === (value.mark_leaf !== null) &&
    orNull(isCount)(result.mark_at_ms) &&
    [result.nav, result.amount, result.units, result.fee, result.payout].every(orNull(isMinor));
  return isWellFormed ? (value as unknown as HostingReceipt) : null;
}

/** Reads the outer form of a paper trade's receipt, or null. */
export function parseTradeReceipt(value: unknown): TradeReceipt | null {
  if (!isObject(value) || value.format !== tradeReceiptFormat) return null;
  if (!isOuter(value, "pool_id number decision_leaf fill_leaves result")) return null;
  const { result, fill_leaves: leaves, decision_leaf: decision } = value;
  const isWellFormed =
    isText(value.pool_id) &&
    isCount(value.number) &&
    isCount(decision) &&
    Array.isArray(leaves) &&
    leaves.length >= 1 &&
    leaves.length <= 16 &&
    leaves.every((leaf) => isCount(leaf) && leaf >= (decision as number)) &&
    isObject(result) &&
    hasOnly(result, "fills gross slippage fees net") &&
    [result.gross, result.slippage, result.fees, result.net].every(isSignedMinor) &&
    Array.isArray(result.fills) &&
    result.fills.length === leaves.length &&
    result.fills.every(
      (fill) =>
        isObject(fill) &&
        hasOnly(fill, "quantity quote fee why") &&
        [fill.quantity, fill.quote, fill.fee].every(isMinor) &&
        orNull(isText)(fill.why),
    );
  return isWellFormed ? (value as unknown as TradeReceipt) : null;
}

/** Upper bound on the leaves between two marks, or between the terms and the first mark. */
const marksApart = 100_000;

/** Reads the outer form of a mark's receipt, or null. */
export function parseMarkReceipt(value: unknown): MarkReceipt | null {
  if (!isObject(value) || value.format !== markReceiptFormat) return null;
  if (!isOuter(value, "pool_id at_ms mark_leaf second_leaf before_mark_leaf result")) return null;
  const { result, mark_leaf: mark, before_mark_leaf: before } = value;
  const from = (before ?? value.terms_leaf) as number;
  const isWellFormed =
    isText(value.pool_id) &&
    [value.at_ms, mark, value.second_leaf].every(isCount) &&
    orNull(isCount)(before) &&
    from < (mark as number) &&
    (mark as number) - from <= marksApart &&
    isObject(result) &&
    hasOnly(result, "nav units assets owed") &&
    [result.nav, result.units, result.owed].every(isMinor) &&
    isSignedMinor(result.assets);
  return isWellFormed ? (value as unknown as MarkReceipt) : null;
}
