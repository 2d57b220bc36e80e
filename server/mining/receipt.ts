import { getDayEnd, getLeaseStart } from "#core/mining/lease.ts";
import { endingStructure, leaseStructure } from "#core/mining/leaseOrder.ts";
import { type LeaseReceipt, leaseReceiptFormat } from "#core/mining/receiptSchema.ts";
import { hourMs } from "#core/money/time.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import type { Catalogue } from "#server/mining/catalogue.ts";
import { readPayouts, readReadings } from "#server/mining/store.ts";
import type { LeaseRow, MiningDeps } from "#server/mining/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { World } from "#server/platform/world.ts";
import { readBinding } from "#server/transparency-log/bindings.ts";

/**
 * Builds the receipt of a lease, for all days paid so far, for one (`day`) or for none, once a signed
 * checkpoint covers every leaf it refers to; until then, and for a day that was not paid, throws
 * `mining.receipt_not_ready`. Format: docs/formats/mining.md.
 */
export async function buildLeaseReceipt(
  { world, database }: Pick<AppContext, "world" | "database">,
  { transparencyLog }: Pick<MiningDeps, "transparencyLog">,
  catalogue: Catalogue,
  lease: LeaseRow,
  day: number | "none" | null,
): Promise<LeaseReceipt> {
  const { db } = database;
  if (typeof day === "number" && (day < 1 || day > lease.days_paid))
    throw new ApiError("mining.receipt_not_ready");
  const [fromDay, toDay] =
    day === null ? [1, lease.days_paid] : day === "none" ? [1, 0] : [day, day];
  const times = { acceptedAtMs: Number(lease.accepted_at_ms) };
  const toHour = (atMs: number) => Math.floor(atMs / hourMs) * hourMs;
  const startMs = toHour(getLeaseStart(times));
  const covers = toDay >= fromDay;
  const [terms, payouts, before, readings, starts, checkpoint, identity] = await Promise.all([
    catalogue.termsOf(lease.terms_hash),
    readPayouts(db, lease, fromDay, toDay),
    readPayouts(db, lease, 1, fromDay - 1),
    covers
      ? readReadings(db, toHour(getDayEnd(times, fromDay - 1)), toHour(getDayEnd(times, toDay)))
      : [],
    covers ? readReadings(db, startMs, startMs) : [],
    transparencyLog.checkpoint(),
    transparencyLog.identity(),
  ]);
  const key = identity.keys[0];
  const { bound_leaf: boundLeaf, end_bound_leaf: endBound } = lease;
  const last = Math.max(
    Number(boundLeaf ?? 0n),
    Number(endBound ?? 0n),
    Number(readings.at(-1)?.leaf ?? 0n) + 1,
  );
  const unbound = boundLeaf === null || (lease.refund_id !== null && endBound === null);
  if (unbound || !terms || !key || !checkpoint || checkpoint.size <= last)
    throw new ApiError("mining.receipt_not_ready");
  const commonFields = { world: world.name, market: world.market, leaseId: lease.id };
  return {
    format: leaseReceiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    lease: leaseStructure({
      ...commonFields,
      attemptId: lease.attempt_id,
      productId: lease.product_id,
      termsHash: lease.terms_hash,
      quantity: lease.quantity,
      days: lease.days,
      cost: { pricePerDay: lease.price_per_day, powerCostPerDay: lease.power_per_day },
      acceptedAtMs: times.acceptedAtMs,
      salt: lease.salt,
    }),
    ...(await readBinding(db, Number(boundLeaf), hexToBytes(lease.lease_hash))),
    terms: JSON.parse(terms.body) as Record<string, unknown>,
    terms_leaf: terms.leaf,
    from_day: fromDay,
    to_day: toDay,
    start_reading: covers ? Number(starts[0]!.leaf) : null,
    readings: readings.map((reading) => Number(reading.leaf)),
    mined_before: String(before.reduce((sum, { amount }) => sum + amount, 0n)),
    payouts: payouts.map((payout) => ({ day: payout.day, amount: String(payout.amount) })),
    ended: lease.refund_id === null ? null : await getEnded(db, lease, commonFields),
    log: { origin: identity.origin, vkey: key.vkey },
  };
}

async function getEnded(
  db: Db,
  lease: LeaseRow,
  common: { world: string; market: World["market"]; leaseId: string },
): Promise<LeaseReceipt["ended"]> {
  const ending = endingStructure({
    ...common,
    unusedDays: lease.days - lease.days_to_work,
    price: lease.refund_price!,
    power: lease.refund_power!,
    acceptedAtMs: Number(lease.ended_at_ms),
    salt: lease.end_salt!,
  });
  const binding = await readBinding(db, Number(lease.end_bound_leaf), hexToBytes(lease.end_hash!));
  return { ending, ...binding };
}

/** A lease and where it is bound, for the receipt of the journal that paid for it. */
export async function buildBoundLease(
  ctx: Pick<AppContext, "world" | "database">,
  deps: Pick<MiningDeps, "transparencyLog">,
  catalogue: Catalogue,
  lease: LeaseRow,
): Promise<object> {
  const receipt = await buildLeaseReceipt(ctx, deps, catalogue, lease, "none");
  const { orders_count, orders_index, orders_path, before_leaf, bound_leaf } = receipt;
  const binding = { orders_count, orders_index, orders_path, before_leaf, bound_leaf };
  return { order: receipt.lease, ...binding };
}
