import { type Coin, coins, scaleOf } from "#core/money/coins.ts";
import { formatDecimal, minorOf } from "#core/money/decimal.ts";

/**
 * A decimal string of the wire, which may be below zero, as it is shown at a glance: a loss is
 * shown no smaller than it is.
 */
export function shortWorthText(text: string, display: Coin): string {
  const worth = minorOf(text, scaleOf(display));
  return worth < 0n ? `-${shortWorth(-worth, display, "up")}` : shortWorth(worth, display);
}

/** A worth as it is shown at a glance: later digits are left out, or for a loss counted whole. */
export function shortWorth(worth: bigint, display: Coin, later: "out" | "up" = "out"): string {
  const cut = 10n ** BigInt(scaleOf(display) - coins[display].shownDigits);
  const whole = (worth + (later === "up" ? cut - 1n : 0n)) / cut;
  return formatDecimal(whole * cut, scaleOf(display));
}
