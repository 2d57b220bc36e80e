import { isBinding, rangeMax } from "../log/binding.ts";
import { MismatchError } from "../log/bytes.ts";
import { isWellFormed } from "../log/canonical.ts";

/** The members of a contract receipt, as docs/formats/receipt.md names them. */
export interface Order {
  format: string;
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  order_id: string;
  attempt_id: string;
  contract_id: string;
  symbol: string;
  direction: "up" | "down";
  tier_seconds: number;
  window_seconds: number;
  range_bp: number;
  rate_bp: number;
  fee_bp: number;
  coin: string;
  stake: string;
  fee: string;
  terms_hash: string;
  accepted_at_ms: number;
  salt: string;
}

export interface Receipt {
  format: string;
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
  order: Order;
  orders_count: number;
  orders_index: number;
  orders_path: string[];
  before_leaf: number;
  bound_leaf: number;
  entry_leaf: number;
  window_leaves: [number, number] | null;
  terms: {
    contract_id: string;
    symbol: string;
    version: number;
    tiers: {
      seconds: number;
      window_seconds: number;
      range_bp: number;
      rate_bp: number;
      fee_bp: number;
      stake_min: string;
      stake_max: string;
    }[];
  };
  terms_leaf: number;
  result: {
    outcome: string;
    void_reason: string | null;
    purchase_price: string | null;
    selling_price: string | null;
    entry_at_ms: number | null;
    delivery_at_ms: number | null;
    payout: string;
    net: string;
  };
  day_leaf: number | null;
  seed_leaf: number | null;
  log: { origin: string; vkey: string };
}

type Test = (value: unknown) => boolean;
type Shape = Test | { [name: string]: Shape };

const text: Test = (value) => typeof value === "string" && value.length > 0 && value.length <= 200;
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const minor: Test = (value) => typeof value === "string" && /^(0|[1-9][0-9]{0,29})$/.test(value);
const isSigned: Test = (value) =>
  typeof value === "string" && /^(0|-?[1-9][0-9]{0,29})$/.test(value);
const hash: Test = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const anything: Test = () => true;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const oneOf =
  (...values: unknown[]): Test =>
  (value) =>
    values.includes(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.length <= 10_000 && value.every(test);
const toTest =
  (shape: Shape): Test =>
  (value) =>
    findFault(value, shape, "") === null;

const market: Shape = { kind: oneOf("simulated", "replay", "live"), speed: count };
const marks: { [name: string]: Shape } = {
  practice: anything,
  backing: anything,
  world: text,
  market,
};

const orderShape: { [name: string]: Shape } = {
  ...marks,
  format: oneOf("drydock.contract.order/1"),
  order_id: text,
  attempt_id: text,
  contract_id: text,
  symbol: text,
  direction: oneOf("up", "down"),
  tier_seconds: count,
  window_seconds: count,
  range_bp: count,
  rate_bp: count,
  fee_bp: count,
  coin: oneOf("pUSDT"),
  stake: minor,
  fee: minor,
  terms_hash: hash,
  accepted_at_ms: count,
  salt: hash,
};

const shape: { [name: string]: Shape } = {
  ...marks,
  format: oneOf("drydock.receipt.contract/1"),
  order: orderShape,
  orders_count: count,
  orders_index: count,
  before_leaf: count,
  orders_path: listOf(hash),
  bound_leaf: count,
  entry_leaf: count,
  window_leaves: orNull(
    (value) => Array.isArray(value) && value.length === 2 && value.every(count),
  ),
  terms: {
    ...{ practice: oneOf(true), backing: oneOf("none"), world: text },
    format: oneOf("drydock.contract.terms/1"),
    contract_id: text,
    symbol: text,
    version: count,
    coin: text,
    directions: listOf(text),
    entry: { rule: text, latest_ms: count },
    sampling: toTest({
      rule: text,
      short_window_seconds: count,
      long_window_seconds: count,
      long_from_tier_seconds: count,
      present_percent: count,
      trimmed_fraction: text,
    }),
    tiers: listOf(
      toTest({
        seconds: count,
        window_seconds: count,
        range_bp: count,
        rate_bp: count,
        fee_bp: count,
        stake_min: minor,
        stake_max: minor,
        orders_per_day: orNull(count),
      }),
    ),
  },
  terms_leaf: count,
  result: {
    outcome: oneOf("won", "lost", "tie", "void"),
    void_reason: oneOf(null, "no_entry", "few_samples"),
    purchase_price: orNull(minor),
    selling_price: orNull(minor),
    entry_at_ms: orNull(count),
    delivery_at_ms: orNull(count),
    payout: minor,
    net: isSigned,
  },
  day_leaf: orNull(count),
  seed_leaf: orNull(count),
  log: { origin: text, vkey: text },
};

/**
 * Returns the path at which `value` deviates from the shape, which lists exactly the required
 * members.
 */
function findFault(value: unknown, expected: Shape, where: string): string | null {
  if (typeof expected === "function") return expected(value) ? null : where || "value";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return where || "value";
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members))
    if (!Object.hasOwn(expected, name)) return `${where}${name} is not of the format`;
  for (const [name, inner] of Object.entries(expected)) {
    if (!Object.hasOwn(members, name)) return `${where}${name} is missing`;
    const fault = findFault(
      members[name],
      inner,
      typeof inner === "function" ? `${where}${name}` : `${where}${name}.`,
    );
    if (fault) return fault;
  }
  return null;
}

/**
 * Step 1: the form. A receipt without its practice fields is refused before anything else is read.
 */
export function parseReceipt(value: unknown): Receipt {
  const header = value as Partial<Receipt> | null;
  if (typeof header !== "object" || header === null)
    throw new MismatchError("form", "receipt_malformed", "not an object");
  if (!isWellFormed(value)) throw new MismatchError("form", "receipt_malformed", "its text");
  if (header.practice !== true || header.backing !== "none" || typeof header.world !== "string") {
    throw new MismatchError(
      "marks",
      "not_practice",
      "a receipt must say practice true, backing none and its world",
    );
  }
  const fault = findFault(value, shape, "");
  if (fault) throw new MismatchError("form", "receipt_malformed", fault);
  const receipt = value as Receipt;
  const spans: [number, number][] = [
    [receipt.before_leaf, receipt.bound_leaf],
    [receipt.bound_leaf, receipt.entry_leaf],
    receipt.window_leaves ?? [0, 0],
  ];
  if (!isBinding(receipt) || spans.some(([from, to]) => to < from || to - from >= rangeMax)) {
    throw new MismatchError("form", "receipt_malformed", "its leaves");
  }
  return receipt;
}
