import { defineModule } from "#server/module/module.ts";
import type { PeopleDeps } from "#server/operator/people/deps.ts";
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
