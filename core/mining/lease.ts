import { powerPerDay } from "#core/mining/formula.ts";
import { divideDown } from "#core/money/rounding.ts";
import { dayMs, hourMs } from "#core/money/time.ts";

/** Setting a machine up takes this long, in world time. */
export const commissioningMs = hourMs;
/** Share of the price of unused whole days that comes back. */
export const refundPercent = 80n;

export interface LeaseTimes {
  acceptedAtMs: number;
  /** Days it works: those leased, fewer after an early end. */
  daysToWork: number;
}

/** Start of work: days are counted from here, 86 400 s each, whatever calendars say. */
export function startOf({ acceptedAtMs }: Pick<LeaseTimes, "acceptedAtMs">): number {
  return acceptedAtMs + commissioningMs;
}

/** End of the `day`th day of work (1 is the first); of no day, its start. */
export function endOfDay(lease: Pick<LeaseTimes, "acceptedAtMs">, day: number): number {
  return startOf(lease) + day * dayMs;
}

export type LeaseStatus = "running" | "at_work" | "maturity";

export function statusOf(lease: LeaseTimes, nowMs: number): LeaseStatus {
  if (lease.daysToWork === 0 || nowMs >= endOfDay(lease, lease.daysToWork)) return "maturity";
  return nowMs < startOf(lease) ? "running" : "at_work";
}

/**
 * Days that have begun by `nowMs`; none while it is set up. A day begins at the very end of the one
 * before.
 */
export function daysBegun(lease: LeaseTimes, nowMs: number): number {
  const passed = nowMs - startOf(lease);
  return passed < 0 ? 0 : Math.min(Math.floor(passed / dayMs) + 1, lease.daysToWork);
}

export interface LeaseCost {
  /** Minor units of pUSDT, of all machines for one day. */
  pricePerDay: bigint;
  powerPerDay: bigint;
}

/** What `quantity` machines cost for one day. */
export function costOf(
  terms: { pricePerDay: bigint; powerW: number; perKwh: bigint },
  quantity: number,
): LeaseCost {
  return {
    pricePerDay: terms.pricePerDay * BigInt(quantity),
    powerPerDay: powerPerDay(terms.powerW, terms.perKwh, quantity),
  };
}

/**
 * What comes back for whole days that have not begun: 80 % of their price, rounded down, and all of
 * their power.
 */
export function refundOf(cost: LeaseCost, unusedDays: number): { price: bigint; power: bigint } {
  const days = BigInt(unusedDays);
  return {
    price: divideDown(cost.pricePerDay * days * refundPercent, 100n),
    power: cost.powerPerDay * days,
  };
}
