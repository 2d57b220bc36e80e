import type { AppContext } from "#server/platform/context.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import type { Wallet } from "#server/wallet/wallet.ts";

export interface PushDeps {
  hub: Pick<StreamHub, "hasUser" | "toUser">;
  wallet: Pick<Wallet, "list">;
  session: {
    /** The person, with their current attempt. */
    user(userId: string): Promise<{ attemptId: string }>;
  };
}

/**
 * Sends `balances` to the sockets of users whose postings changed them. All changes that arrive
 * during a user's read cause a single further read. Returns a function that stops it.
 */
export function pushBalances(
  { bus, logger }: Pick<AppContext, "bus" | "logger">,
  { hub, wallet, session }: PushDeps,
): () => void {
  const pushing = new Map<string, { again: boolean }>();
  const push = async (userId: string) => {
    const { attemptId } = await session.user(userId);
    const { items } = await wallet.list(attemptId);
    hub.toUser(userId, { topic: "balances", items });
  };
  const pushUntilStill = async (userId: string) => {
    const state = { again: true };
    pushing.set(userId, state);
    try {
      while (state.again) {
        state.again = false;
        await push(userId);
      }
    } catch (error) {
      logger.error({ err: error }, "balances not pushed");
    } finally {
      pushing.delete(userId);
    }
  };
  return bus.subscribe("balance.changed", ({ userIds }) => {
    for (const userId of userIds) {
      if (!hub.hasUser(userId)) continue;
      const state = pushing.get(userId);
      if (state) state.again = true;
      else void pushUntilStill(userId);
    }
  });
}
