import type { Tier } from "#core/contracts/terms.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { MachineSeedDeps as MachineOffers } from "#seed/machines.ts";
import type { PoolSeedDeps } from "#seed/pools.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { ContractRulesDeps } from "#server/publishing/contractTiers.ts";
import type { MachineRulesDeps } from "#server/publishing/machine.ts";
import type { Listings } from "#server/publishing/seededProducts.ts";

/**
 * The domains whose products are published: the requirements of publishing, and the defaults of a
 * new world.
 */
export interface PublishingDeps {
  listings: Listings;
  contracts: Pick<ContractRulesDeps, "publish"> & {
    isOffered(symbol: MarketSymbol, tiers: readonly Tier[]): Promise<boolean>;
  };
  hosting: {
    pools: Pick<PoolSeedDeps, "setNotListed"> & {
      publish(plan: Parameters<PoolSeedDeps["publish"]>[0], tx: Tx): Promise<boolean>;
      isOffered(plan: Parameters<PoolSeedDeps["publish"]>[0]): Promise<boolean>;
      find(poolId: string, tx?: Tx): Promise<{ config: PoolConfig; seed: bigint } | null>;
      suspend(poolId: string, suspended: boolean, tx?: Tx): Promise<void>;
    };
  };
  mining: Pick<MachineOffers, "catalogue"> & MachineRulesDeps;
  market: { venuesOf: (symbol: MarketSymbol) => readonly string[] };
}
