import { getSymbolAssets } from "#core/hosting/assets.ts";
import { holdBandBp } from "#core/hosting/strategy/parameters.ts";
import { triangle } from "#core/hosting/strategy/triangle.ts";
import type { PoolConfig, Strategy, StrategyName } from "#core/hosting/types.ts";
import { findSymbolBetween, listAssets } from "#core/hosting/value.ts";
import { cross } from "./crossVenue.ts";

/**
 * Buy and hold, the benchmark: the whole pool becomes the base asset, and nothing is sold except to
 * pay redemptions.
 */
const hold: Strategy = {
  name: "hold",
  weights: (config) => ({ [getSymbolAssets(config.symbols[0]!).base]: 10_000 }),
  bandBp: holdBandBp,
  words: { does: "hosting.hold_does", loses: "hosting.hold_loses", costs: "hosting.hold_costs" },
  // Buying is done by restocking, under the same rules as every other pool.
  decide: () => ({ trades: false, why: "nothing_to_do", observed: null }),
};

export const strategies: Readonly<Record<StrategyName, Strategy>> = { cross, triangle, hold };
export const strategyNames = Object.keys(strategies) as StrategyName[];

export type ConfigError =
  | "venues_count"
  | "venues_repeated"
  | "symbols_count"
  | "symbols_open"
  | "home_unreachable"
  | "margin_range";

/** Checks whether a pool with this configuration can run; returns the first reason why not. */
export function checkConfig(config: PoolConfig): ConfigError | null {
  const { strategy, venues, symbols, home } = config;
  if (strategy === "cross" ? venues.length < 2 : venues.length !== 1) return "venues_count";
  if (new Set(venues).size !== venues.length) return "venues_repeated";
  if (symbols.length !== (strategy === "triangle" ? 3 : 1)) return "symbols_count";
  const { marginBp } = config;
  if (marginBp !== undefined && !(Number.isInteger(marginBp) && marginBp >= 0 && marginBp <= 1_000))
    return "margin_range";
  const assets = listAssets(config);
  if (assets.length !== (strategy === "triangle" ? 3 : 2)) return "symbols_open";
  const reachable = assets.every((asset) => {
    const direct = asset === home ? null : findSymbolBetween(asset, home);
    return asset === home || (direct !== null && symbols.includes(direct));
  });
  return reachable ? null : "home_unreachable";
}
