import type { ExchangeQuote } from "#api/exchange.ts";
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
  const given = computeGivenFor({ from, to, received: result.value }, indexAt);
  return given === null ? null : formatDecimal(given, coinScale(from));
}

/** The amount to give at the index of a quote; null if the quote already is for that amount. */
export function correctGiven(
  quote: Pick<ExchangeQuote, "from" | "to" | "given" | "steps">,
  received: string,
): string | null {
  const indexOf = new Map(
    quote.steps.map(({ symbol, index }) => [symbol, toMinorUnits(index, symbols[symbol].scale)]),
  );
  const given = findGivenFor({ ...quote, received }, (symbol) => indexOf.get(symbol) ?? null);
  return given === quote.given ? null : given;
}
