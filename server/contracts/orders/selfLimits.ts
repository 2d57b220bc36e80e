import { sql } from "kysely";
import {
  type Exclusion,
  type ExclusionPeriod,
  extendExclusion,
  getLossLimitAt,
  getRetainedExclusion,
  isExcluded,
  type LossLimit,
  setLossLimit,
} from "#core/contracts/limits.ts";
import { dayMs, dayStartMs, toRealDay } from "#core/money/time.ts";
import { readLimitUsed } from "#server/ledger/limits.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { batchReads } from "#server/platform/db/batchReads.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

export interface SelfLimits {
  loss: LossLimit;
  exclusion: Exclusion;
  lostToday: bigint;
}

interface Row {
  user_id: string;
  loss_limit: bigint | null;
  next_limit: bigint | null;
  next_from_ms: bigint | null;
  excluded_until_ms: bigint | null;
  excluded_for_good: boolean;
}

/** Key of the limit row for a person's loss on a real day. */
export const lossKey = (userId: string, day: number) => `contracts.loss:${userId}:${day}`;

/** The error for a person under self-exclusion. */
export function createExclusionError(exclusion: NonNullable<Exclusion>): ApiError {
  return new ApiError(
    "contracts.excluded",
    exclusion === "forever" ? { for_good: 1 } : { until_ms: exclusion },
  );
}

/** Self limits: the limits a person set for themselves. All times are real. */
export function createSelfLimits({ database, realClock }: AppContext) {
  const { db } = database;
  const change = (
    userId: string,
    edit: (tx: Tx, limits: StoredLimits, nowMs: number) => Promise<void>,
  ) =>
    db
      .transaction()
      .execute(async (tx) => {
        await sql`insert into contract_limits (user_id) values (${userId}) on conflict do nothing`.execute(
          tx,
        );
        await edit(tx, await readLimits(tx, userId, "update"), realClock.nowMs());
      })
      .finally(() => limitsCache.invalidate(userId));
  const readGrouped = batchReads<string, StoredLimits>((userIds) => readAllLimits(db, userIds));
  // Caches only that a person has no limits: one set in the meantime is found by `recheck`, or by
  // `accept_orders` on the bulk path.
  const limitsCache = createTtlCache(readGrouped, {
    ttlMs: 10_000,
    clock: realClock,
    shouldCache: (limits) => limits === undefined,
  });
  const readOwn = async (userId: string): Promise<SelfLimits> => {
    const nowMs = realClock.nowMs();
    const limits = await readLimits(db, userId);
    return {
      loss: getLossLimitAt(limits.loss, nowMs),
      exclusion: isExcluded(limits.exclusion, nowMs) ? limits.exclusion : null,
      lostToday: await readLostToday(db, userId, nowMs),
    };
  };
  return {
    read: readOwn,
    /**
     * The self limits that apply to an order: whether the person is excluded, and today's loss
     * limit with the room left under it.
     */
    forOrder: async (userId: string) => {
      const nowMs = realClock.nowMs();
      const storedLimits = await limitsCache.get(userId);
      const limits = storedLimits ?? noLimits;
      const { limit } = getLossLimitAt(limits.loss, nowMs);
      const day = toRealDay(nowMs);
      const loss =
        limit === null ? null : { day, cap: limit - (await readCarried(db, userId, day)) };
      const excluded = isExcluded(limits.exclusion, nowMs) ? limits.exclusion : null;
      return { excluded, day, loss, limited: storedLimits !== undefined };
    },
    /**
     * Checks limits again in the transaction that accepts orders of these users, after the orders
     * are written: since `forOrder`, a limit may have been set or an earlier order accepted. Orders
     * of one person serialise on their wallet, so every earlier one is visible. Throws
     * `contracts.excluded` or `contracts.loss_limit`.
     */
    recheck: async (tx: Tx, userIds: string[]) => {
      const nowMs = realClock.nowMs();
      const day = toRealDay(nowMs);
      for (const [userId, { loss, exclusion }] of await readAllLimits(tx, userIds, "share")) {
        if (exclusion !== null && isExcluded(exclusion, nowMs))
          throw createExclusionError(exclusion);
        const { limit } = getLossLimitAt(loss, nowMs);
        if (limit === null) continue;
        const usedLoss = await readLimitUsed(tx, lossKey(userId, day));
        if (usedLoss + (await readCarried(tx, userId, day)) > limit)
          throw new ApiError("contracts.loss_limit");
      }
    },
    setLossLimit: async (userId: string, newLimit: bigint | null) => {
      await change(userId, async (tx, { loss }, nowMs) => {
        const { limit, next } = setLossLimit(loss, newLimit, nowMs);
        await sql`update contract_limits set loss_limit = ${limit}, next_limit = ${next?.limit ?? null},
          next_from_ms = ${next?.fromMs ?? null} where user_id = ${userId}`.execute(tx);
      });
      return readOwn(userId);
    },
    /**
     * Applies to a new account whose wallet was excluded in a deleted one; the new account's limits
     * have not been set or read yet.
     */
    takeOver: async (
      userId: string,
      exclusion: { for_good: boolean; until_ms: number | null },
    ): Promise<void> => {
      await sql`
        insert into contract_limits (user_id, excluded_until_ms, excluded_for_good)
        values (${userId}, ${exclusion.until_ms}, ${exclusion.for_good}) on conflict do nothing`.execute(
        db,
      );
    },
    /** The person's self-imposed restrictions that deleting their account must not end. */
    barredAfterDeletion: async (from: Db | Tx, userId: string, realMs: number) => {
      const retainedExclusion = getRetainedExclusion(await readLimits(from, userId), realMs);
      if (!retainedExclusion) return null;
      const { until, ofLossLimit: of_loss_limit } = retainedExclusion;
      return until === "forever"
        ? { for_good: true, until_ms: null, of_loss_limit }
        : { for_good: false, until_ms: until, of_loss_limit };
    },
    exclude: async (userId: string, period: ExclusionPeriod) => {
      await change(userId, async (tx, { exclusion }, nowMs) => {
        const result = extendExclusion(exclusion, period, nowMs);
        if (!result.ok) throw new ApiError("contracts.exclusion_not_longer");
        await sql`update contract_limits set
          excluded_for_good = ${result.exclusion === "forever"},
          excluded_until_ms = ${result.exclusion === "forever" ? null : result.exclusion}
          where user_id = ${userId}`.execute(tx);
      });
      return readOwn(userId);
    },
  };
}
export type SelfLimitsService = ReturnType<typeof createSelfLimits>;

