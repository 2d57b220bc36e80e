import { sql } from "kysely";
import { type Account, createAccount } from "#server/account/account.ts";
import { createHoldings, type Holding, type Holdings } from "#server/account/personalData.ts";
import type { AddressBook } from "#server/address-book/addressBook.ts";
import { countRunning } from "#server/app/attempts.ts";
import { registerHoldings } from "#server/app/personalData.ts";
import type { History } from "#server/backtest/backtests.ts";
import type { Pin } from "#server/pin/pin.ts";
import type { Parts } from "#server/platform/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import type { Recharges } from "#server/recharge/recharge.ts";
import type { SessionService } from "#server/session/session.ts";
import type { Withdraw } from "#server/withdraw/withdraw.ts";

interface Needs {
  session: SessionService;
  pin: Pin;
  withdraw: Withdraw;
  addressBook: AddressBook;
  recharges: Recharges;
  history: History;
  /** Domains that say themselves what they hold of a person, by name. */
  own: Readonly<Record<string, Holding>>;
}

/** A person's whole account over every domain that holds something of them. */
export function wireAccount(parts: Parts, needs: Needs): { account: Account; holdings: Holdings } {
  const { db } = parts.database;
  const { session, pin, withdraw, recharges } = needs;
  const holdings = createHoldings();
  registerHoldings(holdings, parts, needs);
  for (const [name, holding] of Object.entries(needs.own)) holdings.register(name, holding);
  const account = createAccount(parts, {
    holdings,
    messages: createMessages(),
    pin,
    endSessions: (userId) => session.endSessions(userId),
    cancelWithdrawal: (id) => withdraw.cancelIfWaiting(id),
    cancelRecharges: (attemptId) => recharges.cancelWaiting(attemptId),
    running: (attemptIds) => countRunning(db, attemptIds),
    // The account is new: nobody has set, read or remembered limits of it.
    exclude: async (userId, exclusion) => {
      await sql`
        insert into contract_limits (user_id, excluded_until_ms, excluded_for_good)
        values (${userId}, ${exclusion.until_ms}, ${exclusion.for_good}) on conflict do nothing`.execute(
        db,
      );
    },
  });
  return { account, holdings };
}
