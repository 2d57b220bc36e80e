import type { MarketSymbol } from "#core/market/symbols.ts";
import { symbols } from "#core/market/symbols.ts";
import { type Coin, coinColumn, coinScale } from "#core/money/coins.ts";
import { divideDown } from "#core/money/rounding.ts";

/** The coin balances are valued in. */
export const displayCurrency: Coin = "pUSDT";

/**
 * The market whose index values a coin in the display currency; null for the display currency
 * itself.
 */
export const valuedBy = coinColumn("market");

/**
 * The worth of `amount` minor units of `coin` in minor units of the display currency at `index` (of
 * `valuedBy`, at its scale), rounded down. Null without an index, except that zero is worth zero.
 */
export function computeWorth(coin: Coin, amount: bigint, index: bigint | null): bigint | null {
  const symbol = valuedBy[coin];
  if (symbol === null || amount === 0n) return amount;
  if (index === null) return null;
  const numerator = amount * index * 10n ** BigInt(coinScale(displayCurrency));
  return divideDown(numerator, 10n ** BigInt(coinScale(coin) + symbols[symbol].scale));
}

/** The index of a market at its scale, or null. */
export type IndexOf = (symbol: MarketSymbol) => bigint | null;

/**
 * The worth of `amount` minor units of `coin` in minor units of `display`, both valued through
 * their USDT markets, rounded down once. A coin in itself, and zero, need no index. Null where an
 * index is missing.
 */
export function computeWorthIn(
  coin: Coin,
  amount: bigint,
  display: Coin,
  indexOf: IndexOf,
): bigint | null {
  if (amount === 0n || coin === display) return amount;
  const fromPrice = usdtPer(coin, indexOf);
  const toPrice = usdtPer(display, indexOf);
  if (fromPrice === null || toPrice === null || toPrice.numerator === 0n) return null;
  return divideDown(
    amount * fromPrice.numerator * toPrice.denominator,
    fromPrice.denominator * toPrice.numerator,
  );
}

/** Minor units of pUSDT per minor unit of `coin`, as a fraction. */
function usdtPer(coin: Coin, indexOf: IndexOf): { numerator: bigint; denominator: bigint } | null {
  const symbol = valuedBy[coin];
  if (symbol === null) return { numerator: 1n, denominator: 1n };
  const index = indexOf(symbol);
  if (index === null) return null;
  return {
    numerator: index * 10n ** BigInt(coinScale(displayCurrency)),
    denominator: 10n ** BigInt(coinScale(coin) + symbols[symbol].scale),
  };
}

/** The markets `computeWorthIn` needs to value amounts of these coins in `display`. */
export function listMarketsFor(coins: readonly Coin[], display: Coin): MarketSymbol[] {
  const otherCoins = coins.filter((coin) => coin !== display);
  const requestedCoins = otherCoins.length === 0 ? [] : [...otherCoins, display];
  const symbols = requestedCoins.map((coin) => valuedBy[coin]).filter((symbol) => symbol !== null);
  return [...new Set(symbols)];
}
