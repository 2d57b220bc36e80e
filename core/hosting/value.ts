import { type Asset, getSymbolAssets } from "#core/hosting/assets.ts";
import type { Moment, PoolConfig, PoolState } from "#core/hosting/types.ts";
import { type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";

/**
 * Valuation unit: worth is computed per 10¹⁸ minor units, enough digits that no rounding reaches a
 * minor unit of home.
 */
export const worthUnit = 10n ** 18n;

const direct = new Map<string, MarketSymbol | null>();

/** The symbol that trades `asset` against `home`, in either direction, or null. */
export function findSymbolBetween(asset: Asset, home: Asset): MarketSymbol | null {
  const key = `${asset}/${home}`;
  let symbol = direct.get(key);
  if (symbol === undefined) {
    symbol =
      symbolNames.find(
        (name) =>
          (symbols[name].base === asset && symbols[name].quote === home) ||
          (symbols[name].base === home && symbols[name].quote === asset),
      ) ?? null;
    direct.set(key, symbol);
  }
  return symbol;
}

/**
 * Worth of 10¹⁸ minor units of `asset` in minor units of `home` by the index, truncated; null in a
 * gap.
 */
export function computeWorth(asset: Asset, home: Asset, moment: Moment): bigint | null {
  if (asset === home) return worthUnit;
  const symbol = findSymbolBetween(asset, home);
  const index = symbol && moment.index(symbol);
  if (!index) return null;
  const { base, divisor, quoteUnit } = getSymbolAssets(symbol);
  return base === asset
    ? (worthUnit * index * quoteUnit) / divisor
    : (worthUnit * divisor) / (index * quoteUnit);
}

/** The assets that a pool of this configuration can own, home first. */
export function listAssets(config: PoolConfig): Asset[] {
  const assets = new Set<Asset>([config.home]);
  for (const symbol of config.symbols) {
    const { base, quote } = getSymbolAssets(symbol);
    assets.add(base);
    assets.add(quote);
  }
  return [...assets];
}

/** The pool's total of an asset: free, at venues and in transit. */
export function computeTotal(config: PoolConfig, state: PoolState, asset: Asset): bigint {
  let sum = asset === config.home ? state.free : 0n;
  for (const venue of config.venues) sum += state.held[`${venue}/${asset}`] ?? 0n;
  for (const transfer of state.transfers) if (transfer.asset === asset) sum += transfer.amount;
  return sum;
}

/**
 * Value of the pool's assets in minor units of home: each asset's total at the index, truncated
 * (the remainder is credited to no one). Null when an asset it owns has no index now. Liabilities
 * are not deducted.
 */
export function computeAssetsWorth(
  config: PoolConfig,
  state: PoolState,
  moment: Moment,
): bigint | null {
  let sum = 0n;
  for (const asset of listAssets(config)) {
    const amount = computeTotal(config, state, asset);
    if (amount === 0n) continue;
    const worth = computeWorth(asset, config.home, moment);
    if (worth === null) return null;
    sum += (amount * worth) / worthUnit;
  }
  return sum;
}
