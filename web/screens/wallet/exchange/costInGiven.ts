import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";

interface QuotedExchange {
  from: Coin;
  to: Coin;
  given: string;
  /**
   * The amount given at the index, and by how much the received amount falls short of it; in `to`.
   */
  at_index: string;
  cost: string;
}

/**
 * The cost of an exchange in the coin that was given, rounded up: a cost is felt in the money that
 * one has, not as 0.00001634 of another.
 */
export function computeCostInGiven({
  from,
  to,
  given,
  at_index: atIndex,
  cost,
}: QuotedExchange): string {
  const [atIndexUnits, part] = [
    toMinorUnits(atIndex, coinScale(to)),
    toMinorUnits(cost, coinScale(to)),
  ];
  if (atIndexUnits === 0n) return "0";
  const exactCost = toMinorUnits(given, coinScale(from)) * part;
  return formatDecimal((exactCost + atIndexUnits - 1n) / atIndexUnits, coinScale(from));
}
