import { computeFee, computeProfit } from "#core/contracts/settle.ts";
import type { Tier } from "#core/contracts/terms.ts";
import { coinScale } from "#core/money/coins.ts";
import { type DecimalError, parseDecimal } from "#core/money/decimal.ts";

/** The coin of every stake. */
export const stakeCoin = "pUSDT";

/** The effect of a stake on the balance, in minor units of `stakeCoin`. */
export interface StakeQuote {
  stake: bigint;
  fee: bigint;
  /** Stake and fee: leaves the balance immediately, and is lost if the order loses. */
  charged: bigint;
  profit: bigint;
  /** Stake and profit: returned if the order wins. */
  back: bigint;
}

export function quoteStake(stake: bigint, tier: Pick<Tier, "feeBp" | "rateBp">): StakeQuote {
  const fee = computeFee(stake, tier.feeBp);
  const profit = computeProfit(stake, tier.rateBp);
  return { stake, fee, charged: stake + fee, profit, back: stake + profit };
}

/** Not an amount, outside the tier's limits, or more than the available balance. */
export type StakeError = DecimalError | "below_minimum" | "above_maximum" | "overdraft";

/**
 * Decides whether `text` (a plain decimal of `stakeCoin`) may be staked on a tier. `available` is
 * the balance in minor units that stake and fee are taken from; null when unknown or when the
 * ledger decides. Source: docs/rules/contracts.md, rule 1.
 */
export function decideStake(
  text: string,
  tier: Tier,
  available: bigint | null,
): { ok: true; quote: StakeQuote } | { ok: false; error: StakeError } {
  const result = parseDecimal(text, coinScale(stakeCoin));
  if (!result.ok) return { ok: false, error: result.error };
  if (result.value < tier.stakeMin) return { ok: false, error: "below_minimum" };
  if (result.value > tier.stakeMax) return { ok: false, error: "above_maximum" };
  const quote = quoteStake(result.value, tier);
  if (available !== null && quote.charged > available) return { ok: false, error: "overdraft" };
  return { ok: true, quote };
}
