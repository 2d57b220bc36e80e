import type { AnswerOf } from "#api/call.ts";
import type { Balance, getWalletList } from "#api/wallet.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { computeWorthIn, valuedBy } from "#core/wallet/valuation.ts";

/** Prices of one second by symbol, as pushed by the stream; null in a gap. */
export type Prices = Readonly<Record<string, string | null>>;

export interface Worth {
  coin: Coin;
  /** Available and held together, in minor units. */
  amount: bigint;
  /** In minor units of the display currency; null without a price. */
  worth: bigint | null;
  /** The market and the price it was valued at; null where none is needed. */
  symbol: MarketSymbol | null;
  price: string | null;
}

export interface ValuedBalances {
  items: Worth[];
  total: bigint | null;
}

/**
 * Values balances at pushed prices by the server's own rule, so that the total moves every second
 * between two fetches.
 */
export function valueBalances(
  items: readonly Balance[],
  display: Coin,
  prices: Prices,
): ValuedBalances {
  let total: bigint | null = 0n;
  const worths = items.map(({ coin, available, held }): Worth => {
    const amount = toMinorUnits(available, coinScale(coin)) + toMinorUnits(held, coinScale(coin));
    const worth = computeWorthIn(coin, amount, display, (symbol) => findIndex(prices, symbol));
    total = total === null || worth === null ? null : total + worth;
    const symbol = valuedBy[coin];
    return { coin, amount, worth, symbol, price: symbol && (prices[symbol] ?? null) };
  });
  return { items: worths, total };
}

/** Reads the values of the server's answer. */
export function readServerWorth({
  items,
  display_currency: display,
  total,
}: AnswerOf<typeof getWalletList>): ValuedBalances {
  const toAmount = (text: string | null) =>
    text === null ? null : toMinorUnits(text, coinScale(display));
  return {
    items: items.map(({ coin, available, held, value }) => ({
      coin,
      amount: toMinorUnits(available, coinScale(coin)) + toMinorUnits(held, coinScale(coin)),
      worth: toAmount(value),
      symbol: valuedBy[coin],
      price: null,
    })),
    total: toAmount(total),
  };
}

/** The pushed index of a market; null in a gap. */
export function findIndex(prices: Prices, symbol: MarketSymbol): bigint | null {
  const price = prices[symbol];
  return price === null || price === undefined ? null : toMinorUnits(price, symbols[symbol].scale);
}
