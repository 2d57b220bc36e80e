import { randomUUID } from "node:crypto";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Coin } from "#core/money/coins.ts";
import { createAddresses } from "#server/addresses/addresses.ts";
import { createExchange } from "#server/exchange/exchange.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import { createBody, createJournal, createMoveLegs } from "#server/ledger/testing.ts";
import { createSend } from "#server/send/send.ts";
import { createTestContext } from "./testContext.ts";

export interface TestPerson {
  userId: string;
  attemptId: string;
}

/** Exchange and send on a real ledger, with an index that the test dictates. */
export async function createTestTransfers(options: Parameters<typeof createTestContext>[0] = {}) {
  const ctx = await createTestContext(options);
  const ledger = createLedger(ctx);
  const index: Partial<Record<MarketSymbol, bigint | null>> = {
    "BTC/USDT": 2_812_345n,
    "ETH/USDT": 180_012n,
    "USDC/USDT": 99_987n,
  };
  let secondMs = ctx.clock.nowMs();
  const addresses = createAddresses(ctx);
  const namedAddresses: { address: string }[] = [];
  const exchange = createExchange(ctx, {
    ledger,
    market: { latest: () => ({ secondMs, leaf: 7, index }), venues: options.venues ?? [] },
  });
  ctx.jobs.add(exchange.jobs);
  const send = createSend(ctx, {
    ledger,
    addresses,
    addressBook: { list: async () => namedAddresses },
  });
  const openAttempt = async (userId: string, number: number) => {
    const attemptId = randomUUID();
    await ctx.owner.pool.query(
      "insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms) values ($1, $2, $3, 0, 0)",
      [attemptId, userId, number],
    );
    return attemptId;
  };
  const balance = async ({ attemptId }: TestPerson, coin: Coin = "pUSDT") =>
    (await ledger.balances(attemptId)).find((balance) => balance.coin === coin)!.available;
  return {
    ctx,
    ledger,
    addresses,
    exchange,
    send,
    index,
    named: namedAddresses,
    balance,
    openAttempt,
    setSecond: (ms: number) => {
      secondMs = ms;
    },
    /** A new person with these minor units, whose addresses are known. */
    person: async (amounts: Partial<Record<Coin, bigint>> = {}): Promise<TestPerson> => {
      const userId = randomUUID();
      await ctx.owner.pool.query(
        "insert into user_account (user_id, created_at_ms) values ($1, 0)",
        [userId],
      );
      await ctx.fieldEncryption.createKey(userId);
      const owner = { userId, attemptId: await openAttempt(userId, 1) };
      await addresses.register(userId);
      for (const [coin, amount] of Object.entries(amounts) as [Coin, bigint][]) {
        const wallet = await ledger.account(owner, "wallet", coin);
        const issuance = await ledger.account("house", "issuance", coin);
        await ledger.post(createJournal(createMoveLegs(issuance, wallet, amount)));
      }
      return owner;
    },
    /** Executes a quote under a fresh idempotency key. */
    execute: (owner: TestPerson, quoteId: string, id: string = randomUUID()) =>
      exchange.execute(owner, quoteId, id, createBody(quoteId)),
    /** Sends under a fresh idempotency key. */
    pay: (owner: TestPerson, params: Parameters<typeof send.move>[1], id: string = randomUUID()) =>
      send.move(owner, params, id, createBody("send")),
    /** The house's balance in a kind of account, in minor units. */
    house: async (kind: string, coin: Coin = "pUSDT") => {
      const { rows } = await ctx.owner.pool.query<{ balance: bigint }>(
        "select balance from account_balance where house and kind = $1 and coin = $2",
        [kind, coin],
      );
      return BigInt(rows[0]?.balance ?? 0n);
    },
    /** The sum of all balances, by coin: all zero, always. */
    trial: async () => {
      const { rows } = await ctx.owner.pool.query<{ total: bigint }>(
        "select total from trial_balance",
      );
      return rows.map(({ total }) => BigInt(total)).filter((total) => total !== 0n);
    },
    destroy: async () => {
      await ledger.stop();
      await ctx.destroy();
    },
  };
}
export type TestTransfers = Awaited<ReturnType<typeof createTestTransfers>>;

/** The name of the error a promise rejects with; `done` if it resolves. */
export async function catchOutcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "done";
  } catch (error) {
    return (error as { error?: string }).error ?? String(error);
  }
}
