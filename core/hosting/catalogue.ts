import { type Asset, assets, getSymbolAssets } from "#core/hosting/assets.ts";
import { checkConfig } from "#core/hosting/strategy/strategies.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";

/** Symbols whose assets pools can own. */
export const poolSymbols: readonly MarketSymbol[] = symbolNames.filter((name) =>
  Object.hasOwn(assets, symbols[name].base),
);

/** The venues that list a symbol, in the world's order of venues. */
export type Listing = (symbol: MarketSymbol) => readonly string[];

/**
 * Returns true if every asset the pool owns has a practice coin; required of a pool that people can
 * hold.
 */
export function isPractice(config: PoolConfig): boolean {
  return config.symbols.every((symbol) => {
    const { base, quote } = getSymbolAssets(symbol);
    return assets[base].coin !== null && assets[quote].coin !== null;
  });
}

/**
 * Every pool a market's listings allow: `cross` on each symbol listed by two or more venues,
 * `triangle` for each loop through a coin that closes on one venue, and `hold` of a coin for each
 * symbol a `cross` trades. All are offered, so none is picked for its result.
 */
export function buildPools(listing: Listing): PoolConfig[] {
  const pools: PoolConfig[] = [];
  const sharedSymbols = poolSymbols.filter((symbol) => listing(symbol).length > 1);
  for (const symbol of sharedSymbols) {
    const home = getSymbolAssets(symbol).quote;
    pools.push({ strategy: "cross", venues: listing(symbol), symbols: [symbol], home });
  }
  const venues = new Set(poolSymbols.flatMap((symbol) => listing(symbol)));
  for (const venue of venues) pools.push(...listTriangles(venue, listing));
  for (const symbol of sharedSymbols) {
    const { base, quote } = getSymbolAssets(symbol);
    if (!isCoin(base)) continue;
    const [venue] = listing(symbol);
    pools.push({ strategy: "hold", venues: [venue!], symbols: [symbol], home: quote });
  }
  return pools.filter((config) => checkConfig(config) === null);
}

function listTriangles(venue: string, listing: Listing): PoolConfig[] {
  const venueSymbols = poolSymbols.filter((symbol) => listing(symbol).includes(venue));
  const pools: PoolConfig[] = [];
  for (const [i, pair] of venueSymbols.entries()) {
    for (const otherSymbol of venueSymbols.slice(i + 1)) {
      const [a, b] = [getSymbolAssets(pair), getSymbolAssets(otherSymbol)];
      if (a.base !== b.base || !isCoin(a.base)) continue;
      const third = venueSymbols.find((symbol) => {
        const { base, quote } = getSymbolAssets(symbol);
        return (base === a.quote && quote === b.quote) || (base === b.quote && quote === a.quote);
      });
      if (!third) continue;
      const home = homeAssets.find((asset) => asset === a.quote || asset === b.quote)!;
      pools.push({
        strategy: "triangle",
        venues: [venue],
        symbols: [pair, otherSymbol, third],
        home,
      });
    }
  }
  return pools;
}

/** Home assets of triangles, practice coins first. */
const homeAssets: readonly Asset[] = ["USDT", "USDC", "USD"];

function isCoin(asset: Asset): boolean {
  return !homeAssets.includes(asset);
}

/**
 * The same pool under each margin, for a backtest that tries settings; `pickBest` reports the
 * number tried.
 */
export function withMargins(config: PoolConfig, margins: readonly number[]): PoolConfig[] {
  return margins.map((marginBp) => ({ ...config, marginBp }));
}

/** A short name for tables and files, such as `cross BTC/USDT binance coinbase kraken`. */
export function formatPoolName({
  strategy,
  symbols: symbolNames,
  venues,
  marginBp,
}: PoolConfig): string {
  const margin = marginBp === undefined ? "" : ` margin ${marginBp}`;
  return `${strategy} ${symbolNames.join(" ")} @ ${venues.join(" ")}${margin}`;
}
