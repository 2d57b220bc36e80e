import type { MarketSymbol } from "#core/market/symbols.ts";
import { symbols } from "#core/market/symbols.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { divideDown } from "#core/money/rounding.ts";

/** The coin that balances are valued in. */
export const displayCurrency: Coin = "pUSDT";

/** The market whose index values a coin in the display currency; null for the display currency itself. */
export const valuedBy: Readonly<Record<Coin, MarketSymbol | null>> = {
  pUSDT: null,
  pUSDC: "USDC/USDT",
  pBTC: "BTC/USDT",
  pETH: "ETH/USDT",
};

/**
 * What `amount` minor units of `coin` are worth in minor units of the display currency at `index` (of `valuedBy`, at its
 * scale), rounded down. Null without an index; nothing is worth nothing even then.
 */
export function worthOf(coin: Coin, amount: bigint, index: bigint | null): bigint | null {
  const symbol = valuedBy[coin];
  if (symbol === null || amount === 0n) return amount;
  if (index === null) return null;
  const numerator = amount * index * 10n ** BigInt(scaleOf(displayCurrency));
  return divideDown(numerator, 10n ** BigInt(scaleOf(coin) + symbols[symbol].scale));
}
