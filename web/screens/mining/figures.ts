import type { AnswerOf } from "#api/call.ts";
import type { getNetwork, Machine } from "#api/mining.ts";
import type { LeasePlan } from "#core/mining/calculator.ts";
import { feeBlocks, type NetworkFigures } from "#core/mining/formula.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits, truncateDecimal } from "#core/money/decimal.ts";

export type Network = AnswerOf<typeof getNetwork>;

/** The formula's inputs from the latest network reading. */
export function toFigures(
  network: Pick<Network, "height" | "difficulty" | "mean_fee">,
): NetworkFigures {
  return {
    height: network.height,
    difficulty: truncateDecimal(network.difficulty, 0),
    feeSum: truncateDecimal(network.mean_fee, 8) * BigInt(feeBlocks),
  };
}

/** The daily readings of height and difficulty, oldest first. */
export function listReadings(network: Pick<Network, "history">) {
  return network.history.map(([, height, difficulty]) => ({
    height,
    difficulty: truncateDecimal(difficulty, 0),
  }));
}

/** A lease of `quantity` machines for `days`, as input for the calculator. */
export function createPlan(machine: Machine, quantity: number, days: number): LeasePlan {
  return {
    hashrateGhs: truncateDecimal(machine.hashrate_ths, 3),
    powerW: machine.power_w,
    pricePerDay: toMinorUnits(machine.price_per_day, coinScale("pUSDT")),
    pricePerKwh: toMinorUnits(machine.electricity_per_kwh, coinScale("pUSDT")),
    poolFeeBp: machine.pool_fee_bp,
    quantity,
    days,
  };
}

/** Shown to a person before leasing: as today, and one assumption to each side of it. */
export const scenarios = [
  { name: "worse", difficultyBpPerEpoch: 300, priceChangePercent: -30 },
  { name: "same", difficultyBpPerEpoch: 0, priceChangePercent: 0 },
  { name: "better", difficultyBpPerEpoch: -300, priceChangePercent: 30 },
] as const;

/** BTC/USDT at scale 2 after a change in whole percent. */
export function changePrice(price: bigint, percent: number): bigint {
  return (price * BigInt(100 + percent)) / 100n;
}
