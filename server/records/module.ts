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
        records: async (owner, { page, page_size, before }) => {
          const cursor = before === undefined ? {} : { before };
          const answer = await service.page(owner, { page, page_size, ...cursor });
          const items = answer.items.map((item) => ({
            journal_id: item.journal_id,
            type: item.type,
            group: item.group,
            coin: item.coin,
            amount: item.amount,
            balance_after: item.balance_after,
            account:
              (item.legs.find(({ account }) => account === "wallet") ?? item.legs[0])?.account ??
              null,
            act: item.act && { role: item.act.role, what: item.act.what },
            at_ms: item.at_ms,
          }));
          return { ...answer, items };
        },
      },
    };
  },
});
