import { randomBytes, randomUUID } from "node:crypto";
import { encodeAddress } from "#core/addresses/address.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { listNetworks } from "#core/wallet/networks.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createBody, createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import { createTestContext } from "#server/testing/testContext.ts";
import type { PayNowAction, WithdrawOwner, WithdrawParams } from "#server/withdraw/types.ts";
import { createWithdraw } from "#server/withdraw/withdraw.ts";

/** Withdrawals on a real ledger, with an index that the test dictates. */
export async function createTestWithdraw(options: Parameters<typeof createTestContext>[0] = {}) {
  const ctx = await createTestContext(options);
  const ledger = createLedger(ctx);
  let index: Partial<Record<MarketSymbol, bigint | null>> = {};
  const prices = { latest: () => ({ secondMs: 1_000, index }) };
  const withdraw = createWithdraw(ctx, { ledger, market: prices });
  ctx.jobs.add(withdraw.jobs);
  const balance = async (owner: WithdrawOwner, coin: Coin = "pUSDT") => {
    const { available, held } = (await ledger.balances(owner.attemptId)).find(
      (balance) => balance.coin === coin,
    )!;
    return { available, held };
  };
  return {
    ctx,
    ledger,
    prices,
    withdraw,
    balance,
    setIndex: (next: typeof index) => {
      index = next;
    },
    /** A new person with these minor units. */
    person: async (amounts: Partial<Record<Coin, bigint>>): Promise<WithdrawOwner> => {
      const owner = { userId: randomUUID(), attemptId: randomUUID() };
      await ctx.fieldEncryption.createKey(owner.userId);
      for (const [coin, amount] of Object.entries(amounts) as [Coin, bigint][]) {
        const wallet = await ledger.account(owner, "wallet", coin);
        const issuance = await ledger.account("house", "issuance", coin);
        if (amount > 0n) await ledger.post(createJournal(createMoveLegs(issuance, wallet, amount)));
      }
      return owner;
    },
    /** Records a person's attempt, as signing in and starting over do. */
    register: async ({ userId, attemptId }: WithdrawOwner, number: number) => {
      const { pool } = ctx.owner;
      await pool.query(
        "insert into user_account (user_id, created_at_ms) values ($1, 0) on conflict do nothing",
        [userId],
      );
      await pool.query(
        "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, $3, 0, 0)",
        [attemptId, userId, number],
      );
    },
    /** Closes one attempt in favour of another, at this moment. */
    close: async (oldOwner: WithdrawOwner, next: WithdrawOwner) => {
      await ctx.owner.pool.query(
        `insert into attempt_closing (attempt_id, closed_at_ms, closed_at_world_ms, balances, index, next_attempt_id)
         values ($1, $2, $3, '{}', '{}', $4)`,
        [oldOwner.attemptId, ctx.realClock.nowMs(), ctx.clock.nowMs(), next.attemptId],
      );
    },
    /** Places one under a fresh idempotency key, as the route does after the PIN. */
    place: (
      owner: WithdrawOwner,
      params: Partial<WithdrawParams> = {},
      id: string = randomUUID(),
    ) => {
      const coin = params.coin ?? "pUSDT";
      return withdraw.place(
        owner,
        { coin, amount: "all", address: createAddress(coin), ...params },
        id,
        createBody("withdraw"),
      );
    },
    cancel: (owner: WithdrawOwner, withdrawalId: string, id: string = randomUUID()) =>
      withdraw.cancel(owner.userId, withdrawalId, id, createBody("cancel")),
    /** As an operator's call does it; false if it was already over. */
    payNow: async (withdrawalId: string, act: PayNowAction): Promise<boolean> => {
      const notify = await ctx.database.db
        .transaction()
        .execute((tx) => withdraw.payNow(tx, withdrawalId, act));
      notify?.();
      return notify !== null;
    },
    /** The house's balance in a kind of account, in minor units. */
    house: async (kind: "outside" | "fees", coin: Coin = "pUSDT") => {
      const { rows } = await ctx.owner.pool.query<{ balance: bigint }>(
        "select balance from account_balance where house and kind = $1 and coin = $2",
        [kind, coin],
      );
      return BigInt(rows[0]?.balance ?? 0n);
    },
    trial: async () => {
      const { rows } = await ctx.owner.pool.query<{ total: bigint }>(
        "select total from trial_balance",
      );
      return rows.map(({ total }) => BigInt(total));
    },
    destroy: async () => {
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type TestWithdraw = Awaited<ReturnType<typeof createTestWithdraw>>;

/**
 * A well-formed practice address of a network that carries the coin, like those that the address
 * book makes.
 */
export function createAddress(coin: Coin): string {
  return encodeAddress(listNetworks(coin)[0]!, randomBytes(20));
}
