import { useState } from "react";
import type { ExchangeQuote } from "#api/exchange.ts";
import { costInGiven } from "#core/exchange/costInGiven.ts";
import { scaleOf } from "#core/money/coins.ts";
import { minorOf } from "#core/money/decimal.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorth } from "#web/lib/shortAmount.ts";

/** What an exchange costs, in the coin given, at a glance; every digit on a press. */
export function GivenCost({ quote }: { quote: ExchangeQuote }) {
  const [whole, setWhole] = useState(false);
  const { from, to, given, at_index: atIndex, cost } = quote;
  const scale = scaleOf(to);
  const value = costInGiven(
    minorOf(given, scaleOf(from)),
    minorOf(atIndex, scale),
    minorOf(cost, scale),
  );
  return (
    <button
      type="button"
      className="min-h-11"
      aria-pressed={whole}
      onClick={() => setWhole(!whole)}
    >
      <Amount value={whole ? value : shortWorth(value, from, "up")} coin={from} />
    </button>
  );
}
