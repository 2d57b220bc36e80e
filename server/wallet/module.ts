import type { AnswerOf } from "#api/call.ts";
import type { findAccountAndRate } from "#api/records.ts";
import { exportBalances } from "#server/ledger/personPostings.ts";
import { defineModule } from "#server/module/module.ts";
import { type PushDeps, pushBalances } from "#server/wallet/push.ts";
import { type AttemptReads, walletRoutes } from "#server/wallet/routes.ts";
import { createWallet, type WalletDeps } from "#server/wallet/wallet.ts";

interface WalletModuleDeps extends Required<WalletDeps>, Pick<PushDeps, "hub" | "session"> {
  attempts: AttemptReads;
  records: { lines(attemptId: string): Promise<AnswerOf<typeof findAccountAndRate>> };
}

export const walletModule = defineModule<WalletModuleDeps>()({
  name: "wallet",
  needs: ["ledger", "market", "recharge", "hub", "session", "attempts", "records"],
  create: (ctx, deps) => {
    const service = createWallet(ctx, deps);
    const stopPush = pushBalances(ctx, { ...deps, wallet: service });
    return {
      service,
      routes: (app) => walletRoutes(app, service, deps.attempts),
      jobs: null,
      personalData: [
        {
          name: "wallet",
          exportFor: async (userId) => ({
            json: { balances: await exportBalances(ctx.database.db, userId) },
          }),
          erase: null,
        },
      ],
      onUserCreated: service.openAttempt,
      personPages: {
        wallet: async ({ attemptId, attemptNumber }) => {
          const [list, lines] = await Promise.all([
            service.list(attemptId),
            deps.records.lines(attemptId),
          ]);
          return { attempt_number: attemptNumber, wallet: list, lines };
        },
      },
      stop: stopPush,
    };
  },
});
