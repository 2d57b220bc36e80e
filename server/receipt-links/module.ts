import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { createReceiptLinks, type ReceiptLinksDeps } from "#server/receipt-links/receiptLinks.ts";
import { receiptLinksRoutes } from "#server/receipt-links/routes.ts";

export const receiptLinksModule = defineModule<ReceiptLinksDeps>()({
  name: "receiptLinks",
  needs: ["contracts", "hosting", "mining"],
  create: (ctx, deps) => {
    const service = createReceiptLinks(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => receiptLinksRoutes(app, service),
      jobs: service.jobs,
      personalData: [
        {
          name: "receipt_links",
          lists: {
            links: rows.list({
              table: "receipt_link",
              order: ["created_at_ms", "link_id"],
              without: ["user_id", "secret_hash"],
            }),
          },
          erase: (userId) => rows.remove(userId, ["receipt_link"]),
        },
      ],
    };
  },
});
