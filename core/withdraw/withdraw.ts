import { symbols } from "#core/market/symbols.ts";
import { type Coin, coinColumn, coinScale } from "#core/money/coins.ts";
import { divideUp } from "#core/money/rounding.ts";
import { dayMs } from "#core/money/time.ts";
import { computeWorth, displayCurrency, valuedBy } from "#core/wallet/valuation.ts";

/** Withdrawal fees in minor units of each coin, taken out of the amount. */
export const withdrawFees = coinColumn("withdrawFee");

/** The minimum worth of a partial withdrawal, in minor units of the display currency: 20 pUSDT. */
export const withdrawWorthMin = 20_000_000n;

/** How long a withdrawal can be cancelled, in milliseconds of world time. */
export const withdrawCancelMs = 120_000;

/** Latest real time at which a withdrawal leaves, regardless of world time. */
export const withdrawLatestMs = dayMs;

/**
 * All inputs of the decision. No input may ever be added: not who the person is, what they accepted,
 * earn, owe or were told, nor what anyone else wants (docs/rules/wallet.md, "Withdraw"; the third
 * promise).
 */
export interface WithdrawInputs {
  coin: Coin;
  /** Minor units, or everything available. */
  requested: bigint | "all";
  /** Minor units not held. */
  available: bigint;
  /**
   * Index of the coin's market at its scale; null while there is none; then there is no minimum.
   */
  index: bigint | null;
}

export type WithdrawDecision =
  | { ok: true; amount: bigint; fee: bigint; leaves: bigint }
  | { ok: false; error: "nothing" }
  | { ok: false; error: "overdraft" }
  | { ok: false; error: "below_minimum"; minimum: bigint };

/**
 * Decides whether and how an amount leaves: it must be worth at least 20 pUSDT at the index, or be
 * the whole available balance. The fee comes out of the amount; an amount not above its fee leaves
 * without one, because a fee must never trap a balance.
 */
export function decideWithdraw(inputs: WithdrawInputs): WithdrawDecision {
  const { coin, requested, available, index } = inputs;
  const amount = requested === "all" ? available : requested;
  if (amount <= 0n) return { ok: false, error: "nothing" };
  if (amount > available) return { ok: false, error: "overdraft" };
  const worth = computeWorth(coin, amount, index);
  if (amount < available && worth !== null && worth < withdrawWorthMin) {
    return {
      ok: false,
      error: "below_minimum",
      minimum: computeWithdrawMinimum(coin, index) as bigint,
    };
  }
  const fee = computeWithdrawFee(coin, amount);
  return { ok: true, amount, fee, leaves: amount - fee };
}

/** The fee of an amount in minor units; zero when the amount does not exceed it. */
export function computeWithdrawFee(coin: Coin, amount: bigint): bigint {
  const fee = withdrawFees[coin];
  return amount > fee ? fee : 0n;
}

/**
 * The smallest amount in minor units worth 20 pUSDT at `index`; null without an index, when there
 * is no minimum.
 */
export function computeWithdrawMinimum(coin: Coin, index: bigint | null): bigint | null {
  const symbol = valuedBy[coin];
  if (symbol === null) return withdrawWorthMin;
  if (index === null) return null;
  const scale = 10n ** BigInt(coinScale(coin) + symbols[symbol].scale);
  return divideUp(withdrawWorthMin * scale, index * 10n ** BigInt(coinScale(displayCurrency)));
}
