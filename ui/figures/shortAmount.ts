import { type Coin, coinScale, coins } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";

/**
 * A decimal string of the wire, possibly negative, shortened for display at a glance: a loss never
 * looks smaller than it is.
 */
export function shortWorthText(text: string, display: Coin): string {
  const worth = toMinorUnits(text, coinScale(display));
  return worth < 0n ? `-${shortWorth(-worth, display, "up")}` : shortWorth(worth, display);
}

/**
 * A value shortened to the digits shown at a glance: rounded down, or up for the size of a loss.
 */
export function shortWorth(worth: bigint, display: Coin, later: "out" | "up" = "out"): string {
  const unit = 10n ** BigInt(coinScale(display) - coins[display].shownDigits);
  const integerPart = (worth + (later === "up" ? unit - 1n : 0n)) / unit;
  return formatDecimal(integerPart * unit, coinScale(display));
}

/** A cost, shortened for display at a glance: rounded up, it never looks smaller than it is. */
export function shortCostText(text: string, coin: Coin): string {
  return shortWorth(toMinorUnits(text, coinScale(coin)), coin, "up");
}
