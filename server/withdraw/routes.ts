import * as api from "#api/withdraw.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { listNetworks } from "#core/wallet/networks.ts";
import { withdrawCancelMs, withdrawFees } from "#core/withdraw/withdraw.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import type { Pin } from "#server/pin/pin.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import type { Withdraw } from "#server/withdraw/withdraw.ts";

/**
 * Mounts the calls of withdrawals. Signing in comes first, the PIN (if set) second; nothing else is
 * checked, and no other domain is consulted.
 */
export function withdrawRoutes(app: App, withdraw: Withdraw, pin: Pin): void {
  idempotentRoute(app, withdraw.ledger, api.withdraw, {
    excludeFromHash: ["pin"],
    find: (id, { session }) => withdraw.findPlaced(session.userId, id),
    run: async ({ pin: enteredPin, ...params }, id, bodyHash, context) => {
      await pin.check(context.session, enteredPin);
      const placement = await withdraw.place(context.session, params, id, bodyHash);
      context.message("withdraw.msg.placed");
      return placement;
    },
  });

  idempotentRoute(app, withdraw.ledger, api.cancelWithdraw, {
    find: async (id, { session }) => withdraw.findCancelled(session.userId, id),
    run: async ({ withdrawal_id: withdrawalId }, id, bodyHash, context) => {
      const { userId } = context.session;
      const cancellation = await withdraw.cancel(userId, withdrawalId, id, bodyHash);
      context.message("withdraw.msg.cancelled");
      return cancellation;
    },
  });

  route(app, api.findWithdraw, ({ withdrawal_id: id }, { session }) =>
    withdraw.find(session.userId, id),
  );

  route(app, api.getWithdrawList, ({ attempt_id: attemptId, ...query }, { session }) =>
    withdraw.list(session.userId, { ...query, attemptId }),
  );

  route(app, api.getWithdrawTerms, async ({ coin, attempt_id: attemptId }, { session }) => {
    const [balances, { set }] = await Promise.all([
      withdraw.balances(session, attemptId),
      pin.state(session),
    ]);
    const coinBalance = balances.find((balance) => balance.coin === coin);
    const { minimum, pricedAtMs } = withdraw.minimum(coin);
    const money = (amount: bigint) => formatDecimal(amount, coinScale(coin));
    return {
      coin,
      attempt_id: attemptId ?? session.attemptId,
      available: money(coinBalance?.available ?? 0n),
      held: money(coinBalance?.held ?? 0n),
      fee: money(withdrawFees[coin]),
      minimum: minimum === null ? null : money(minimum),
      priced_at_ms: pricedAtMs,
      pin_set: set,
      cancel_ms: withdrawCancelMs,
      networks: [...listNetworks(coin)],
    };
  });
}
