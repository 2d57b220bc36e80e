import { symbols } from "#core/market/symbols.ts";
import { type Coin, coinColumn, scaleOf } from "#core/money/coins.ts";
import { divideUp } from "#core/money/rounding.ts";
import { dayMs } from "#core/money/time.ts";
import { displayCurrency, valuedBy, worthOf } from "#core/wallet/valuation.ts";

/** What a withdrawal costs, in minor units of its coin, taken out of the amount. */
export const withdrawFees = coinColumn("withdrawFee");

/**
 * A part of a balance may leave from this worth on, in minor units of the display currency: 20
 * pUSDT.
 */
export const withdrawWorthLeast = 20_000_000n;

/** World time in which a withdrawal can be cancelled, in milliseconds. */
export const withdrawCancelMs = 120_000;

/** Real time after which a withdrawal has left at the latest, whatever the world's time does. */
export const withdrawLatestMs = dayMs;

/**
 * Everything that the decision may look at, and nothing else may ever be added: not who the person
 * is, what they accepted, earned, owe or were told, nor what anybody else wants
 * (docs/rules/wallet.md, "Withdraw"; the third promise).
 */
export interface WithdrawInputs {
  coin: Coin;
  /** Minor units, or all that is available. */
  asked: bigint | "all";
  /** Minor units that nothing holds. */
  available: bigint;
  /**
   * Of the coin's market at its scale; null while there is none, which then asks for no minimum.
   */
  index: bigint | null;
}

export type WithdrawDecision =
  | { ok: true; amount: bigint; fee: bigint; leaves: bigint }
  | { ok: false; reason: "nothing" }
  | { ok: false; reason: "overdraft" }
  | { ok: false; reason: "below_minimum"; minimum: bigint };

/**
 * Whether and how an amount leaves: at or above 20 pUSDT worth at the index, or the whole available
 * balance. The fee comes out of the amount; an amount not above its fee leaves whole, without one,
 * for a fee must keep nobody's balance here.
 */
export function decideWithdraw(inputs: WithdrawInputs): WithdrawDecision {
  const { coin, asked, available, index } = inputs;
  const amount = asked === "all" ? available : asked;
  if (amount <= 0n) return { ok: false, reason: "nothing" };
  if (amount > available) return { ok: false, reason: "overdraft" };
  const worth = worthOf(coin, amount, index);
  if (amount < available && worth !== null && worth < withdrawWorthLeast) {
    return { ok: false, reason: "below_minimum", minimum: withdrawMinimum(coin, index) as bigint };
  }
  const fee = feeOfWithdrawal(coin, amount);
  return { ok: true, amount, fee, leaves: amount - fee };
}

/** The fee of an amount in minor units; none when the amount is not above it. */
export function feeOfWithdrawal(coin: Coin, amount: bigint): bigint {
  const fee = withdrawFees[coin];
  return amount > fee ? fee : 0n;
}

/**
 * The least minor units that are worth 20 pUSDT at `index`; null without an index, when there is no
 * minimum.
 */
export function withdrawMinimum(coin: Coin, index: bigint | null): bigint | null {
  const symbol = valuedBy[coin];
  if (symbol === null) return withdrawWorthLeast;
  if (index === null) return null;
  const scale = 10n ** BigInt(scaleOf(coin) + symbols[symbol].scale);
  return divideUp(withdrawWorthLeast * scale, index * 10n ** BigInt(scaleOf(displayCurrency)));
}
