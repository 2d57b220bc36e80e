import type { LeasePlan } from "#core/mining/calculator.ts";
import { epochBlocks } from "#core/mining/difficulty.ts";
import {
  computeAccrualPerTh,
  computePowerCostPerDay,
  computeSatoshi,
  computeSatoshiWorth,
  type NetworkFigures,
} from "#core/mining/formula.ts";
import { subsidyAt } from "#core/mining/subsidy.ts";
import { divideHalfEven } from "#core/money/rounding.ts";
import { dayMs, secondMs } from "#core/money/time.ts";
import type { HistoryKline } from "#core/monte-carlo/moves.ts";
import { personCount } from "#core/monte-carlo/orders.ts";
import { computeQuantiles, countBelow, type Quantiles } from "#core/monte-carlo/quantiles.ts";
import { createDraws, scaleDraw } from "#core/monte-carlo/random.ts";

/** A figure before and after a change; only their ratio counts. */
export interface Change {
  from: bigint;
  to: bigint;
}

export interface LeaseRunInput {
  seed: string;
  plan: LeasePlan;
  network: NetworkFigures;
  /** BTC/USDT at scale 2. */
  btcPrice: bigint;
  /** Changes of the price over a day, at least one. */
  prices: readonly Change[];
  /** Changes of difficulty; if empty, it stays constant. */
  difficulties: readonly Change[];
}

export interface LeaseRun {
  seed: string;
  /** By number of days: the worth mined less everything charged at the start. */
  fan: { day: number; spread: Quantiles }[];
  /** The number of people who earned less than the lease cost. */
  below: number;
  spread: Quantiles;
}

const blocksPerDay = 144;
const points = 60;

/**
 * A thousand people with the same lease, each with a future resampled from the past. Every day but
 * the first repeats the size of a past day's price change; a coin flip decides its direction,
 * because repeating a past trend would promise a return. Every new epoch repeats a past change of
 * difficulty. Person by person and day by day, one draw for the price (its lowest bit is the
 * direction: 1 as it was; the other 31 are the day) and then, where an epoch begins, one for the
 * difficulty. Otherwise as the calculator projects it. Source: docs/rules/monte-carlo.md. Throws a
 * RangeError without a price change.
 */
export function runLeases(input: LeaseRunInput): LeaseRun {
  const { seed, plan } = input;
  if (input.prices.length === 0) throw new RangeError("a run needs a history");
  const draw = createDraws(seed);
  const power = computePowerCostPerDay(plan.powerW, plan.pricePerKwh, plan.quantity);
  const cost = (plan.pricePerDay * BigInt(plan.quantity) + power) * BigInt(plan.days);
  const step = Math.max(1, Math.ceil(plan.days / points));
  const results = new Map<number, bigint[]>([[0, []]]);
  for (let day = step; day < plan.days; day += step) results.set(day, []);
  results.set(plan.days, []);
  for (let person = 0; person < personCount; person += 1) {
    results.get(0)?.push(-cost);
    simulateLease(input, draw, (day, worth) => results.get(day)?.push(worth - cost));
  }
  const endResults = results.get(plan.days)!;
  return {
    seed,
    fan: [...results].map(([day, values]) => ({ day, spread: computeQuantiles(values) })),
    below: countBelow(endResults),
    spread: computeQuantiles(endResults),
  };
}

/**
 * Simulates one person's lease; calls `onDayEnd` with the worth of everything mined by the end of
 * each day.
 */
function simulateLease(
  { plan, network, btcPrice, prices, difficulties }: LeaseRunInput,
  draw: () => number,
  onDayEnd: (day: number, worth: bigint) => void,
): void {
  const drawPriceChange = () => {
    const word = draw();
    const { from, to } = prices[scaleDraw(word >>> 1, 31, prices.length)] as Change;
    return (word & 1) === 1 ? { from, to } : { from: to, to: from };
  };
  const hashrate = plan.hashrateGhs * BigInt(plan.quantity);
  let [price, difficulty] = [btcPrice, network.difficulty];
  let [accrual, satoshi, worth] = [0n, 0n, 0n];
  let perDay = computeAccrualPerTh(network, dayMs / secondMs);
  for (let day = 1; day <= plan.days; day += 1) {
    const height = network.height + (day - 1) * blocksPerDay;
    const before = height - blocksPerDay;
    if (day > 1) {
      price = applyChange(price, drawPriceChange());
      const isNewEpoch = computeEpoch(height) > computeEpoch(before);
      if (isNewEpoch && difficulties.length > 0) {
        const index = scaleDraw(draw(), 32, difficulties.length);
        difficulty = applyChange(difficulty, difficulties[index] as Change);
      }
      if (isNewEpoch || subsidyAt(height) !== subsidyAt(before))
        perDay = computeAccrualPerTh({ ...network, height, difficulty }, dayMs / secondMs);
    }
    accrual += perDay;
    const total = computeSatoshi(accrual, hashrate, plan.poolFeeBp);
    worth += computeSatoshiWorth(total - satoshi, price);
    satoshi = total;
    onDayEnd(day, worth);
  }
}

function computeEpoch(height: number): number {
  return Math.floor(height / epochBlocks);
}

/** The value after a change, rounded half to even; never zero. */
function applyChange(value: bigint, { from, to }: Change): bigint {
  const next = divideHalfEven(value * to, from);
  return next > 0n ? next : 1n;
}

/** Changes from the close of each kline to the close a day later, if both exist. */
export function listDayChanges(klines: readonly HistoryKline[]): Change[] {
  const closes = new Map(klines.map(({ openMs, close }) => [openMs, close]));
  return klines.flatMap(({ openMs, close }) => {
    const to = closes.get(openMs + dayMs);
    return to === undefined ? [] : [{ from: close, to }];
  });
}

/** Changes of difficulty between readings in time order that lie in different epochs. */
export function listDifficultyChanges(
  readings: readonly { height: number; difficulty: bigint }[],
): Change[] {
  return readings.flatMap(({ height, difficulty }, index) => {
    const last = readings[index - 1];
    const isNew = last !== undefined && computeEpoch(height) > computeEpoch(last.height);
    return isNew ? [{ from: last.difficulty, to: difficulty }] : [];
  });
}
