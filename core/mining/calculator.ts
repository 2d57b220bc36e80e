import { epochBlocks } from "#core/mining/difficulty.ts";
import {
  computeAccrualPerTh,
  computePowerCostPerDay,
  computeSatoshi,
  computeSatoshiWorth,
  type NetworkFigures,
} from "#core/mining/formula.ts";
import { nextHalvingAfter } from "#core/mining/subsidy.ts";
import { dayMs } from "#core/money/time.ts";

/** A person's assumptions about the days to come. No one knows them; all are guesses. */
export interface Assumptions {
  /** Change of difficulty per epoch in basis points; 0 means unchanged. Above −10 000. */
  difficultyBpPerEpoch: number;
  /** BTC/USDT as integers at scale 2: today and on the last day; linear in between. */
  btcPrice: bigint;
  btcPriceAtEnd: bigint;
}

export interface LeasePlan {
  hashrateGhs: bigint;
  powerW: number;
  pricePerDay: bigint;
  pricePerKwh: bigint;
  poolFeeBp: number;
  quantity: number;
  days: number;
}

/**
 * After `day` days: satoshi, their worth when mined, and that worth less everything charged at the
 * start; pUSDT minor units.
 */
interface ProjectedDay {
  day: number;
  satoshi: bigint;
  worth: bigint;
  result: bigint;
}

export interface Projection {
  /** Charged at the start: price and power for all days. */
  cost: bigint;
  days: ProjectedDay[];
  /** The first day on which the result is not negative; null if it never breaks even. */
  breakEvenDay: number | null;
}

const blocksPerDay = 144;

/**
 * Projects a lease day by day under assumptions: blocks come every ten minutes, fees stay constant,
 * the difficulty moves with each epoch, halvings count. A projection, never an offer.
 */
export function projectLease(
  plan: LeasePlan,
  network: NetworkFigures,
  assumed: Assumptions,
): Projection {
  const power = computePowerCostPerDay(plan.powerW, plan.pricePerKwh, plan.quantity);
  const cost = (plan.pricePerDay * BigInt(plan.quantity) + power) * BigInt(plan.days);
  const hashrate = plan.hashrateGhs * BigInt(plan.quantity);
  const days: ProjectedDay[] = [];
  let accrual = 0n;
  let satoshi = 0n;
  let worth = 0n;
  let breakEvenDay: number | null = null;
  for (let day = 1; day <= plan.days; day += 1) {
    accrual += computeAccrualPerTh(figuresAt(network, assumed, day - 1), dayMs / 1_000);
    const total = computeSatoshi(accrual, hashrate, plan.poolFeeBp);
    worth += computeSatoshiWorth(total - satoshi, priceAt(assumed, day, plan.days));
    satoshi = total;
    const result = worth - cost;
    if (breakEvenDay === null && result >= 0n) breakEvenDay = day;
    days.push({ day, satoshi, worth, result });
  }
  return { cost, days, breakEvenDay };
}

function figuresAt(network: NetworkFigures, assumed: Assumptions, daysOn: number): NetworkFigures {
  const height = network.height + daysOn * blocksPerDay;
  const epochs = Math.floor(height / epochBlocks) - Math.floor(network.height / epochBlocks);
  const factor = BigInt(10_000 + Math.max(assumed.difficultyBpPerEpoch, -9_999));
  let difficulty = network.difficulty;
  for (let index = 0; index < epochs; index += 1) difficulty = (difficulty * factor) / 10_000n;
  return { height, difficulty: difficulty > 0n ? difficulty : 1n, feeSum: network.feeSum };
}

function priceAt({ btcPrice, btcPriceAtEnd }: Assumptions, day: number, days: number): bigint {
  if (days <= 1) return btcPriceAtEnd;
  return btcPrice + ((btcPriceAtEnd - btcPrice) * BigInt(day - 1)) / BigInt(days - 1);
}

/**
 * The BTC/USDT price (scale 2, rounded up) at which a day's payout covers the day; null when it
 * pays nothing.
 */
export function computeBreakEvenPrice(plan: LeasePlan, network: NetworkFigures): bigint | null {
  const hashrate = plan.hashrateGhs * BigInt(plan.quantity);
  const satoshi = computeSatoshi(
    computeAccrualPerTh(network, dayMs / 1_000),
    hashrate,
    plan.poolFeeBp,
  );
  if (satoshi === 0n) return null;
  const perDay =
    plan.pricePerDay * BigInt(plan.quantity) +
    computePowerCostPerDay(plan.powerW, plan.pricePerKwh, plan.quantity);
  return (perDay * 10_000n + satoshi - 1n) / satoshi;
}

export interface EpochEstimate {
  firstHeight: number;
  blocksDone: number;
  /**
   * The next difficulty change, in basis points, if the epoch keeps its pace; clamped to what one
   * epoch may change.
   */
  changeBp: number | null;
  /** When the next epoch would begin, in Unix seconds. */
  nextSeconds: number | null;
}

/** Progress of an epoch and the next difficulty its pace implies; nulls before its second block. */
export function estimateEpoch(
  height: number,
  blockSeconds: number,
  epochFirstSeconds: number,
): EpochEstimate {
  const firstHeight = Math.floor(height / epochBlocks) * epochBlocks;
  const blocksDone = height - firstHeight + 1;
  const intervals = blocksDone - 1;
  const elapsedSeconds = blockSeconds - epochFirstSeconds;
  if (intervals === 0 || elapsedSeconds <= 0)
    return { firstHeight, blocksDone, changeBp: null, nextSeconds: null };
  const change = Math.round(((600 * intervals) / elapsedSeconds - 1) * 10_000);
  return {
    firstHeight,
    blocksDone,
    changeBp: Math.min(Math.max(change, -7_500), 30_000),
    nextSeconds:
      blockSeconds + Math.round((elapsedSeconds / intervals) * (epochBlocks - blocksDone + 1)),
  };
}

/** Blocks until the next halving, and its height. */
export function computeNextHalving(height: number): { height: number; blocksLeft: number } {
  const next = nextHalvingAfter(height);
  return { height: next, blocksLeft: next - height };
}
