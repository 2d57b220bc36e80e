import {
  createReceiptLink,
  getReceiptLinks,
  openReceiptLink,
  revokeReceiptLink,
} from "#api/receiptLinks.ts";
import { linksMax } from "#core/receipt-links/rules.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import type { ReceiptLinks } from "#server/receipt-links/receiptLinks.ts";

export function receiptLinksRoutes(app: App, links: ReceiptLinks): void {
  route(app, createReceiptLink, ({ secret, kind, order_id: orderId }, { session }) =>
    links.create(session.userId, { secret, kind, orderId }),
  );
  route(app, getReceiptLinks, async (_input, { session }) => ({
    items: await links.list(session.userId),
    maximum: linksMax,
  }));
  route(app, revokeReceiptLink, async ({ link_id: linkId }, { session }) => {
    await links.revoke(session.userId, linkId);
    return { link_id: linkId };
  });
  route(app, openReceiptLink, ({ secret }) => links.open(secret));
}
