import { seedCapital } from "#core/hosting/pool.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";
import { createTierRules } from "#server/publishing/contractTiers.ts";
import type { PublishingDeps } from "#server/publishing/deps.ts";
import { createLinks } from "#server/publishing/links.ts";
import { createMachineRules } from "#server/publishing/machine.ts";
import { createNews } from "#server/publishing/news.ts";
import { createNotices } from "#server/publishing/notices.ts";
import { createPoolRules, type PoolRulesDeps } from "#server/publishing/pool.ts";
import { createPublications } from "#server/publishing/publications.ts";
import { createMachineSeeder } from "#server/publishing/seed.ts";
import { checkLink, checkNews, checkNotice } from "#server/publishing/texts.ts";

/**
 * Publications, the sellers they are published through, and the readers' view.
 */
export function createPublishing(ctx: AppContext, deps: PublishingDeps) {
  const { listings, contracts, mining } = deps;
  const publications = createPublications(ctx, {
    listings,
    kinds: {
      news: { check: checkNews },
      notice: { check: (body) => checkNotice(body, ctx.realClock.nowMs()) },
      help_link: { check: checkLink },
      support_link: { check: checkLink },
      contract_tiers: createTierRules({ symbols: ctx.world.symbols, publish: contracts.publish }),
      pool: createPoolRules(poolOffers(deps)),
      machine: createMachineRules(mining),
    },
  });
  return {
    jobs: [
      ...publications.jobs,
      // Offers depend on the world's own prices, which may arrive only after startup, and change.
      { name: "publishing.machines", everySeconds: 60, run: () => createMachineSeeder(deps) },
    ] satisfies readonly Job[],
    publications,
    news: createNews(ctx, publications),
    notices: createNotices(ctx, publications),
    links: createLinks(publications),
  };
}

function poolOffers({ hosting: { pools }, market }: PublishingDeps): PoolRulesDeps {
  return {
    venuesOf: market.venuesOf,
    configOf: async (poolId, tx) => (await pools.find(poolId, tx))?.config ?? null,
    publish: async (tx, plan) => {
      const currentPool = await pools.find(plan.id, tx);
      await pools.publish({ ...plan, seed: currentPool?.seed ?? seedCapital }, tx);
      await pools.suspend(plan.id, false, tx);
    },
    suspend: (tx, poolId) => pools.suspend(poolId, true, tx),
  };
}
