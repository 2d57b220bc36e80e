import { defineModule } from "#server/module/module.ts";
import type { PublishingDeps } from "#server/publishing/deps.ts";
import { countScheduled } from "#server/publishing/notices.ts";
import { publishingRoutes } from "#server/publishing/operatorRoutes.ts";
import { recordPracticeTerms } from "#server/publishing/practiceTerms.ts";
import { createPublishing } from "#server/publishing/publishing.ts";
import { newsRoutes } from "#server/publishing/routes.ts";
import { seedPublications } from "#server/publishing/seed.ts";
import { createListings } from "#server/publishing/seededProducts.ts";

/**
 * The current listings. A separate module because the domains that sell products need it before
 * publishing, which publishes through them, can be created.
 */
export const listingsModule = defineModule()({
  name: "listings",
  needs: [],
  create: (ctx) => ({ service: createListings(ctx), routes: null, jobs: null, personalData: null }),
});

export const publishingModule = defineModule<PublishingDeps>()({
  name: "publishing",
  needs: ["listings", "contracts", "hosting", "mining", "market"],
  create: (ctx, deps) => {
    const service = createPublishing(ctx, deps);
    const { news, publications } = service;
    return {
      service,
      routes: (app) => {
        newsRoutes(app, service);
        publishingRoutes(app, publications);
      },
      jobs: service.jobs,
      personalData: [{ name: "news", exportFor: news.exportFor, erase: news.erase }],
      keepsAwake: { "scheduled publications": () => countScheduled(ctx.database.db) },
      onOperatorEnded: publications.operatorEnded,
      prepare: async () => {
        await recordPracticeTerms(ctx);
        await seedPublications(ctx, deps);
      },
    };
  },
});
