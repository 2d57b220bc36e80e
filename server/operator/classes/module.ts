import type { StreamMessage } from "#api/stream.ts";
import { defineModule } from "#server/module/module.ts";
import { createClassClock } from "#server/operator/classes/classClock.ts";
import type { ClassDeps } from "#server/operator/classes/deps.ts";
import { classRoutes } from "#server/operator/classes/routes.ts";
import { pauseView } from "#server/platform/clock/pauses.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";

/**
 * Classes have no state of their own: links belong to invites, the switches to contracts and
 * session, notices to publishing, pauses to the world's clock.
 */
export const classesModule = defineModule<ClassDeps & { hub: Pick<StreamHub, "broadcast"> }>()({
  name: "classes",
  needs: ["invites", "contracts", "session", "publishing", "hub"],
  create: (ctx, { hub, ...deps }) => {
    const sendClock = () => {
      const message: StreamMessage = { topic: "clock", pause: pauseView(ctx.clock) };
      hub.broadcast(JSON.stringify(message));
    };
    return {
      service: null,
      routes: (app) => classRoutes(app, deps, createClassClock(ctx)),
      jobs: null,
      personalData: null,
      events: {
        "clock.paused": ({ resumedRealMs }) => {
          sendClock();
          if (resumedRealMs === null) return;
          const endsInMs = Math.max(0, resumedRealMs - ctx.realClock.nowMs());
          setTimeout(sendClock, endsInMs + 50).unref();
        },
      },
    };
  },
});
