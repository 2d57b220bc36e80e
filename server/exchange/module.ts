import { countFirmQuotes, readExchangeCosts } from "#server/exchange/costs.ts";
import { createExchange, type ExchangeDeps } from "#server/exchange/exchange.ts";
import { exchangeRoutes } from "#server/exchange/routes.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const exchangeModule = defineModule<ExchangeDeps>()({
  name: "exchange",
  needs: ["ledger", "market"],
  create: (ctx, deps) => {
    const service = createExchange(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => exchangeRoutes(app, service),
      jobs: service.jobs,
      ...(service.afterAppend ? { onSecond: { afterAppend: service.afterAppend } } : {}),
      personalData: [
        {
          name: "wallet",
          exportFor: async (userId) => ({
            json: {
              quotes: await rows.all(userId, { table: "exchange_quote", order: "quote_id" }),
            },
          }),
          lists: { exchanges: rows.list({ table: "exchange", order: "journal_id" }) },
          erase: (userId) => rows.remove(userId, ["exchange_quote"]),
        },
      ],
      keepsAwake: {
        "firm quotes": () => countFirmQuotes(ctx.database.db, ctx.realClock.nowMs()),
      },
      records: {
        prefix: "exchange",
        explain: service.explain,
        costs: (attemptId) => readExchangeCosts(ctx.database.db, attemptId),
      },
    };
  },
});
