import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { createRecords } from "#server/records/records.ts";
import { recordsRoutes } from "#server/records/routes.ts";
import type { RecordsDeps } from "#server/records/types.ts";

export const recordsModule = defineModule<RecordsDeps>()({
  name: "records",
  needs: ["transparencyLog", "market", "contributions"],
  create: (ctx, deps) => {
    const service = createRecords(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => recordsRoutes(app, service),
      jobs: null,
      personalData: [
        {
          name: "console",
          lists: {
            acts: rows.list({
              table: "person_audit_event",
              order: "seq",
              opened: { why_encrypted: "why", opening_encrypted: "opening" },
            }),
          },
          // The fact that something was done stays; the reason is encrypted under the key that is
          // destroyed.
          erase: null,
        },
        {
          name: "inbox",
          lists: { read: rows.list({ table: "inbox_read", order: "user_id" }) },
          erase: (userId) => rows.remove(userId, ["inbox_read"]),
        },
      ],
      personPages: {
        records: async (who, { page, page_size, before }) => {
          const cursor = before === undefined ? {} : { before };
          const found = await service.page(who, { page, page_size, ...cursor });
          const items = found.items.map((one) => ({
            journal_id: one.journal_id,
            type: one.type,
            group: one.group,
            coin: one.coin,
            amount: one.amount,
            balance_after: one.balance_after,
            account:
              (one.legs.find(({ account }) => account === "wallet") ?? one.legs[0])?.account ??
              null,
            act: one.act && { role: one.act.role, what: one.act.what },
            at_ms: one.at_ms,
          }));
          return { ...found, items };
        },
      },
    };
  },
});
