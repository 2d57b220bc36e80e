import { defineModule } from "#server/module/module.ts";
import { createPin, type PinDeps } from "#server/pin/pin.ts";
import { pinRoutes } from "#server/pin/routes.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const pinModule = defineModule<PinDeps>()({
  name: "pin",
  needs: ["session"],
  create: (ctx, deps) => {
    const service = createPin(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => pinRoutes(app, service),
      jobs: null,
      personalData: [
        {
          name: "pin",
          // Exports that there is a PIN and since when; its hash would tell its reader nothing.
          exportFor: async (userId) => ({
            json: await rows.all(userId, {
              table: "user_pin",
              order: "user_id",
              without: ["user_id", "scheme", "salt", "hash"],
            }),
          }),
          erase: (userId) => rows.remove(userId, ["user_pin"]),
        },
      ],
    };
  },
});
