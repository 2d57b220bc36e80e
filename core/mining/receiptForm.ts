import type { LeaseCost } from "#core/mining/lease.ts";
import { isCount, isInteger, isObject, isText } from "#core/transparency-log/form.ts";

export const leaseReceiptFormat = "drydock.receipt.lease/1";

/** A lease receipt (docs/formats/mining.md). Amounts are decimal strings of minor units. */
export interface LeaseReceipt {
  format: typeof leaseReceiptFormat;
  practice: true;
  backing: "none";
  world: string;
  market: { kind: string; speed: number };
  lease: {
    lease_id: string;
    attempt_id: string;
    product_id: string;
    terms_hash: string;
    quantity: number;
    days: number;
    accepted_at_ms: number;
    /** Charged at the start, for all days. */
    price: string;
    power: string;
  };
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
  ended: { at_ms: number; unused_days: number; price: string; power: string } | null;
  log: { origin: string; vkey: string };
}

/** The most readings a receipt may name: those of 1 000 days. */
const readingsMax = 24_002;

/** Leaves a check needs: the world, the terms, and each reading with the `payout` leaf after it. */
export function leaseLeavesNeeded(receipt: LeaseReceipt): [number, number][] {
  const starts = receipt.start_reading === null ? [] : [receipt.start_reading];
  const readings = [...new Set([...starts, ...receipt.readings])];
  return [
    [0, 0],
    [receipt.terms_leaf, receipt.terms_leaf],
    ...readings.map((leaf): [number, number] => [leaf, leaf + 1]),
  ];
}

/** Reads the outer form of a lease receipt; null if it has another format. */
export function readLeaseReceipt(value: unknown): LeaseReceipt | null {
  if (!isObject(value)) return null;
  const read = value as unknown as LeaseReceipt;
  const { lease, ended } = read;
  const fine =
    read.format === leaseReceiptFormat &&
    isObject(read.market) &&
    isObject(read.terms) &&
    isObject(read.log) &&
    isObject(lease) &&
    [lease.lease_id, lease.attempt_id, lease.product_id, lease.terms_hash].every(isText) &&
    [lease.quantity, lease.days, lease.accepted_at_ms].every(isCount) &&
    [lease.price, lease.power, read.mined_before].every(isAmount) &&
    [read.terms_leaf, read.from_day, read.to_day].every(isCount) &&
    (read.start_reading === null || isCount(read.start_reading)) &&
    isList(read.readings, isCount) &&
    isList(read.payouts, (one) => isObject(one) && isCount(one.day) && isAmount(one.amount)) &&
    (ended === null ||
      (isObject(ended) &&
        isCount(ended.at_ms) &&
        isCount(ended.unused_days) &&
        isAmount(ended.price) &&
        isAmount(ended.power)));
  return fine ? read : null;
}

/** The daily cost implied by a receipt; null unless its totals are whole multiples of its days. */
export function statedCost({ lease }: LeaseReceipt): LeaseCost | null {
  const days = BigInt(lease.days);
  if (days <= 0n || BigInt(lease.price) % days !== 0n || BigInt(lease.power) % days !== 0n)
    return null;
  return { pricePerDay: BigInt(lease.price) / days, powerPerDay: BigInt(lease.power) / days };
}

const isAmount = isInteger(30);

function isList(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= readingsMax && value.every(fits);
}
