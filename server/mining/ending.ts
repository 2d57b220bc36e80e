import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { computeRefund, countStartedDays } from "#core/mining/lease.ts";
import { endingStructure, structureHash } from "#core/mining/leaseOrder.ts";
import { toOutcomeApiError } from "#server/ledger/keys.ts";
import type { Journal } from "#server/ledger/types.ts";
import { requireNotClosed } from "#server/market/acceptance.ts";
import { bindEndingAfterEnd } from "#server/mining/binding.ts";
import { stockKey } from "#server/mining/leasing.ts";
import { readLease } from "#server/mining/store.ts";
import type { LeaseRow, MiningDeps } from "#server/mining/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

const refundKind = "mining.refund";

export interface EndedLease {
  unusedDays: number;
  price: bigint;
  power: bigint;
}

/**
 * Whole days not yet begun, and their refund; null when there are none, or when the lease was ended
 * before.
 */
export function computeEnding(lease: LeaseRow, nowMs: number): EndedLease | null {
  if (lease.refund_id !== null) return null;
  const startedDays = countStartedDays(
    { acceptedAtMs: Number(lease.accepted_at_ms), daysToWork: lease.days_to_work },
    nowMs,
  );
  const unusedDays = lease.days - startedDays;
  if (unusedDays <= 0) return null;
  const cost = { pricePerDay: lease.price_per_day, powerCostPerDay: lease.power_per_day };
  return { unusedDays, ...computeRefund(cost, unusedDays) };
}

/**
 * Ends leases early. Locks the lease's row before any account, in the same order as payouts, and
 * reads the time after the lock: so the refund is decided once, and a day is either worked and
 * paid, or refunded. Needs its own transaction, not the writer's batch, for that lock order. The
 * day that has begun is worked to its end, so that every payout is for whole days by one formula.
 * The person confirms the number of days they were shown, and is asked again when another day has
 * begun.
 */
export function createEnding(
  ctx: AppContext,
  { ledger, transparencyLog }: Pick<MiningDeps, "ledger" | "transparencyLog">,
) {
  const { db } = ctx.database;
  return async (
    leaseOwner: { userId: string },
    params: { leaseId: string; unusedDays: number },
    id: string,
    bodyHash: Uint8Array,
  ): Promise<EndedLease> => {
    const before = await readLease(db, leaseOwner.userId, params.leaseId);
    if (!before) throw new ApiError("mining.lease_unknown");
    const owner = { userId: leaseOwner.userId, attemptId: before.attempt_id };
    const [wallet, house] = await Promise.all([
      ledger.account(owner, "wallet", "pUSDT"),
      ledger.account("house", "mining", "pUSDT"),
    ]);
    const endedLease = await ledger.transact(async (tx) => {
      await sql`select lock_mining_lease(${before.id})`.execute(tx);
      const lease = (await readLease(tx, leaseOwner.userId, params.leaseId))!;
      const nowMs = ctx.clock.nowMs();
      const ending = computeEnding(lease, nowMs);
      if (!ending) throw new ApiError("mining.nothing_to_return");
      if (ending.unusedDays !== params.unusedDays) throw new ApiError("mining.lease_changed");
      const daysToWork = lease.days - ending.unusedDays;
      const refund = ending.price + ending.power;
      const journal: Journal = {
        id,
        kind: refundKind,
        bodyHash,
        legs: [
          { account: wallet, amount: ending.price },
          ...(ending.power > 0n ? [{ account: wallet, amount: ending.power }] : []),
          { account: house, amount: -refund },
        ].filter(({ amount }) => amount !== 0n),
        about: lease.id,
      };
      // A machine that has begun a day returns to stock with that day's payout.
      if (daysToWork === 0) {
        const delta = -BigInt(lease.quantity);
        journal.limits = [{ key: stockKey(lease.product_id), delta, cap: 0n }];
      }
      const [result] = await ledger.postIn(tx, [journal], nowMs);
      if (result!.outcome !== "posted") throw toOutcomeApiError(result!.outcome);
      await requireNotClosed(ctx, tx, nowMs);
      const salt = randomBytes(32);
      const hash = structureHash(
        endingStructure({
          world: ctx.world.name,
          market: ctx.world.market,
          leaseId: lease.id,
          ...ending,
          acceptedAtMs: nowMs,
          salt: salt.toString("hex"),
        }),
      );
      const leaf = await bindEndingAfterEnd(ctx, transparencyLog, tx, hash);
      await sql`select end_mining_lease(${lease.id}, ${daysToWork}, ${id}, ${ending.price}, ${ending.power}, ${nowMs},
        ${salt}, ${Buffer.from(hash)}, ${leaf})`.execute(tx);
      return ending;
    });
    ctx.bus.publish("lease.changed", { userId: leaseOwner.userId, leaseIds: [before.id] });
    return endedLease;
  };
}
