import { createAddresses } from "#server/addresses/addresses.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const addressesModule = defineModule()({
  name: "addresses",
  needs: [],
  create: (ctx) => {
    const service = createAddresses(ctx);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: null,
      jobs: null,
      personalData: [
        {
          name: "wallet",
          exportFor: async (userId) => ({
            json: {
              practice_addresses: await rows.all(userId, {
                table: "practice_address",
                order: "network",
              }),
            },
          }),
          erase: (userId) => rows.remove(userId, ["practice_address"]),
        },
      ],
      onUserCreated: ({ userId }) => service.register(userId),
    };
  },
});
