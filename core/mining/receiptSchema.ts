import type { LeaseCost } from "#core/mining/lease.ts";
import {
  endingFormat,
  type endingStructure,
  leaseFormat,
  type leaseStructure,
} from "#core/mining/leaseOrder.ts";
import {
  type Binding,
  bindingMembers,
  bindingRanges,
  isBinding,
} from "#core/transparency-log/binding.ts";
import { isWellFormed } from "#core/transparency-log/canonical.ts";
import {
  exactly,
  hasOnly,
  isCount,
  isHash,
  isInteger,
  isLog,
  isObject,
  isText,
} from "#core/transparency-log/schema.ts";

export const leaseReceiptFormat = "drydock.receipt.lease/1";

/** The hashed and bound structure; amounts are charged at the start, for all days. */
type LeaseStructure = Plain<ReturnType<typeof leaseStructure>>;
type EndingStructure = Plain<ReturnType<typeof endingStructure>>;
type Plain<Structure> = { [Name in keyof Structure]: Structure[Name] };

/** A lease receipt (docs/formats/mining.md). Amounts are decimal strings of minor units. */
export interface LeaseReceipt extends Binding {
  format: typeof leaseReceiptFormat;
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  lease: LeaseStructure;
  terms: Record<string, unknown>;
  terms_leaf: number;
  /** Days covered. `to_day` is below `from_day` when none was paid. */
  from_day: number;
  to_day: number;
  /** The `network` leaf of the hour in which work started; null when no day is covered. */
  start_reading: number | null;
  /**
   * The `network` leaves from the hour in which `from_day` began to the hour in which `to_day`
   * ended, with none left out.
   */
  readings: number[];
  /** Satoshi credited for the days before `from_day`. */
  mined_before: string;
  payouts: { day: number; amount: string }[];
  ended: ({ ending: EndingStructure } & Binding) | null;
  log: { origin: string; vkey: string };
}

/** The most readings a receipt may name: those of 1 000 days. */
const readingsMax = 24_002;

/**
 * Leaves a check needs: the world, the terms, each reading with the `payout` leaf after it, and
 * where the lease and its end are bound.
 */
export function listNeededLeaseLeaves(receipt: LeaseReceipt): [number, number][] {
  const { ended } = receipt;
  const starts = receipt.start_reading === null ? [] : [receipt.start_reading];
  const readings = [...new Set([...starts, ...receipt.readings])];
  return [
    [0, 0],
    [receipt.terms_leaf, receipt.terms_leaf],
    ...bindingRanges(receipt),
    ...(ended ? bindingRanges(ended) : []),
    ...readings.map((leaf): [number, number] => [leaf, leaf + 1]),
  ];
}

const members = `format practice backing world market lease ${bindingMembers} terms terms_leaf from_day to_day start_reading readings mined_before payouts ended log`;

/** Reads the outer form of a lease receipt; null if it has another format. */
export function parseLeaseReceipt(value: unknown): LeaseReceipt | null {
  if (!isObject(value) || !isWellFormed(value)) return null;
  const receipt = value as unknown as LeaseReceipt;
  const { lease, ended } = receipt;
  const isValid =
    receipt.format === leaseReceiptFormat &&
    hasOnly(receipt, members) &&
    isObject(receipt.market) &&
    hasOnly(receipt.market, "kind speed") &&
    isObject(receipt.terms) &&
    isLog(receipt.log) &&
    isLease(lease) &&
    isBinding(receipt) &&
    isAmount(receipt.mined_before) &&
    [receipt.terms_leaf, receipt.from_day, receipt.to_day].every(isCount) &&
    (receipt.start_reading === null || isCount(receipt.start_reading)) &&
    isList(receipt.readings, isCount) &&
    isList(
      receipt.payouts,
      (item) =>
        isObject(item) && hasOnly(item, "day amount") && isCount(item.day) && isAmount(item.amount),
    ) &&
    (ended === null ||
      (isObject(ended) &&
        hasOnly(ended, `ending ${bindingMembers}`) &&
        isEnding(ended.ending) &&
        isBinding(ended)));
  return isValid ? receipt : null;
}

/** The daily cost implied by a receipt; null unless its totals are whole multiples of its days. */
export function getStatedCost({ lease }: LeaseReceipt): LeaseCost | null {
  const days = BigInt(lease.days);
  if (days <= 0n || BigInt(lease.price) % days !== 0n || BigInt(lease.power) % days !== 0n)
    return null;
  return { pricePerDay: BigInt(lease.price) / days, powerCostPerDay: BigInt(lease.power) / days };
}

const isAmount = isInteger(30);

const commonFields = {
  practice: () => true,
  backing: () => true,
  world: isText,
  market: isObject,
  lease_id: isText,
  coin: (value: unknown) => value === "pUSDT",
  price: isAmount,
  power: isAmount,
  accepted_at_ms: isCount,
  salt: isHash,
};
// A further member would be hashed, and mean nothing.
const isLease = exactly({
  ...commonFields,
  format: (value) => value === leaseFormat,
  attempt_id: isText,
  product_id: isText,
  terms_hash: isHash,
  quantity: isCount,
  days: isCount,
});
const isEnding = exactly({
  ...commonFields,
  format: (value) => value === endingFormat,
  unused_days: isCount,
});

function isList(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= readingsMax && value.every(fits);
}
