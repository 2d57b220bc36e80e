import type * as api from "#api/mining.ts";
import { computeNextHalving, estimateEpoch } from "#core/mining/calculator.ts";
import { difficultyToHashrate, epochBlocks } from "#core/mining/difficulty.ts";
import {
  computeAccrualPerTh,
  computeFineSatoshi,
  computePowerCostPerDay,
  computeSatoshi,
  computeSatoshiWorth,
  feeBlocks,
} from "#core/mining/formula.ts";
import { countUnworkedDays, getDayEnd, getLeaseStart, getLeaseStatus } from "#core/mining/lease.ts";
import { subsidyAt } from "#core/mining/subsidy.ts";
import { computeExpectedDay, type MachineTerms, poolFeeBp } from "#core/mining/terms.ts";
import { formatAmount, formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { dayMs } from "#core/money/time.ts";
import { computeEnding } from "#server/mining/ending.ts";
import type { Network } from "#server/mining/network.ts";
import { toReading } from "#server/mining/store.ts";
import type { LeaseRow, PayoutRow, PublishedTerms, ReadingRow } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";

export const formatPbtc = (satoshi: bigint) => formatAmount(satoshi, "pBTC");
/** Formats ten-thousandths of a satoshi. */
const formatFine = (value: bigint) => formatDecimal(value, 4);
export const formatPrice = (price: bigint | null) =>
  price === null ? null : formatDecimal(price, 2);
/** Formats GH/s as TH/s. */
export const formatThs = (ghs: bigint) => formatDecimal(ghs, 3);
const oneTh = 1_000n;

/** A machine with its cost, and its earnings if everything stayed the same. */
export function toMachineView(
  terms: PublishedTerms,
  stockUsed: number,
  reading: ReadingRow | null,
  price: bigint | null,
): api.Machine {
  const day =
    reading && price !== null ? computeExpectedDay(terms, toReading(reading), price) : null;
  return {
    product_id: terms.productId,
    maker: terms.maker,
    model: terms.model,
    source: terms.source,
    hashrate_ths: formatThs(terms.hashrateGhs),
    power_w: terms.powerW,
    // Hundredths of a joule per TH.
    joules_per_th: formatDecimal(
      (BigInt(terms.powerW) * 100_000n + terms.hashrateGhs / 2n) / terms.hashrateGhs,
      2,
    ),
    price_per_day: formatPusdt(terms.pricePerDay),
    electricity_per_kwh: formatPusdt(terms.pricePerKwh),
    power_per_day: formatPusdt(computePowerCostPerDay(terms.powerW, terms.pricePerKwh, 1)),
    pool_fee_bp: poolFeeBp,
    days_min: terms.daysMin,
    days_max: terms.daysMax,
    quantity_max: terms.quantityMax,
    stock: terms.stock,
    stock_left: Math.max(0, terms.stock - stockUsed),
    terms_hash: terms.termsHash,
    version: terms.version,
    published_at_ms: terms.publishedAtMs,
    leaf: terms.leaf,
    expected: day && {
      payout: formatPbtc(day.payout),
      worth: formatPusdt(day.worth),
      net: formatPusdt(day.worth - day.cost),
    },
  };
}

/** The earnings of 1 TH/s a day at a reading, before the pool fee. */
const perThDay = (row: ReadingRow) =>
  formatFine(computeFineSatoshi(computeAccrualPerTh(toReading(row), dayMs / 1_000), oneTh, 0));

export function toNetworkView(row: ReadingRow, source: Network["kind"]) {
  const blockSeconds = Number(row.block_ms) / 1_000;
  const epoch = estimateEpoch(row.height, blockSeconds, Number(row.epoch_first_ms) / 1_000);
  const halving = computeNextHalving(row.height);
  return {
    source,
    read_at_ms: Number(row.hour_ms),
    leaf: Number(row.leaf),
    height: row.height,
    block_at_ms: Number(row.block_ms),
    difficulty: String(row.difficulty),
    // EH/s with two decimals.
    hashrate_ehs: formatDecimal(difficultyToHashrate(row.difficulty) / 10n ** 16n, 2),
    subsidy: formatPbtc(subsidyAt(row.height)),
    mean_fee: formatPbtc(row.fee_sum / BigInt(feeBlocks)),
    per_th_day_sat: perThDay(row),
    epoch: {
      first_height: epoch.firstHeight,
      blocks_done: epoch.blocksDone,
      blocks: epochBlocks,
      next_change_bp: epoch.changeBp,
      next_at_ms: epoch.nextSeconds === null ? null : epoch.nextSeconds * 1_000,
    },
    halving: {
      height: halving.height,
      blocks_left: halving.blocksLeft,
      subsidy_after: formatPbtc(subsidyAt(halving.height)),
    },
  };
}

export const toNetworkPoint = (row: ReadingRow): [number, number, string, string] => [
  Number(row.hour_ms),
  row.height,
  String(row.difficulty),
  perThDay(row),
];

/** The values that all views of leases share, read once. */
export interface Moment {
  nowMs: number;
  /** Time up to which payouts are known: now, or the end of the last reading's hour. */
  asOfMs: number;
  reading: ReadingRow | null;
  price: bigint | null;
}

/**
 * A lease as the wire shows it. `soFar`: satoshi mined since the last paid day, not yet credited.
 */
export function toLeaseView(
  row: LeaseRow,
  terms: MachineTerms,
  soFar: bigint,
  { nowMs, asOfMs, reading, price }: Moment,
  world: AppContext["world"],
): api.Lease {
  const times = { acceptedAtMs: Number(row.accepted_at_ms), daysToWork: row.days_to_work };
  const cost = (row.price_per_day + row.power_per_day) * BigInt(row.days);
  const worth = price === null ? null : computeSatoshiWorth(row.mined, price);
  const refund = (row.refund_price ?? 0n) + (row.refund_power ?? 0n);
  const atWork = (row.price_per_day + row.power_per_day) * BigInt(countUnworkedDays(times, nowMs));
  const ending = computeEnding(row, nowMs);
  const rate = reading ? computeAccrualPerTh(toReading(reading), dayMs / 1_000) : 0n;
  return {
    lease_id: row.id,
    attempt_id: row.attempt_id,
    product_id: row.product_id,
    maker: terms.maker,
    model: terms.model,
    quantity: row.quantity,
    days: row.days,
    days_to_work: row.days_to_work,
    days_paid: row.days_paid,
    hashrate_ths: formatThs(row.hashrate_ghs),
    power_w: terms.powerW * row.quantity,
    coin: "pUSDT",
    price_per_day: formatPusdt(row.price_per_day),
    power_per_day: formatPusdt(row.power_per_day),
    price: formatPusdt(row.price_per_day * BigInt(row.days)),
    power: formatPusdt(row.power_per_day * BigInt(row.days)),
    pool_fee_bp: row.pool_fee_bp,
    terms_hash: row.terms_hash,
    market: world.market,
    status: getLeaseStatus(times, nowMs),
    accepted_at_ms: times.acceptedAtMs,
    starts_at_ms: getLeaseStart(times),
    ends_at_ms:
      row.days_to_work === 0 ? Number(row.ended_at_ms) : getDayEnd(times, row.days_to_work),
    mined: formatPbtc(row.mined),
    mined_worth: worth === null ? null : formatPusdt(worth),
    today_so_far: formatPbtc(soFar),
    as_of_ms: asOfMs,
    rate_per_day: formatPbtc(computeSatoshi(rate, row.hashrate_ghs, row.pool_fee_bp)),
    next_payout_at_ms: row.next_due_ms === null ? null : Number(row.next_due_ms),
    refund:
      row.refund_price === null || row.refund_power === null
        ? null
        : {
            price: formatPusdt(row.refund_price),
            power: formatPusdt(row.refund_power),
            at_ms: Number(row.ended_at_ms),
          },
    end_now: ending && {
      unused_days: ending.unusedDays,
      price: formatPusdt(ending.price),
      power: formatPusdt(ending.power),
    },
    at_work: formatPusdt(atWork),
    result: worth === null ? null : formatPusdt(worth + refund + atWork - cost),
  };
}

export function toPayoutView(row: PayoutRow, lease: LeaseRow, terms: MachineTerms): api.Payout {
  const times = { acceptedAtMs: Number(lease.accepted_at_ms) };
  const minedLess = (feeBp: number) =>
    formatFine(computeFineSatoshi(row.accrual, lease.hashrate_ghs, feeBp));
  return {
    lease_id: lease.id,
    maker: terms.maker,
    model: terms.model,
    quantity: lease.quantity,
    day: row.day,
    from_ms: getDayEnd(times, row.day - 1),
    to_ms: getDayEnd(times, row.day),
    gross_sat: minedLess(0),
    net_sat: minedLess(lease.pool_fee_bp),
    amount: formatPbtc(row.amount),
    power: formatPusdt(lease.power_per_day),
    price: formatPusdt(lease.price_per_day),
    worth: row.price === null ? null : formatPusdt(computeSatoshiWorth(row.amount, row.price)),
    journal_id: row.journal_id,
  };
}
