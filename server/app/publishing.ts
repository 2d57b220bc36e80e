import { seedCapital } from "#core/hosting/pool.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { firstPost } from "#seed/firstPost.ts";
import { offerMachines } from "#seed/machines.ts";
import { seedPools } from "#seed/pools.ts";
import { seedWorld } from "#seed/world.ts";
import type { Contracts } from "#server/contracts/contracts.ts";
import type { Hosting } from "#server/hosting/hosting.ts";
import type { Mining } from "#server/mining/mining.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { tiersBodyOf, tiersRules } from "#server/publishing/contractTiers.ts";
import { createLinks } from "#server/publishing/links.ts";
import { machineBodyOf, machineRules } from "#server/publishing/machine.ts";
import { createNews } from "#server/publishing/news.ts";
import { createNotices } from "#server/publishing/notices.ts";
import { type PoolSeller, poolBodyOf, poolRules } from "#server/publishing/pool.ts";
import type { Publications } from "#server/publishing/publications.ts";
import { checkLink, checkNews, checkNotice } from "#server/publishing/texts.ts";

interface Sellers {
  contracts: Contracts;
  hosting: Hosting;
  mining: Mining;
  venuesOf: (symbol: MarketSymbol) => readonly string[];
}

/** What is published, wired to those who sell it; and what a world says and sells by itself, as publications like any other. */
export function wirePublishing(parts: Parts, publications: Publications, sellers: Sellers) {
  const { contracts, mining } = sellers;
  publications.kind("news", { check: checkNews });
  publications.kind("notice", { check: (body) => checkNotice(body, parts.realClock.nowMs()) });
  publications.kind("help_link", { check: checkLink });
  publications.kind("support_link", { check: checkLink });
  publications.kind(
    "contract_tiers",
    tiersRules({ symbols: parts.world.symbols, publish: contracts.publish }),
  );
  publications.kind("pool", poolRules(poolSeller(sellers)));
  publications.kind("machine", machineRules(mining));
  const offer = () => offerMachinesBy(publications, mining);
  // Offers are judged by the world's own prices, which may come only after the start, and change.
  parts.jobs.every("mining.offers", 60, async () => void (await offer()));
  return {
    publications,
    news: createNews(parts, publications),
    notices: createNotices(parts, publications),
    links: createLinks(publications),
    /** Publishes what a world sells and says by itself. After the market and mining are prepared. */
    seed: async () => {
      const terms = await seedContracts(parts, publications, contracts);
      if (terms > 0) parts.log.info({ published: terms }, "terms were published");
      const offered = await offer();
      if (offered > 0) parts.log.info({ offered }, "machines were offered");
      const pools = await seedPoolsBy(publications, sellers);
      if (pools > 0) parts.log.info({ pools }, "terms of pools were published");
      await publications.adopt("news", firstPost(), "first-post");
    },
  };
}
export type Publishing = ReturnType<typeof wirePublishing>;

function poolSeller({ hosting, venuesOf }: Sellers): PoolSeller {
  const { pools } = hosting;
  return {
    venuesOf,
    configOf: async (poolId, tx) => (await pools.find(poolId, tx))?.config ?? null,
    publish: async (tx, plan) => {
      const known = await pools.find(plan.id, tx);
      await pools.publish({ ...plan, seed: known?.seed ?? seedCapital }, tx);
      await pools.suspend(plan.id, false, tx);
    },
    suspend: (tx, poolId) => pools.suspend(poolId, true, tx),
  };
}

async function seedContracts(
  parts: Parts,
  publications: Publications,
  contracts: Contracts,
): Promise<number> {
  return seedWorld({
    symbols: parts.world.symbols,
    contracts: {
      publish: async (symbol, tiers) => {
        const publish = (tx: Tx) => contracts.publish(symbol, tiers, tx);
        const result = await publications.unlessManaged("contract_tiers", symbol, publish);
        if (!result) return { ok: true, published: false };
        if (result.ok) await publications.adopt("contract_tiers", tiersBodyOf(symbol, tiers));
        return result;
      },
    },
  });
}

/** Offers machines, but for those that an operator decided about. Returns how many were published. */
async function offerMachinesBy(publications: Publications, mining: Mining): Promise<number> {
  const offered = await offerMachines({
    figures: mining.figures,
    catalogue: mining.catalogue,
    publish: async (machine) => {
      const publish = (tx: Tx) => mining.publish(machine, tx);
      const result = await publications.unlessManaged("machine", machine.productId, publish);
      return result ?? { ok: true, published: false };
    },
  });
  for (const machine of await mining.catalogue.all()) {
    await publications.adopt("machine", machineBodyOf(machine));
  }
  return offered;
}

async function seedPoolsBy(
  publications: Publications,
  { hosting, venuesOf }: Sellers,
): Promise<number> {
  const { pools } = hosting;
  return seedPools(
    {
      setNotOffered: pools.setNotOffered,
      publish: async (plan) => {
        const publish = (tx: Tx) => pools.publish(plan, tx);
        const result = await publications.unlessManaged("pool", plan.id, publish);
        if (result !== null) await publications.adopt("pool", poolBodyOf(plan));
        return result === true;
      },
    },
    venuesOf,
  );
}
