import type { ContractDetails } from "#api/contracts.ts";
import {
  decideStake,
  quoteStake,
  type StakeQuote,
  type StakeRefusal,
  stakeCoin,
} from "#core/contracts/stake.ts";
import { tierOf } from "#core/contracts/wireTier.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal, minorOf, parseDecimal } from "#core/money/decimal.ts";

/** A tier as the wire shows it, with what it costs. */
export type Tier = ContractDetails["terms"]["tiers"][number];

const scale = scaleOf(stakeCoin);

/** The last part of the message `contracts.stake.…` that says what is wrong with a stake. */
export type StakeProblem = "empty" | "malformed" | "digits" | "tooSmall" | "tooLarge" | "overdraft";

const problemOf: Readonly<Record<StakeRefusal, StakeProblem>> = {
  malformed: "malformed",
  excess_digits: "digits",
  too_large: "tooLarge",
  below_minimum: "tooSmall",
  above_maximum: "tooLarge",
  overdraft: "overdraft",
};

/**
 * Reads what was typed; `available` null: not known (signed out), then the balance is not checked.
 */
export function readStake(
  typed: string,
  tier: Tier,
  available: string | null,
): { ok: true; quote: StakeQuote } | { ok: false; problem: StakeProblem } {
  if (typed === "") return { ok: false, problem: "empty" };
  // A point at the end is still being typed.
  const text = typed.endsWith(".") ? typed.slice(0, -1) : typed;
  const funds = available === null ? null : minorOf(available, scale);
  const decided = decideStake(text, tierOf(tier), funds);
  return decided.ok ? decided : { ok: false, problem: problemOf[decided.refusal] };
}

/** What was typed as minor units; nothing while it is no amount. */
export function typedStake(typed: string): bigint {
  const read = parseDecimal(typed, scale);
  return read.ok ? read.value : 0n;
}

/** What an order of the typed stake would do, whether it is allowed or not. */
export function quoteTyped(typed: string, tier: Tier): StakeQuote {
  return quoteStake(typedStake(typed), tierOf(tier));
}

/** One step of the stepper: to the next multiple of ten, inside the tier's limits. */
export function stepStake(typed: string, direction: 1 | -1, tier: Tier): string {
  const step = 10n * 10n ** BigInt(scale);
  const now = typedStake(typed);
  const next = direction === 1 ? (now / step + 1n) * step : ((now + step - 1n) / step - 1n) * step;
  const { stakeMin: low, stakeMax: high } = tierOf(tier);
  return formatDecimal(next < low ? low : next > high ? high : next, scale);
}

/** Round stakes inside the tier's limits, to be set by one touch. */
export function quickStakes(tier: Tier): string[] {
  const { stakeMin: low, stakeMax: high } = tierOf(tier);
  return ["10", "50", "100", "500"].filter((stake) => {
    const value = minorOf(stake, scale);
    return value >= low && value <= high;
  });
}
