import type { StreamMessage } from "#api/stream.ts";
import { defineModule } from "#server/module/module.ts";
import { createClassClock } from "#server/operator/classes/classClock.ts";
import type { ClassDeps, ClassRoomDeps } from "#server/operator/classes/deps.ts";
import { classRoomRoutes } from "#server/operator/classes/roomRoutes.ts";
import { classRoutes } from "#server/operator/classes/routes.ts";
import { toPauseView } from "#server/platform/clock/pauses.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";

interface ClassConsoleDeps extends ClassDeps {
  classes: ClassRoomDeps;
}

/**
 * The console's side of a class has no state: links belong to invites, codes and tasks to classes,
 * the switches to contracts and session, notices to publishing, pauses to the world's clock.
 */
export const classConsoleModule = defineModule<
  ClassConsoleDeps & { hub: Pick<StreamHub, "broadcast"> }
>()({
  name: "classConsole",
  needs: ["invites", "contracts", "session", "publishing", "classes", "hub"],
  create: (ctx, { hub, classes, ...deps }) => {
    const sendClock = () => {
      const message: StreamMessage = { topic: "clock", pause: toPauseView(ctx.clock) };
      hub.broadcast(JSON.stringify(message));
    };
    return {
      service: null,
      routes: (app) => {
        classRoutes(app, deps, createClassClock(ctx));
        classRoomRoutes(app, ctx.world.name, classes);
      },
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
