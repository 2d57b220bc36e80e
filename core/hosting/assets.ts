import type { MarketSymbol } from "#core/market/symbols.ts";
import { symbols } from "#core/market/symbols.ts";
import { coins } from "#core/money/coins.ts";

/**
 * Assets that a pool can own, with the number of decimal places of one unit. USD is included
 * because venues trade it; there is no practice coin for it, so a pool that people can hold never
 * owns any.
 */
export const assets = {
  BTC: { scale: coins.pBTC.scale, coin: "pBTC" },
  ETH: { scale: coins.pETH.scale, coin: "pETH" },
  USDT: { scale: coins.pUSDT.scale, coin: "pUSDT" },
  USDC: { scale: coins.pUSDC.scale, coin: "pUSDC" },
  USD: { scale: 6, coin: null },
} as const;

export type Asset = keyof typeof assets;
export const assetNames = Object.keys(assets) as Asset[];

export interface SymbolAssets {
  base: Asset;
  quote: Asset;
  /** 10 to the power of base asset scale plus price scale: the divisor of quantity × price. */
  divisor: bigint;
  /** 10 to the power of the quote asset's scale. */
  quoteUnit: bigint;
}

const assetsBySymbol = new Map<MarketSymbol, SymbolAssets>();

/**
 * The two assets of a symbol a pool may trade; throws a RangeError if pools cannot own one of them
 * (BNB …).
 */
export function getSymbolAssets(symbol: MarketSymbol): SymbolAssets {
  const pair = assetsBySymbol.get(symbol);
  if (pair) return pair;
  const { base, quote, scale } = symbols[symbol];
  if (!Object.hasOwn(assets, base)) throw new RangeError(`pools cannot own ${base}`);
  const parts: SymbolAssets = {
    base: base as Asset,
    quote,
    divisor: 10n ** BigInt(assets[base as Asset].scale + scale),
    quoteUnit: 10n ** BigInt(assets[quote].scale),
  };
  assetsBySymbol.set(symbol, parts);
  return parts;
}
