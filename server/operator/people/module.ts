import { defineModule } from "#server/module/module.ts";
import { classRoutes } from "#server/operator/people/classRoutes.ts";
import type { ClassDeps, PeopleDeps } from "#server/operator/people/deps.ts";
import { createPeople } from "#server/operator/people/people.ts";
import { peopleRoutes } from "#server/operator/people/routes.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";

export const peopleModule = defineModule<PeopleDeps & { hub: Pick<StreamHub, "toUser"> }>()({
  name: "people",
  needs: ["session", "publishing", "withdraw", "hub", "contributions"],
  create: (ctx, { hub, ...deps }) => {
    const service = createPeople(ctx, deps);
    const { viewings } = service;
    return {
      service,
      routes: (app) => peopleRoutes(app, service),
      jobs: viewings.jobs,
      personalData: [{ name: "viewings", exportFor: viewings.exportFor, erase: viewings.erase }],
      events: {
        "viewing.changed": ({ userId, untilMs }) =>
          hub.toUser(userId, { topic: "viewing", until_ms: untilMs }),
        "person.touched": ({ userId }) => hub.toUser(userId, { topic: "act" }),
      },
    };
  },
});

/**
 * Classes have no state of their own: links belong to invites, the switches to contracts and
 * session, notices to publishing.
 */
export const classesModule = defineModule<ClassDeps>()({
  name: "classes",
  needs: ["invites", "contracts", "session", "publishing"],
  create: (_ctx, deps) => ({
    service: null,
    routes: (app) => classRoutes(app, deps),
    jobs: null,
    personalData: null,
  }),
});
