import { getWalletList } from "#api/wallet.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import type { Wallet } from "#server/wallet/wallet.ts";

export function walletRoutes(app: App, wallet: Wallet): void {
  route(app, getWalletList, (_input, { session }) => wallet.list(session.attemptId));
}
