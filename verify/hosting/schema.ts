import { type Binding, isBinding } from "../log/binding.ts";
import { MismatchError } from "../log/bytes.ts";
import { isWellFormed } from "../log/canonical.ts";

/** The members of hosting receipts, as docs/formats/hosting.md names them. */
interface ReceiptHeader {
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  terms: Terms;
  terms_leaf: number;
  log: { origin: string; vkey: string };
}

export interface Terms {
  world: string;
  pool_id: string;
  version: number;
  strategy: "cross" | "triangle" | "hold";
  venues: string[];
  symbols: string[];
  minimum: string;
  maximum: string;
  seed: string;
  redemption_fee_bp: number;
  taker_fee_bp: number;
  margin_bp: number;
  limit_bp: number;
  expiry_ms: number;
}

export interface PoolOrderReceipt extends ReceiptHeader, Binding {
  order: {
    practice: unknown;
    backing: unknown;
    world: string;
    market: { kind: string; speed: number };
    order_id: string;
    attempt_id: string;
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

export interface TradeReceipt extends ReceiptHeader {
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

export interface MarkReceipt extends ReceiptHeader {
  pool_id: string;
  at_ms: number;
  mark_leaf: number;
  second_leaf: number;
  before_mark_leaf: number | null;
  result: { nav: string; units: string; assets: string; owed: string };
}

export type Test = (value: unknown) => boolean;

const anything: Test = () => true;
export const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isInteger: Test = (value) => Number.isSafeInteger(value);
export const text: Test = (value) =>
  typeof value === "string" && value.length > 0 && value.length <= 200;
export const minor: Test = (value) =>
  typeof value === "string" && /^(0|[1-9][0-9]{0,39})$/.test(value);
export const computedSums: Test = (value) =>
  typeof value === "string" && /^(0|-?[1-9][0-9]{0,39})$/.test(value);
const hash: Test = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
export const is =
  (...values: unknown[]): Test =>
  (value) =>
    values.includes(value);
export const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
export const listOf =
  (test: Test, most = 10_000): Test =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(test);
export const exactly =
  (members: { [name: string]: Test }): Test =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value);
    return (
      names.length === Object.keys(members).length &&
      names.every(
        (name) =>
          Object.hasOwn(members, name) && members[name]?.((value as Record<string, unknown>)[name]),
      )
    );
  };

const market = exactly({ kind: text, speed: count });
const marks = { practice: anything, backing: anything, world: text, market };

const terms = exactly({
  format: is("drydock.hosting.terms/1"),
  practice: is(true),
  backing: is("none"),
  world: text,
  pool_id: text,
  version: count,
  engine: text,
  strategy: is("cross", "triangle", "hold"),
  venues: listOf(text, 64),
  symbols: listOf(text, 64),
  coin: text,
  minimum: minor,
  maximum: minor,
  seed: minor,
  unit_scale: count,
  nav_scale: count,
  redemption_fee_bp: count,
  taker_fee_bp: count,
  latency_ms: count,
  transfer_ms: count,
  margin_bp: count,
  limit_bp: count,
  band_bp: count,
  refill_share: count,
  expiry_ms: count,
  least_order: minor,
  marks: text,
});

const header = { ...marks, terms, terms_leaf: count, log: exactly({ origin: text, vkey: text }) };

const orderReceipt = {
  ...header,
  format: is("drydock.receipt.hosting/1"),
  order: exactly({
    ...marks,
    format: is("drydock.hosting.order/1"),
    order_id: text,
    attempt_id: text,
    pool_id: text,
    action: is("subscribe", "redeem"),
    coin: is("pUSDT"),
    amount: orNull(minor),
    units: orNull(minor),
    terms_hash: hash,
    accepted_at_ms: count,
    salt: hash,
  }),
  orders_count: count,
  orders_index: count,
  orders_path: listOf(hash, 64),
  before_leaf: count,
  bound_leaf: count,
  mark_leaf: orNull(count),
  result: exactly({
    outcome: is("executed", "returned"),
    mark_at_ms: orNull(count),
    nav: orNull(minor),
    amount: orNull(minor),
    units: orNull(minor),
    fee: orNull(minor),
    payout: orNull(minor),
  }),
};

const tradeReceipt = {
  ...header,
  format: is("drydock.receipt.trade/1"),
  pool_id: text,
  number: count,
  decision_leaf: count,
  fill_leaves: listOf(count, 16),
  result: exactly({
    fills: listOf(exactly({ quantity: minor, quote: minor, fee: minor, why: orNull(text) }), 16),
    gross: computedSums,
    slippage: computedSums,
    fees: computedSums,
    net: computedSums,
  }),
};

const markReceipt = {
  ...header,
  format: is("drydock.receipt.mark/1"),
  pool_id: text,
  at_ms: count,
  mark_leaf: count,
  second_leaf: count,
  before_mark_leaf: orNull(count),
  result: exactly({ nav: minor, units: minor, assets: computedSums, owed: minor }),
};

/** Step 1: the form. Throws a MismatchError naming the first member that does not conform. */
function parseForm<Form>(value: unknown, members: { [name: string]: Test }, also: boolean): Form {
  if (!isWellFormed(value)) throw new MismatchError("form", "receipt_malformed", "its text");
  if (!exactly(members)(value) || !also) {
    const fields = (value ?? {}) as Record<string, unknown>;
    const invalidName = Object.keys(members).find((name) => !members[name]?.(fields[name]));
    throw new MismatchError("form", "receipt_malformed", invalidName ?? "members");
  }
  return value as Form;
}

export function parsePoolOrderReceipt(value: unknown): PoolOrderReceipt {
  const receipt = parseForm<PoolOrderReceipt>(value, orderReceipt, true);
  const { action, amount, units } = receipt.order;
  const isValid =
    action === "subscribe" ? amount !== null && units === null : amount === null && units !== null;
  return parseForm(
    value,
    orderReceipt,
    isValid &&
      isBinding(receipt) &&
      (receipt.result.outcome === "returned") === (receipt.mark_leaf === null),
  );
}

export function parseTradeReceipt(value: unknown): TradeReceipt {
  const receipt = parseForm<TradeReceipt>(value, tradeReceipt, true);
  const { fill_leaves: leaves, decision_leaf: decisionLeaf, result } = receipt;
  const isValid =
    leaves.length > 0 &&
    leaves.length === result.fills.length &&
    leaves.every((leaf) => leaf > decisionLeaf);
  return parseForm(value, tradeReceipt, isValid);
}

export function parseMarkReceipt(value: unknown): MarkReceipt {
  return parseForm(value, markReceipt, true);
}
