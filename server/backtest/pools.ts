import type { BacktestFile, BacktestPool } from "#api/backtest.ts";
import { getSymbolAssets } from "#core/hosting/assets.ts";
import { buildPools, formatPoolName, poolSymbols } from "#core/hosting/catalogue.ts";
import { checkConfig } from "#core/hosting/strategy/strategies.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { getUnit } from "#server/backtest/run.ts";

type ListedFile = Pick<BacktestFile, "venue" | "symbol" | "from_ms" | "to_ms">;

/**
 * Every pool that the files support: those a world would offer, and buy-and-hold of each symbol at
 * each venue.
 */
export function listPoolsFor(
  files: readonly ListedFile[],
): { config: PoolConfig; view: BacktestPool }[] {
  const listing = (symbol: MarketSymbol) =>
    files.filter((file) => file.symbol === symbol).map(({ venue }) => venue);
  const holdPools = poolSymbols.flatMap((symbol) =>
    listing(symbol).map(
      (venue): PoolConfig => ({
        strategy: "hold",
        venues: [venue],
        symbols: [symbol],
        home: getSymbolAssets(symbol).quote,
      }),
    ),
  );
  const configs = [
    ...buildPools(listing).filter(({ strategy }) => strategy !== "hold"),
    ...holdPools,
  ];
  return configs
    .filter((config) => checkConfig(config) === null)
    .map((config) => ({ config, view: toView(config, files) }));
}

function toView(config: PoolConfig, files: readonly ListedFile[]): BacktestPool {
  const { strategy, symbols, venues } = config;
  const used = files.filter(
    ({ venue, symbol }) => venues.includes(venue) && symbols.includes(symbol),
  );
  return {
    pool: formatPoolName(config),
    strategy,
    symbols: [...symbols],
    venues: [...venues],
    unit: getUnit(config),
    // The period that all of its files cover.
    from_ms: Math.max(...used.map(({ from_ms: fromMs }) => fromMs)),
    to_ms: Math.min(...used.map(({ to_ms: toMs }) => toMs)),
  };
}
