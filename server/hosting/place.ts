import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { orderHash } from "#core/hosting/order.ts";
import { unitScale } from "#core/hosting/pool.ts";
import { logBehindMs } from "#core/market/freshness.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { Runner } from "#server/hosting/run/strategyRunner.ts";
import { readFreeUnits, readOrder } from "#server/hosting/store.ts";
import type { HostingDeps, OrderRow, Pool } from "#server/hosting/types.ts";
import type { Journal, PostedJournal, PostHook, PostResult } from "#server/ledger/types.ts";
import { isEndClosed, requireNotClosed } from "#server/market/acceptance.ts";
import { requireDecimal } from "#server/platform/amount.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded, isPaused } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** The kinds of journals that accept orders; a journal's id is the order's. */
const subscribeKind = "hosting.subscribe";
const requestKind = "hosting.ask";

interface Owner {
  userId: string;
  attemptId: string;
}

interface Draft extends Owner {
  account: bigint;
  pool: Pool;
  action: OrderRow["action"];
  amount: bigint | null;
  units: bigint | null;
  salt: string;
}

/**
 * Limit row with the units an attempt ever asked to redeem from a pool, so that no unit can be
 * redeemed twice.
 */
const requestedKey = (attemptId: string, poolId: string) => `hosting.asked:${attemptId}:${poolId}`;

/**
 * Places subscriptions and redemptions. Registers the post hooks that write them in the transaction
 * that accepts them.
 */
export function createOrderPlacement(
  ctx: AppContext,
  deps: HostingDeps,
  pools: Pools,
  runner: Runner,
) {
  const { ledger, session } = deps;
  const { db } = ctx.database;
  const write: PostHook = (tx, postedJournals) => insertOrders(ctx, tx, postedJournals);
  ledger.onPosted(subscribeKind, write);
  ledger.onPosted(requestKind, write);

  const accept = async (journal: Journal, draft: Draft): Promise<OrderRow> => {
    const result = await ledger.post(journal, draft);
    if (result.outcome !== "posted" && result.outcome !== "duplicate") throw toApiError(result);
    // After a recording's end no more seconds close, so nothing else would execute it.
    if (hasEnded(ctx.clock) && (await isEndClosed(ctx, ctx.database.db))) await runner.finishNow();
    const order = await readOrder(db, draft.userId, journal.id);
    if (!order) throw new Error(`order ${journal.id} is posted, but its row is missing`);
    return order;
  };

  return {
    /**
     * Charges the amount and accepts the subscription, or throws an ApiError and changes nothing.
     * `id` is the journal's and so the order's; repeating the same id and body returns the existing
     * order.
     */
    subscribe: async (
      owner: Owner,
      params: { poolId: string; amount: string; termsHash: string },
      id: string,
      bodyHash: Uint8Array,
    ): Promise<OrderRow> => {
      await session.requireNewPositions(owner.userId);
      const pool = await requirePool(pools, params.poolId);
      if (hasEnded(ctx.clock)) throw new ApiError("hosting.recording_ended");
      if (isPaused(ctx.clock)) throw new ApiError("class.paused");
      if (pool.suspended) throw new ApiError("hosting.suspended");
      if (pool.termsHash !== params.termsHash) throw new ApiError("hosting.terms_changed");
      const amount = readAmount(params.amount, pool);
      if ((await deps.transparencyLog.lagMs()) > logBehindMs)
        throw new ApiError("hosting.log_behind");
      const [account, house] = await Promise.all([
        ledger.account(owner, "wallet", "pUSDT"),
        ledger.account("house", "hosting", "pUSDT"),
      ]);
      const journal: Journal = {
        id,
        kind: subscribeKind,
        bodyHash,
        legs: [
          { account, amount: -amount },
          { account: house, amount, about: pool.id },
        ],
        about: id,
      };
      return accept(journal, toDraft(owner, account, pool, { amount }));
    },
    /**
     * Blocks the units and accepts the redemption; throws only when the units are not available.
     */
    redeem: async (
      owner: Owner,
      params: { poolId: string; units: string },
      id: string,
      bodyHash: Uint8Array,
    ): Promise<OrderRow> => {
      const pool = await requirePool(pools, params.poolId);
      const { free, bought } = await readFreeUnits(db, owner.attemptId, pool.id);
      const units = params.units === "all" ? free : readUnits(params.units);
      if (units > free || free === 0n) {
        throw new ApiError("hosting.units_not_there", { units: formatDecimal(free, unitScale) });
      }
      const [account, house] = await Promise.all([
        ledger.account(owner, "wallet", "pUSDT"),
        ledger.account("house", "hosting", "pUSDT"),
      ]);
      const journal: Journal = {
        id,
        kind: requestKind,
        bodyHash,
        // Nothing moves yet, but a journal needs two legs: one minor unit out of the house and back
        // into it.
        legs: [
          { account: house, amount: -1n, about: pool.id },
          { account: house, amount: 1n, about: pool.id },
        ],
        // Both only grow, so a stale `bought` is never too large.
        limits: [{ key: requestedKey(owner.attemptId, pool.id), delta: units, cap: bought }],
        about: id,
      };
      return accept(journal, toDraft(owner, account, pool, { units }));
    },
  };
}

