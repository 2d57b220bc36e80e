import { type Binding, isBinding } from "../log/binding.ts";
import { MismatchError } from "../log/bytes.ts";
import { isWellFormed } from "../log/canonical.ts";

interface LabelledReceipt {
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
}

type LeaseEnding = LabelledReceipt & {
  lease_id: string;
  unused_days: number;
  price: string;
  power: string;
  accepted_at_ms: number;
};

/** The members of a lease receipt, as docs/formats/mining.md names them. */
export interface LeaseReceipt extends LabelledReceipt, Binding {
  lease: LabelledReceipt & {
    lease_id: string;
    attempt_id: string;
    product_id: string;
    terms_hash: string;
    quantity: number;
    days: number;
    price: string;
    power: string;
    accepted_at_ms: number;
  };
  terms: { [name: string]: string | number | boolean };
  terms_leaf: number;
  from_day: number;
  to_day: number;
  start_reading: number | null;
  readings: number[];
  mined_before: string;
  payouts: { day: number; amount: string }[];
  ended: (Binding & { ending: LeaseEnding }) | null;
  log: { origin: string; vkey: string };
}

type Test = (value: unknown) => boolean;

const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Test = (value) => typeof value === "string" && value.length > 0 && value.length <= 200;
const minor: Test = (value) => typeof value === "string" && /^(0|[1-9][0-9]{0,29})$/.test(value);
const anything: Test = () => true;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.length <= 25_000 && value.every(test);
const exactly =
  (members: { [name: string]: Test }): Test =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value);
    return (
      names.length === Object.keys(members).length &&
      names.every((name) => members[name]?.((value as Record<string, unknown>)[name]))
    );
  };

const termsMembers: { [name: string]: Test } = {
  format: (value) => value === "drydock.mining.terms/1",
  practice: (value) => value === true,
  backing: (value) => value === "none",
  world: text,
  product_id: text,
  version: count,
  maker: text,
  model: text,
  source: text,
  hashrate_ghs: minor,
  power_w: count,
  cost_coin: text,
  price_per_day: minor,
  electricity_per_kwh: minor,
  electricity_rule: text,
  payout_coin: text,
  payout_rule: text,
  pool_fee_bp: count,
  commissioning_ms: count,
  day_ms: count,
  refund_price_percent: count,
  refund_power_percent: count,
  stock: count,
  quantity_max: count,
  days_min: count,
  days_max: count,
};

const hash: Test = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const boundFields: { [name: string]: Test } = {
  practice: anything,
  backing: anything,
  world: text,
  market: exactly({ kind: text, speed: count }),
  lease_id: text,
  coin: (value) => value === "pUSDT",
  price: minor,
  power: minor,
  accepted_at_ms: count,
  salt: hash,
};
const binding: { [name: string]: Test } = {
  orders_count: count,
  orders_index: count,
  orders_path: listOf(hash),
  before_leaf: count,
  bound_leaf: count,
};

const members: { [name: string]: Test } = {
  format: (value) => value === "drydock.receipt.lease/1",
  practice: anything,
  backing: anything,
  world: text,
  market: exactly({ kind: text, speed: count }),
  lease: exactly({
    ...boundFields,
    format: (value) => value === "drydock.mining.lease/1",
    attempt_id: text,
    product_id: text,
    terms_hash: hash,
    quantity: count,
    days: count,
  }),
  ...binding,
  terms: exactly(termsMembers),
  terms_leaf: count,
  from_day: count,
  to_day: count,
  start_reading: orNull(count),
  readings: listOf(count),
  mined_before: minor,
  payouts: listOf(exactly({ day: count, amount: minor })),
  ended: orNull(
    exactly({
      ...binding,
      ending: exactly({
        ...boundFields,
        format: (value) => value === "drydock.mining.ending/1",
        unused_days: count,
      }),
    }),
  ),
  log: exactly({ origin: text, vkey: text }),
};

/** Step 1: the form. Throws a MismatchError for anything else. */
export function parseLeaseReceipt(value: unknown): LeaseReceipt {
  if (!isWellFormed(value)) throw new MismatchError("form", "receipt_malformed", "its text");
  if (!exactly(members)(value)) {
    const invalidName = Object.keys(members).find(
      (name) => !members[name]?.((value as Record<string, unknown> | null)?.[name]),
    );
    throw new MismatchError("form", "receipt_malformed", invalidName ?? "members");
  }
  const receipt = value as LeaseReceipt;
  if (!isBinding(receipt) || (receipt.ended && !isBinding(receipt.ended)))
    throw new MismatchError("form", "receipt_malformed", "its leaves");
  return receipt;
}
