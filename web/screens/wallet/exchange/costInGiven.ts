import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal, minorOf } from "#core/money/decimal.ts";

interface QuotedExchange {
  from: Coin;
  to: Coin;
  given: string;
  /** What was given at the index, and how far what is received falls short of it; in `to`. */
  at_index: string;
  cost: string;
}

/**
 * The cost of an exchange in the coin that was given, rounded up: a cost is felt in the money that
 * one has, not as 0.00001634 of another.
 */
export function costInGiven({ from, to, given, at_index: atIndex, cost }: QuotedExchange): string {
  const [all, part] = [minorOf(atIndex, scaleOf(to)), minorOf(cost, scaleOf(to))];
  if (all === 0n) return "0";
  const exact = minorOf(given, scaleOf(from)) * part;
  return formatDecimal((exact + all - 1n) / all, scaleOf(from));
}
