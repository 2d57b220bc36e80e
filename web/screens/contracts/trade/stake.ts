import type { ContractDetails } from "#api/contracts.ts";
import { feeOf, profitOf } from "#core/contracts/settle.ts";
import { scaleOf } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";

export type Tier = ContractDetails["terms"]["tiers"][number];

/** The coin of every stake. */
export const stakeCoin = "pUSDT";
const scale = scaleOf(stakeCoin);

/** A decimal string of the wire as minor units; zero when it is none. */
export function minor(text: string): bigint {
  const negative = text.startsWith("-");
  const read = parseDecimal(negative ? text.slice(1) : text, scale);
  if (!read.ok) return 0n;
  return negative ? -read.value : read.value;
}

/** What an order of this stake does to the balance, in minor units. */
export interface StakeQuote {
  stake: bigint;
  fee: bigint;
  /** Stake and fee: leaves the balance at once, and is what a wrong order loses. */
  charged: bigint;
  /** Stake and profit: what a right order brings back. */
  back: bigint;
  profit: bigint;
}

export function quoteStake(stake: bigint, tier: Pick<Tier, "fee_bp" | "rate_bp">): StakeQuote {
  const fee = feeOf(stake, tier.fee_bp);
  const profit = profitOf(stake, tier.rate_bp);
  return { stake, fee, charged: stake + fee, back: stake + profit, profit };
}

export type StakeProblem = "empty" | "malformed" | "digits" | "tooSmall" | "tooLarge" | "overdraft";

/** Reads what was typed; `available` null: not known (signed out), then the balance is not checked. */
export function readStake(
  typed: string,
  tier: Tier,
  available: string | null,
): { ok: true; quote: StakeQuote } | { ok: false; problem: StakeProblem } {
  const text = typed.endsWith(".") ? typed.slice(0, -1) : typed;
  if (text === "") return { ok: false, problem: "empty" };
  const read = parseDecimal(text, scale);
  if (!read.ok)
    return {
      ok: false,
      problem:
        read.error === "excess_digits"
          ? "digits"
          : read.error === "too_large"
            ? "tooLarge"
            : "malformed",
    };
  if (read.value < minor(tier.stake_min)) return { ok: false, problem: "tooSmall" };
  if (read.value > minor(tier.stake_max)) return { ok: false, problem: "tooLarge" };
  const quote = quoteStake(read.value, tier);
  if (available !== null && quote.charged > minor(available))
    return { ok: false, problem: "overdraft" };
  return { ok: true, quote };
}

/** One step of the stepper: to the next multiple of ten, inside the tier's limits. */
export function stepStake(typed: string, direction: 1 | -1, tier: Tier): string {
  const step = 10n * 10n ** BigInt(scale);
  const read = parseDecimal(typed, scale);
  const now = read.ok ? read.value : 0n;
  const next = direction === 1 ? (now / step + 1n) * step : ((now + step - 1n) / step - 1n) * step;
  const [low, high] = [minor(tier.stake_min), minor(tier.stake_max)];
  return formatDecimal(next < low ? low : next > high ? high : next, scale);
}

/** Round stakes inside the tier's limits, to be set by one touch. */
export function quickStakes(tier: Tier): string[] {
  const [low, high] = [minor(tier.stake_min), minor(tier.stake_max)];
  return ["10", "50", "100", "500"].filter((stake) => minor(stake) >= low && minor(stake) <= high);
}
