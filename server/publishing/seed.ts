import { firstPost } from "#seed/firstPost.ts";
import { seedMachines } from "#seed/machines.ts";
import { seedPools } from "#seed/pools.ts";
import { seedWorld } from "#seed/world.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { toTiersBody } from "#server/publishing/contractTiers.ts";
import type { PublishingDeps } from "#server/publishing/deps.ts";
import { toMachineBody } from "#server/publishing/machine.ts";
import { toPoolBody } from "#server/publishing/pool.ts";

/**
 * Publishes a world's default products and texts as ordinary publications. Call after the market
 * and mining are prepared. Existing ones are only read: someone waits for a world that wakes, and
 * taking the log's lock in a transaction for each product took a third of a second.
 */
export async function seedPublications(ctx: AppContext, deps: PublishingDeps): Promise<void> {
  const terms = await seedContracts(ctx, deps);
  if (terms > 0) ctx.logger.info({ published: terms }, "published terms");
  const offeredCount = await createMachineSeeder(deps);
  if (offeredCount > 0) ctx.logger.info({ offered: offeredCount }, "offered machines");
  const pools = await seedPoolsBy(deps);
  if (pools > 0) ctx.logger.info({ pools }, "published terms of pools");
  await deps.listings.recordSeeded("news", firstPost(), "first-post");
}

async function seedContracts(
  ctx: Pick<AppContext, "world">,
  { listings, contracts }: PublishingDeps,
): Promise<number> {
  return seedWorld({
    symbols: ctx.world.symbols,
    contracts: {
      publish: async (symbol, tiers) => {
        const publish = (tx: Tx) => contracts.publish(symbol, tiers, tx);
        const unchanged = { ok: true, published: false } as const;
        const result = (await contracts.isOffered(symbol, tiers))
          ? unchanged
          : await listings.ifNotOverridden("contract_tiers", symbol, publish);
        if (!result) return unchanged;
        if (result.ok) await listings.recordSeeded("contract_tiers", toTiersBody(symbol, tiers));
        return result;
      },
    },
  });
}

/**
 * Offers machines, except those that an operator decided about. Returns how many were published.
 */
export async function createMachineSeeder({ listings, mining }: PublishingDeps): Promise<number> {
  const offeredCount = await seedMachines({
    figures: mining.figures,
    catalogue: mining.catalogue,
    publish: async (machine) => {
      const publish = (tx: Tx) => mining.publish(machine, tx);
      const result = await listings.ifNotOverridden("machine", machine.productId, publish);
      return result ?? { ok: true, published: false };
    },
  });
  for (const machine of await mining.catalogue.all()) {
    await listings.recordSeeded("machine", toMachineBody(machine));
  }
  return offeredCount;
}

async function seedPoolsBy({ listings, hosting, market }: PublishingDeps): Promise<number> {
  const { pools } = hosting;
  return seedPools(
    {
      setNotListed: pools.setNotListed,
      publish: async (plan) => {
        const publish = (tx: Tx) => pools.publish(plan, tx);
        const result = (await pools.isOffered(plan))
          ? false
          : await listings.ifNotOverridden("pool", plan.id, publish);
        if (result !== null) await listings.recordSeeded("pool", toPoolBody(plan));
        return result === true;
      },
    },
    market.venuesOf,
  );
}
