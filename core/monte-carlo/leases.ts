import type { LeasePlan } from "#core/mining/calculator.ts";
import { epochBlocks } from "#core/mining/difficulty.ts";
import {
  computeAccrualPerTh,
  computeSatoshi,
  type NetworkFigures,
  powerCostPerDay,
  worthOfSatoshi,
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
  /** Changes of difficulty; without one it stays as it is. */
  difficulties: readonly Change[];
}

export interface LeaseRun {
  seed: string;
  /** After so many days of the lease: worth mined less everything charged at the start. */
  fan: { day: number; spread: Quantiles }[];
  /** How many of the people earned less than the lease cost. */
  below: number;
  spread: Quantiles;
}

const blocksPerDay = 144;
const points = 60;

/**
 * A thousand people with the same lease, each with a future resampled from the past: every day but
 * the first moves the price as much as a past day did, in its direction or against it by a coin
 * flip, because a past trend would promise something; every new epoch changes the difficulty as a
 * past one did. Person by person and day by day, one draw for the price (its lowest bit is the
 * direction: 1 as it was; the other 31 are the day) and then, where an epoch begins, one for the
 * difficulty. Otherwise as the calculator projects it. Source: docs/rules/monte-carlo.md. Throws a
 * RangeError without a price change.
 */
export function runLeases(input: LeaseRunInput): LeaseRun {
  const { seed, plan } = input;
  if (input.prices.length === 0) throw new RangeError("a run needs a history");
  const draw = createDraws(seed);
  const power = powerCostPerDay(plan.powerW, plan.pricePerKwh, plan.quantity);
  const cost = (plan.pricePerDay * BigInt(plan.quantity) + power) * BigInt(plan.days);
  const step = Math.max(1, Math.ceil(plan.days / points));
  const results = new Map<number, bigint[]>([[0, []]]);
  for (let day = step; day < plan.days; day += step) results.set(day, []);
  results.set(plan.days, []);
  for (let person = 0; person < personCount; person += 1) {
    results.get(0)?.push(-cost);
    mine(input, draw, (day, worth) => results.get(day)?.push(worth - cost));
  }
  const ends = results.get(plan.days)!;
  return {
    seed,
    fan: [...results].map(([day, values]) => ({ day, spread: computeQuantiles(values) })),
    below: countBelow(ends),
    spread: computeQuantiles(ends),
  };
}

/** One person's lease; `note` takes the worth of all that was mined up to each day's end. */
function mine(
  { plan, network, btcPrice, prices, difficulties }: LeaseRunInput,
  draw: () => number,
  note: (day: number, worth: bigint) => void,
): void {
  const flipped = () => {
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
      price = changed(price, flipped());
      const isNewEpoch = computeEpoch(height) > computeEpoch(before);
      if (isNewEpoch && difficulties.length > 0) {
        const index = scaleDraw(draw(), 32, difficulties.length);
        difficulty = changed(difficulty, difficulties[index] as Change);
      }
      if (isNewEpoch || subsidyAt(height) !== subsidyAt(before))
        perDay = computeAccrualPerTh({ ...network, height, difficulty }, dayMs / secondMs);
    }
    accrual += perDay;
    const total = computeSatoshi(accrual, hashrate, plan.poolFeeBp);
    worth += worthOfSatoshi(total - satoshi, price);
    satoshi = total;
    note(day, worth);
  }
}

function computeEpoch(height: number): number {
  return Math.floor(height / epochBlocks);
}

/** The value after a change, rounded half to even; never zero. */
function changed(value: bigint, { from, to }: Change): bigint {
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
export function difficultyChanges(
  readings: readonly { height: number; difficulty: bigint }[],
): Change[] {
  return readings.flatMap(({ height, difficulty }, index) => {
    const last = readings[index - 1];
    const isNew = last !== undefined && computeEpoch(height) > computeEpoch(last.height);
    return isNew ? [{ from: last.difficulty, to: difficulty }] : [];
  });
}
