import type { ExchangeStep } from "#api/exchange.ts";
import { computeGivenFor, type IndexAt } from "#core/exchange/exchange.ts";
import { symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal, parseDecimal, toMinorUnits } from "#core/money/decimal.ts";

/** The amount to give for what is to be received, in the wire's form; null if there is none. */
export function findGivenFor(
  { from, to, received }: { from: Coin; to: Coin; received: string },
  indexAt: IndexAt,
): string | null {
  const result = parseDecimal(received, coinScale(to));
  if (!result.ok) return null;
  const amount = computeGivenFor({ from, to, received: result.value }, indexAt);
  return amount === null ? null : formatDecimal(amount, coinScale(from));
}

interface QuotedAmount {
  from: Coin;
  to: Coin;
  given: string;
  steps: readonly Pick<ExchangeStep, "symbol" | "index">[];
}

/** The amount to give at the index of a quote; null if the quote already is for that amount. */
export function correctGiven(quote: QuotedAmount, received: string): string | null {
  const indexOf = new Map(
    quote.steps.map(({ symbol, index }) => [symbol, toMinorUnits(index, symbols[symbol].scale)]),
  );
  const amount = findGivenFor({ ...quote, received }, (symbol) => indexOf.get(symbol) ?? null);
  return amount === quote.given ? null : amount;
}
