import { defineModule } from "#server/module/module.ts";
import type { Pin } from "#server/pin/pin.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { countWaiting, withdrawMetrics } from "#server/withdraw/metrics.ts";
import { withdrawRoutes } from "#server/withdraw/routes.ts";
import { createWithdraw, type WithdrawDeps } from "#server/withdraw/withdraw.ts";

export const withdrawModule = defineModule<WithdrawDeps & { pin: Pin }>()({
  name: "withdraw",
  needs: ["ledger", "market", "pin"],
  create: (ctx, { pin, ...deps }) => {
    const service = createWithdraw(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => withdrawRoutes(app, service, pin),
      jobs: service.jobs,
      metrics: withdrawMetrics(ctx),
      keepsAwake: { "waiting withdrawals": () => countWaiting(ctx.database.db) },
      personalData: [
        {
          name: "wallet",
          lists: {
            withdrawals: rows.list({
              table: "withdrawal",
              order: "number",
              opened: {
                address_encrypted: "address",
                early_payment_reason_encrypted: "act_reason",
              },
            }),
          },
          erase: null,
        },
      ],
      classTasks: { withdraw: service.withdrewEverything },
      records: { prefix: "withdraw", explain: service.explain },
      personPages: {
        withdrawals: async ({ userId, attemptId }, { page, page_size, before }) => {
          const cursor = before === undefined ? {} : { before };
          const withdrawals = await service.list(userId, { page, page_size, attemptId, ...cursor });
          // The address and the operator's text are omitted here.
          const items = withdrawals.items.map(
            ({
              address: _address,
              act: _act,
              attempt_id: _attempt,
              ended_journal_id: _id,
              ...rest
            }) => rest,
          );
          return { ...withdrawals, items };
        },
      },
    };
  },
});
