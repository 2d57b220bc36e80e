import { defineModule } from "#server/module/module.ts";
import type { Pin } from "#server/pin/pin.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { sendRoutes } from "#server/send/routes.ts";
import { createSend, type SendDeps } from "#server/send/send.ts";

export const sendModule = defineModule<SendDeps & { pin: Pick<Pin, "check"> }>()({
  name: "send",
  needs: ["ledger", "addresses", "addressBook", "pin"],
  create: (ctx, { pin, ...deps }) => {
    const service = createSend(ctx, deps);
    const rows = createPersonRows(ctx);
    const sendRows = { table: "coin_send", order: "journal_id" };
    return {
      service,
      routes: (app) => sendRoutes(app, service, pin),
      jobs: null,
      personalData: [
        {
          name: "wallet",
          exportFor: async (userId) => ({
            json: {
              recipients: await rows.all(userId, { table: "send_recipient", order: "address" }),
            },
          }),
          lists: {
            // The recipient's ids belong to the recipient.
            sent: rows.list({ ...sendRows, without: ["to_user_id", "to_attempt_id"] }),
            received: rows.list({
              ...sendRows,
              by: "to_user_id",
              without: ["user_id", "attempt_id"],
            }),
          },
          erase: (userId) => rows.remove(userId, ["send_recipient"]),
        },
      ],
      records: { prefix: "send", explain: service.explain },
    };
  },
});
