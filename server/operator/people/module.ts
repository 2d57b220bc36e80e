import type { StreamMessage } from "#api/stream.ts";
import { defineModule } from "#server/module/module.ts";
import { createClassClock } from "#server/operator/people/classClock.ts";
import { classRoutes } from "#server/operator/people/classRoutes.ts";
import type { ClassDeps, PeopleDeps } from "#server/operator/people/deps.ts";
import { createPeople } from "#server/operator/people/people.ts";
import { peopleRoutes } from "#server/operator/people/routes.ts";
import { pauseView } from "#server/platform/clock/pauses.ts";
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
 * session, notices to publishing, pauses to the world's clock.
 */
export const classesModule = defineModule<ClassDeps & { hub: Pick<StreamHub, "broadcast"> }>()({
  name: "classes",
  needs: ["invites", "contracts", "session", "publishing", "hub"],
  create: (ctx, { hub, ...deps }) => ({
    service: null,
    routes: (app) => classRoutes(app, deps, createClassClock(ctx)),
    jobs: null,
    personalData: null,
    events: {
      "clock.paused": () => {
        const message: StreamMessage = { topic: "clock", pause: pauseView(ctx.clock) };
        hub.broadcast(JSON.stringify(message));
      },
    },
  }),
});