interface StoredLimits {
  loss: LossLimit;
  exclusion: Exclusion;
}

const noLimits: StoredLimits = { loss: { limit: null, next: null }, exclusion: null };

async function readLimits(db: Db | Tx, userId: string, lock: Lock = "none"): Promise<StoredLimits> {
  return (await readAllLimits(db, [userId], lock)).get(userId) ?? noLimits;
}

type Lock = "none" | "share" | "update";
const locks = { none: sql``, share: sql`for share`, update: sql`for update` };

/** Limits of those users who ever set one. */
async function readAllLimits(
  db: Db | Tx,
  userIds: string[],
  lock: Lock = "none",
): Promise<Map<string, StoredLimits>> {
  const { rows } = await sql<Row>`
    select user_id, loss_limit, next_limit, next_from_ms, excluded_until_ms, excluded_for_good
    from contract_limits where user_id = any(${userIds}::text[]) ${locks[lock]}`.execute(db);
  return new Map(rows.map((row) => [row.user_id, toStoredLimits(row)]));
}

function toStoredLimits(row: Row): StoredLimits {
  return {
    loss: {
      limit: row.loss_limit,
      next:
        row.next_from_ms === null
          ? null
          : { limit: row.next_limit, fromMs: Number(row.next_from_ms) },
    },
    exclusion: row.excluded_for_good
      ? "forever"
      : row.excluded_until_ms === null
        ? null
        : Number(row.excluded_until_ms),
  };
}

/**
 * Sum of today's losses in minor units: lost orders, and the fees of ties. Gains do not offset
 * them.
 */
async function readLostToday(db: Db, userId: string, nowMs: number): Promise<bigint> {
  const { rows } = await sql<{ lost: bigint }>`
    select coalesce(sum(greatest(stake + fee - payout, 0)), 0)::bigint as lost from contract_order
    where user_id = ${userId} and settled_real_ms >= ${dayStartMs(nowMs)}`.execute(db);
  return rows[0]?.lost ?? 0n;
}

/**
 * The amounts that today's limit row does not count: orders of other days, or from before a limit
 * was set, that are still at risk or were lost today.
 */
async function readCarried(db: Db | Tx, userId: string, day: number): Promise<bigint> {
  const { rows } = await sql<{ carried: bigint }>`
    select coalesce(sum(case when settled_at_ms is null then stake + fee else greatest(stake + fee - payout, 0) end), 0)::bigint
      as carried
    from contract_order
    where user_id = ${userId} and loss_day is distinct from ${day}
      and (settled_at_ms is null or settled_real_ms >= ${day * dayMs})`.execute(db);
  return rows[0]?.carried ?? 0n;
}
