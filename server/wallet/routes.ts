import { getWalletDetails, getWalletHistory, getWalletList } from "#api/wallet.ts";
import type { HistoryRange } from "#core/wallet/balanceHistory.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import type { Wallet } from "#server/wallet/wallet.ts";

/**
 * Resolves an attempt of the signed-in person, or throws if it does not exist; implemented by
 * `server/attempts`.
 */
export interface AttemptReads {
  own(owner: { userId: string; attemptId: string }): Promise<{
    openedAtMs: number;
    closing: { closedAtMs: number } | null;
  }>;
}

export function walletRoutes(app: App, wallet: Wallet, attempts: AttemptReads): void {
  route(app, getWalletList, ({ display_currency: display }, { session }) =>
    wallet.list(session.attemptId, display),
  );
  route(app, getWalletDetails, ({ coin, display_currency: display }, { session }) =>
    wallet.details(session, coin, display),
  );
  route(app, getWalletHistory, async (input, { session }) => {
    const attemptId = input.attempt_id ?? session.attemptId;
    const { openedAtMs, closing } = await attempts.own({ userId: session.userId, attemptId });
    return wallet.history({
      attemptId,
      startMs: openedAtMs,
      closedMs: closing?.closedAtMs ?? null,
      range: input.range as HistoryRange,
      display: input.display_currency,
    });
  });
}
