import { stakeCoin } from "#core/contracts/stake.ts";
import type { Tier } from "#core/contracts/terms.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";

/** A tier on the wire (`tierTerms` in api/contracts.ts); stakes are decimals of `stakeCoin`. */
export interface WireTier {
  seconds: number;
  range_bp: number;
  rate_bp: number;
  fee_bp: number;
  stake_min: string;
  stake_max: string;
  orders_per_day: number | null;
}

const scale = coinScale(stakeCoin);

/** Parses a tier's decimal as minor units. */
type ReadAmount = (text: string, digits: number, field: "stake_min" | "stake_max") => bigint;

/**
 * Reads a tier from the wire. The default `readAmount` is for the server's own decimals (RangeError
 * if malformed); to validate a person's draft, pass one that records the problems.
 */
export function parseTier(wire: WireTier, readAmount: ReadAmount = toMinorUnits): Tier {
  return {
    seconds: wire.seconds,
    rangeBp: wire.range_bp,
    rateBp: wire.rate_bp,
    feeBp: wire.fee_bp,
    stakeMin: readAmount(wire.stake_min, scale, "stake_min"),
    stakeMax: readAmount(wire.stake_max, scale, "stake_max"),
    ordersPerDay: wire.orders_per_day,
  };
}

/** Writes a tier for the wire. */
export function toWireTier(tier: Tier): WireTier {
  return {
    seconds: tier.seconds,
    range_bp: tier.rangeBp,
    rate_bp: tier.rateBp,
    fee_bp: tier.feeBp,
    stake_min: formatDecimal(tier.stakeMin, scale),
    stake_max: formatDecimal(tier.stakeMax, scale),
    orders_per_day: tier.ordersPerDay,
  };
}
