import { readFirstDayLeaves } from "#server/market/dayStore.ts";
import type { Market } from "#server/market/market.ts";
import type { HistoryInputs, MarketSource } from "#server/market/source.ts";
import type { AppContext } from "#server/platform/context.ts";

/** The market before the world's first second, as other domains may use it. */
export interface MarketHistory {
  /** The history that pools can be tested on; null where there was no market. */
  historyInputs(): Promise<HistoryInputs | null>;
  /** The leaves that begin and reveal a simulated world's first day; null in other markets. */
  firstDayLeaves(): Promise<{ begin: number; reveal: number | null } | null>;
}

export function createMarketHistory(
  { database: { db } }: Pick<AppContext, "database">,
  source: MarketSource,
  market: Pick<Market, "firstSecondMs">,
): MarketHistory {
  return {
    historyInputs: async () => {
      const firstMs = await market.firstSecondMs();
      if (firstMs === null) return null;
      return (await source.historyInputs?.(db, firstMs)) ?? null;
    },
    firstDayLeaves: () => readFirstDayLeaves(db),
  };
}
