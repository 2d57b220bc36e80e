import { endOfDay, startOf } from "#core/mining/lease.ts";
import { type LeaseReceipt, leaseReceiptFormat } from "#core/mining/receiptForm.ts";
import { hourMs } from "#core/money/time.ts";
import type { Catalogue } from "#server/mining/catalogue.ts";
import { readPayouts, readReadings } from "#server/mining/store.ts";
import type { LeaseRow, MiningDeps } from "#server/mining/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Builds the receipt of a lease, for all days paid so far or for one (`day`), once a signed
 * checkpoint covers every leaf it refers to; until then, and for a day that was not paid, throws
 * `mining.receipt_not_ready`. Format: docs/formats/mining.md.
 */
export async function buildLeaseReceipt(
  { world, database }: Pick<AppContext, "world" | "database">,
  { transparencyLog }: Pick<MiningDeps, "transparencyLog">,
  catalogue: Catalogue,
  lease: LeaseRow,
  day: number | null,
): Promise<LeaseReceipt> {
  const { db } = database;
  if (day !== null && (day < 1 || day > lease.days_paid))
    throw new ApiError("mining.receipt_not_ready");
  const [fromDay, toDay] = day === null ? [1, lease.days_paid] : [day, day];
  const times = { acceptedAtMs: Number(lease.accepted_at_ms) };
  const hourOf = (atMs: number) => Math.floor(atMs / hourMs) * hourMs;
  const startMs = hourOf(startOf(times));
  const covers = toDay >= fromDay;
  const [terms, payouts, before, readings, starts, checkpoint, identity] = await Promise.all([
    catalogue.termsOf(lease.terms_hash),
    readPayouts(db, lease, fromDay, toDay),
    readPayouts(db, lease, 1, fromDay - 1),
    covers
      ? readReadings(db, hourOf(endOfDay(times, fromDay - 1)), hourOf(endOfDay(times, toDay)))
      : [],
    covers ? readReadings(db, startMs, startMs) : [],
    transparencyLog.checkpoint(),
    transparencyLog.identity(),
  ]);
  const key = identity.keys[0];
  const last = Math.max(terms?.leaf ?? 0, Number(readings.at(-1)?.leaf ?? 0n) + 1);
  if (!terms || !key || !checkpoint || checkpoint.size <= last)
    throw new ApiError("mining.receipt_not_ready");
  return {
    format: leaseReceiptFormat,
    practice: true,
    backing: "none",
    world: world.name,
    market: world.market,
    lease: {
      lease_id: lease.id,
      attempt_id: lease.attempt_id,
      product_id: lease.product_id,
      terms_hash: lease.terms_hash,
      quantity: lease.quantity,
      days: lease.days,
      accepted_at_ms: times.acceptedAtMs,
      price: String(lease.price_per_day * BigInt(lease.days)),
      power: String(lease.power_per_day * BigInt(lease.days)),
    },
    terms: JSON.parse(terms.body) as Record<string, unknown>,
    terms_leaf: terms.leaf,
    from_day: fromDay,
    to_day: toDay,
    start_reading: covers ? Number(starts[0]!.leaf) : null,
    readings: readings.map((reading) => Number(reading.leaf)),
    mined_before: String(before.reduce((sum, { amount }) => sum + amount, 0n)),
    payouts: payouts.map((payout) => ({ day: payout.day, amount: String(payout.amount) })),
    ended:
      lease.refund_id === null
        ? null
        : {
            at_ms: Number(lease.ended_at_ms),
            unused_days: lease.days - lease.days_to_work,
            price: String(lease.refund_price),
            power: String(lease.refund_power),
          },
    log: { origin: identity.origin, vkey: key.vkey },
  };
}
