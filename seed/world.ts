import { defaultTiers, type Tier } from "#core/contracts/terms.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** The part of the server that a seed needs; `createContracts(…)` gives `publish`. */
export interface SeedDeps {
  /** The symbols with a market in this world. */
  symbols: readonly MarketSymbol[];
  contracts: {
    publish: (
      symbol: MarketSymbol,
      tiers: readonly Tier[],
    ) => Promise<
      { ok: true; published: boolean } | { ok: false; refusal: { error: string; seconds?: number } }
    >;
  };
}

/**
 * Fills a world: terms for a contract on every symbol of the market. Run at each start, after the
 * market is prepared (its `world` leaf must be the log's first); existing terms stay, and changed
 * tiers become a new version. Returns how many terms were published. Throws when terms are refused.
 */
export async function seedWorld({ symbols, contracts }: SeedDeps): Promise<number> {
  let published = 0;
  for (const symbol of symbols) {
    const result = await contracts.publish(symbol, defaultTiers);
    if (!result.ok) throw new Error(`terms of ${symbol} are refused: ${result.refusal.error}`);
    if (result.published) published += 1;
  }
  return published;
}
