import * as api from "#api/exchange.ts";
import type { Exchanges } from "#server/exchange/exchange.ts";
import { toExchangeView } from "#server/exchange/views.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts the exchange calls. */
export function exchangeRoutes(app: App, exchange: Exchanges): void {
  route(app, api.quoteExchange, (params, { session }) => exchange.quote(session, params));
  route(app, api.getExchangeAtVenues, ({ journal_id: id }, { session }) =>
    exchange.atVenues(session.userId, id),
  );
  route(app, api.getExchangeCosts, async ({ journal_id: id }, { session }) => ({
    parts: await exchange.costs(session.userId, id),
  }));
  idempotentRoute(app, exchange.ledger, api.exchangeCoin, {
    find: (id, { session }) => exchange.find(session.userId, id),
    run: async ({ quote_id: quoteId }, id, bodyHash, { session }) =>
      toExchangeView(await exchange.execute(session, quoteId, id, bodyHash)),
  });
}
