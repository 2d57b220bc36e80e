import { sql } from "kysely";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { valuedBy } from "#core/wallet/valuation.ts";
import { decideWithdraw, withdrawCancelMs } from "#core/withdraw/withdraw.ts";
import { parseAmount } from "#server/addresses/amount.ts";
import { requireDestination } from "#server/addresses/destination.ts";
import { isPostedBefore } from "#server/ledger/transact.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Prices } from "#server/wallet/wallet.ts";
import { placeKind, type WithdrawOwner, type WithdrawParams } from "#server/withdraw/types.ts";

/**
 * Places a withdrawal: the amount is held under the journal `id`, which identifies the withdrawal,
 * or an ApiError is thrown and nothing has changed. It checks `decideWithdraw` and the form of
 * amount and address, and nothing else: see refusals.test.ts.
 */
export function createWithdrawalPlacement(ctx: AppContext, ledger: Ledger, prices: Prices) {
  return async (
    owner: WithdrawOwner,
    { coin, amount, address }: WithdrawParams,
    id: string,
    bodyHash: Uint8Array,
  ): Promise<void> => {
    const requestedAmount = amount === "all" ? "all" : parseAmount(coin, amount);
    const to = requireDestination(coin, address);
    const addressEncrypted = await ctx.fieldEncryption.encrypt(owner.userId, to.address);
    const [wallet, heldAccount] = await Promise.all([
      ledger.account(owner, "wallet", coin),
      ledger.account(owner, "held", coin),
    ]);
    await ledger.transact(async (tx) => {
      const available = await lockAvailable(tx, wallet, heldAccount);
      if (await isPostedBefore(tx, id, bodyHash)) return;
      const index = getIndex(coin, prices);
      const decision = decideWithdraw({ coin, requested: requestedAmount, available, index });
      if (!decision.ok) throw toApiError(coin, decision);
      const atMs = ctx.clock.nowMs();
      const legs = [
        { account: wallet, amount: -decision.amount },
        { account: heldAccount, amount: decision.amount },
      ];
      const journal = {
        id,
        kind: placeKind,
        bodyHash,
        legs,
        hold: { action: "place" as const },
        about: id,
      };
      const [result] = await ledger.postIn(tx, [journal], atMs);
      // The balance is locked and the id is free, unless another process has used it up at this
      // very moment; a retry finds out.
      if (result?.outcome !== "posted") throw new ApiError("server.unavailable");
      await sql`
        insert into withdrawal (id, user_id, attempt_id, coin, amount, fee, is_whole_balance, network, address_encrypted, price_index,
          placed_at_ms, placed_real_ms, cancel_until_ms)
        values (${id}, ${owner.userId}, ${owner.attemptId}, ${coin}, ${decision.amount}, ${decision.fee},
          ${decision.amount === available}, ${to.network}, ${addressEncrypted}, ${index},
          ${atMs}, ${ctx.realClock.nowMs()}, ${atMs + withdrawCancelMs})`.execute(tx);
    });
  };
}

/** The available balance, which nothing else can change until the transaction ends. */
async function lockAvailable(tx: Tx, wallet: bigint, heldAccount: bigint): Promise<bigint> {
  const { rows } = await sql<{ id: bigint; balance: bigint }>`
    select id, balance from lock_accounts(${[wallet, heldAccount].map(String)}::bigint[])`.execute(
    tx,
  );
  return rows.find(({ id }) => id === wallet)?.balance ?? 0n;
}

function getIndex(coin: Coin, prices: Prices): bigint | null {
  const symbol = valuedBy[coin];
  return symbol === null ? null : (prices.latest()?.index[symbol] ?? null);
}

type WithdrawError = Extract<ReturnType<typeof decideWithdraw>, { ok: false }>;

function toApiError(coin: Coin, decision: WithdrawError): ApiError {
  if (decision.error === "nothing") return new ApiError("withdraw.nothing");
  if (decision.error === "overdraft") return new ApiError("ledger.overdraft");
  const minimum = formatDecimal(decision.minimum, coinScale(coin));
  return new ApiError("withdraw.below_minimum", { minimum, coin });
}
