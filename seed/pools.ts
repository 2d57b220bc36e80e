import { seedCapital } from "#core/hosting/pool.ts";
import type { PoolConfig, StrategyName } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/**
 * The part of hosting that a seed needs; `createHosting(…).pools` gives it. Amounts in minor units
 * of pUSDT.
 */
export interface PoolSeedDeps {
  publish(plan: Plan): Promise<boolean>;
  setNotListed: (pools: { plan: Plan; missing: string[] }[]) => void;
}

interface Plan {
  id: string;
  config: PoolConfig;
  minimum: bigint;
  maximum: bigint;
  seed: bigint;
}

/** A pool that every world should have, if its market lists the required symbols. */
interface DefaultPool {
  id: string;
  strategy: StrategyName;
  symbols: readonly MarketSymbol[];
  venuesMin: number;
  venuesMax: number;
}

const defaultPools: readonly DefaultPool[] = [
  { id: "cross-btc", strategy: "cross", symbols: ["BTC/USDT"], venuesMin: 2, venuesMax: 60 },
  {
    id: "triangle-btc",
    strategy: "triangle",
    symbols: ["BTC/USDT", "BTC/USDC", "USDC/USDT"],
    venuesMin: 1,
    venuesMax: 1,
  },
  { id: "hold-btc", strategy: "hold", symbols: ["BTC/USDT"], venuesMin: 1, venuesMax: 1 },
];

const unit = 1_000_000n;
const minimum = 10n * unit;
const maximum = 1_000_000n * unit;

/**
 * Publishes the pools that a world's market supports, and records what the others lack. Run at each
 * start, after the market is prepared; existing pools stay. `venuesOf` returns the venues that list
 * a symbol. Returns how many terms were published.
 */
export async function seedPools(
  pools: PoolSeedDeps,
  venuesOf: (symbol: MarketSymbol) => readonly string[],
): Promise<number> {
  let published = 0;
  const notOffered: { plan: Plan; missing: string[] }[] = [];
  for (const { id, strategy, symbols, venuesMin, venuesMax } of defaultPools) {
    const first = venuesOf(symbols[0]!);
    const venues = first
      .filter((venue) => symbols.every((symbol) => venuesOf(symbol).includes(venue)))
      .slice(0, venuesMax);
    const config: PoolConfig = { strategy, venues, symbols, home: "USDT" };
    const plan: Plan = { id, config, minimum, maximum, seed: seedCapital };
    if (venues.length >= venuesMin) published += (await pools.publish(plan)) ? 1 : 0;
    else notOffered.push({ plan, missing: findMissing(symbols, venuesOf, venuesMin) });
  }
  pools.setNotListed(notOffered);
  return published;
}

function findMissing(
  symbols: readonly MarketSymbol[],
  venuesOf: (symbol: MarketSymbol) => readonly string[],
  venuesMin: number,
): string[] {
  const missingSymbols = symbols.filter((symbol) => venuesOf(symbol).length < venuesMin);
  // Each is listed somewhere, and no venue has them all.
  return missingSymbols.length > 0
    ? [...missingSymbols]
    : symbols.map((symbol) => `${symbol} at one venue`);
}