function toDraft(
  owner: Owner,
  account: bigint,
  pool: Pool,
  what: { amount: bigint } | { units: bigint },
): Draft {
  const { userId, attemptId } = owner;
  const salt = randomBytes(32).toString("hex");
  const commonColumns = { userId, attemptId, account, pool, salt };
  return "amount" in what
    ? { ...commonColumns, action: "subscribe", amount: what.amount, units: null }
    : { ...commonColumns, action: "redeem", amount: null, units: what.units };
}

/** The pool; throws `hosting.unknown`. */
export async function requirePool(pools: Pools, poolId: string): Promise<Pool> {
  const pool = await pools.find(poolId);
  if (!pool) throw new ApiError("hosting.unknown");
  return pool;
}

function readAmount(text: string, pool: Pool): bigint {
  const amount = requireDecimal(text, coinScale("pUSDT"));
  if (amount < pool.minimum) {
    throw new ApiError("hosting.amount_too_small", { minimum: formatPusdt(pool.minimum) });
  }
  if (amount > pool.maximum) {
    throw new ApiError("hosting.amount_too_large", { maximum: formatPusdt(pool.maximum) });
  }
  return amount;
}

function readUnits(text: string): bigint {
  const units = requireDecimal(text, unitScale);
  if (units === 0n) throw new ApiError("hosting.units_too_small");
  return units;
}

function toApiError({ outcome }: PostResult): ApiError {
  if (outcome === "body_changed") return new ApiError("idempotency.body_changed");
  if (outcome === "overdraft") return new ApiError("ledger.overdraft");
  if (outcome === "limit_full") return new ApiError("hosting.units_not_there");
  return new ApiError("ledger.refused");
}

async function insertOrders(ctx: AppContext, tx: Tx, posted: PostedJournal[]): Promise<void> {
  const { world } = ctx;
  await requireNotClosed(ctx, tx, Math.min(...posted.map(({ atMs }) => atMs)));
  const rows = posted.map(({ journal, row, atMs }) => {
    const draft = row as Draft;
    const { userId, attemptId, account, pool, action, amount, units, salt } = draft;
    const hash = orderHash({
      world: world.name,
      market: world.market,
      orderId: journal.id,
      attemptId,
      poolId: pool.id,
      action,
      amount,
      units,
      termsHash: pool.termsHash,
      acceptedAtMs: atMs,
      salt,
    });
    return {
      id: journal.id,
      userId,
      attemptId,
      account,
      pool: pool.id,
      action,
      amount,
      units,
      terms: pool.termsHash,
      atMs,
      salt,
      hash,
    };
  });
  const text = JSON.stringify(rows, (_key, value) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  await sql`with given as (
      select * from jsonb_to_recordset(${text}::jsonb) r (id uuid, "userId" text, "attemptId" text, account bigint, pool text,
        action text, amount bigint, units bigint, terms text, "atMs" bigint, salt text, hash text)
    ),
    held as (
      insert into hosting_holding as h (attempt_id, pool_id, user_id, blocked, waiting, paid_in)
      select "attemptId", pool, min("userId"), 0, coalesce(sum(amount), 0), coalesce(sum(amount), 0)
      from given where action = 'subscribe' group by "attemptId", pool
      on conflict (attempt_id, pool_id) do update
        set waiting = h.waiting + excluded.waiting, paid_in = h.paid_in + excluded.paid_in
    ),
    -- A person who asks units back has a holding; one who also pays in within this batch has it in the part above.
    asked as (
      select "attemptId", pool, sum(units)::bigint as units from given where action = 'redeem' group by "attemptId", pool
    ),
    blocked as (
      update hosting_holding h set blocked = h.blocked + a.units from asked a
      where h.attempt_id = a."attemptId" and h.pool_id = a.pool
    )
    insert into hosting_order (id, user_id, attempt_id, account, pool_id, action, amount, units, terms_hash, accepted_at_ms, salt,
      order_hash)
    select id, "userId", "attemptId", account, pool, action, amount, units, decode(terms, 'hex'), "atMs", decode(salt, 'hex'),
      decode(hash, 'hex')
    from given`.execute(tx);
}
