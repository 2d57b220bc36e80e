import type { ContractDetails } from "#api/contracts.ts";
import {
  decideStake,
  quoteStake,
  type StakeError,
  type StakeQuote,
  stakeCoin,
} from "#core/contracts/stake.ts";
import { parseTier } from "#core/contracts/wireTier.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal, toMinorUnits } from "#core/money/decimal.ts";

/** A tier as on the wire, with its costs. */
export type Tier = ContractDetails["terms"]["tiers"][number];

const scale = coinScale(stakeCoin);

/** The error of a stake, as the last part of the message id `contracts.stake.…`. */
export type StakeInputError =
  | "empty"
  | "malformed"
  | "digits"
  | "tooSmall"
  | "tooLarge"
  | "overdraft";

const findStakeError: Readonly<Record<StakeError, StakeInputError>> = {
  malformed: "malformed",
  excess_digits: "digits",
  too_large: "tooLarge",
  below_minimum: "tooSmall",
  above_maximum: "tooLarge",
  overdraft: "overdraft",
};

/**
 * Parses a typed stake; with `available` null (unknown or signed out) the balance is not checked.
 */
export function parseStake(
  input: string,
  tier: Tier,
  available: string | null,
): { ok: true; quote: StakeQuote } | { ok: false; error: StakeInputError } {
  if (input === "") return { ok: false, error: "empty" };
  // A trailing point is still being typed.
  const text = input.endsWith(".") ? input.slice(0, -1) : input;
  const funds = available === null ? null : toMinorUnits(available, scale);
  const result = decideStake(text, parseTier(tier), funds);
  return result.ok ? result : { ok: false, error: findStakeError[result.error] };
}

/** The typed stake in minor units; 0 while it is not an amount. */
export function parseStakeOrZero(input: string): bigint {
  const result = parseDecimal(input, scale);
  return result.ok ? result.value : 0n;
}

/** The consequences of an order of the typed stake. */
export function quoteTypedStake(input: string, tier: Tier): StakeQuote {
  return quoteStake(parseStakeOrZero(input), parseTier(tier));
}

/** Takes one step of the stepper: to the next multiple of ten, within the tier's limits. */
export function stepStake(input: string, direction: 1 | -1, tier: Tier): string {
  const step = 10n * 10n ** BigInt(scale);
  const now = parseStakeOrZero(input);
  const next = direction === 1 ? (now / step + 1n) * step : ((now + step - 1n) / step - 1n) * step;
  const { stakeMin: low, stakeMax: high } = parseTier(tier);
  return formatDecimal(next < low ? low : next > high ? high : next, scale);
}

/** Lists round stakes within the tier's limits, offered as one-tap choices. */
export function listStakePresets(tier: Tier): string[] {
  const { stakeMin: low, stakeMax: high } = parseTier(tier);
  return ["10", "50", "100", "500"].filter((stake) => {
    const value = toMinorUnits(stake, scale);
    return value >= low && value <= high;
  });
}
