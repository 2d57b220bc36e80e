import { computePowerCostPerDay } from "#core/mining/formula.ts";
import { divideDown } from "#core/money/rounding.ts";
import { dayMs, hourMs } from "#core/money/time.ts";

/** World time to commission a machine. */
export const commissioningMs = hourMs;
/** Share of the price of unused whole days that is refunded. */
export const refundPercent = 80n;

export interface LeaseTimes {
  acceptedAtMs: number;
  /** Days of work: those leased, fewer after an early end. */
  daysToWork: number;
}

/** Start of work; days are counted from here at 86 400 s each, regardless of calendars. */
export function getLeaseStart({ acceptedAtMs }: Pick<LeaseTimes, "acceptedAtMs">): number {
  return acceptedAtMs + commissioningMs;
}

/** End of the `day`th day of work, counted from 1; for 0, its start. */
export function getDayEnd(lease: Pick<LeaseTimes, "acceptedAtMs">, day: number): number {
  return getLeaseStart(lease) + day * dayMs;
}

export type LeaseStatus = "running" | "at_work" | "maturity";

export function getLeaseStatus(lease: LeaseTimes, nowMs: number): LeaseStatus {
  if (lease.daysToWork === 0 || nowMs >= getDayEnd(lease, lease.daysToWork)) return "maturity";
  return nowMs < getLeaseStart(lease) ? "running" : "at_work";
}

/**
 * Days begun by `nowMs`; none during commissioning. A day begins exactly when the previous one
 * ends.
 */
export function countStartedDays(lease: LeaseTimes, nowMs: number): number {
  const elapsedMs = nowMs - getLeaseStart(lease);
  return elapsedMs < 0 ? 0 : Math.min(Math.floor(elapsedMs / dayMs) + 1, lease.daysToWork);
}

export interface LeaseCost {
  /** Minor units of pUSDT, for all machines for one day. */
  pricePerDay: bigint;
  powerCostPerDay: bigint;
}

/** The cost of `quantity` machines for one day. */
export function computeLeaseCost(
  terms: { pricePerDay: bigint; powerW: number; pricePerKwh: bigint },
  quantity: number,
): LeaseCost {
  return {
    pricePerDay: terms.pricePerDay * BigInt(quantity),
    powerCostPerDay: computePowerCostPerDay(terms.powerW, terms.pricePerKwh, quantity),
  };
}

/**
 * The refund for whole days not yet begun: 80 % of their price, rounded down, and all of their
 * power.
 */
export function computeRefund(
  cost: LeaseCost,
  unusedDays: number,
): { price: bigint; power: bigint } {
  const days = BigInt(unusedDays);
  return {
    price: divideDown(cost.pricePerDay * days * refundPercent, 100n),
    power: cost.powerCostPerDay * days,
  };
}

/** Whole days of a lease that are not worked yet at a time. */
export function countUnworkedDays(times: LeaseTimes, nowMs: number): number {
  const worked = Math.floor(Math.max(0, nowMs - getLeaseStart(times)) / dayMs);
  return times.daysToWork - Math.min(times.daysToWork, worked);
}
