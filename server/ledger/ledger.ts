import { createAccounts } from "#server/ledger/accounts.ts";
import { createKeys } from "#server/ledger/keys.ts";
import { createQuotaIds } from "#server/ledger/quotas.ts";
import { createTransactions } from "#server/ledger/transact.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createWriter, type WriterLimits, writerLimits } from "#server/ledger/writer.ts";
import type { AppContext } from "#server/platform/context.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** Postings changed balances of these users. */
    "balance.changed": { userIds: string[] };
  }
}

/**
 * The ledger of a world: posting by group commit or in a caller's transaction, accounts and
 * balances. Publishes `balance.changed` after each batch and each `transact` for the users whose
 * accounts it changed.
 */
export function createLedger(
  {
    database,
    clock,
    bus,
    logger,
    realClock,
    world,
  }: Pick<AppContext, "database" | "clock" | "bus" | "logger" | "realClock" | "world">,
  limits: WriterLimits = writerLimits,
): Ledger {
  const accounts = createAccounts(database);
  const notifyPosted = (users: Iterable<string>) => {
    const userIds = [...new Set(users)];
    if (userIds.length > 0) bus.publish("balance.changed", { userIds });
  };
  const notify = async (accountIds: Set<bigint>) => {
    try {
      notifyPosted(await accounts.usersOf(accountIds));
    } catch (error) {
      logger.error({ err: error }, "publishing balance changes failed");
    }
  };
  const writer = createWriter(
    {
      database,
      clock,
      onAccountsChanged: (accountIds) => void notify(accountIds),
      onUnavailable: (error) => logger.error({ err: error }, "a batch of postings was abandoned"),
    },
    limits,
  );
  const keys = createKeys(database);
  return {
    post: async (journal, row) => {
      const result = await writer.post(journal, row);
      keys.notePosted(result);
      return result;
    },
    ...createTransactions({ database, onPosted: notify }),
    notifyPosted,
    onPosted: writer.onPosted,
    account: accounts.account,
    balances: accounts.balances,
    keys,
    quotaId: createQuotaIds({ database, realClock }),
    world: world.name,
    stop: writer.stop,
  };
}
