import type { AnswerOf } from "#api/call.ts";
import type { getNetwork, Machine } from "#api/mining.ts";
import type { Plan } from "#core/mining/calculator.ts";
import { feeBlocks, type NetworkFigures } from "#core/mining/formula.ts";

export type Network = AnswerOf<typeof getNetwork>;

/** A signed decimal of the wire as an integer at `scale`; digits beyond it are cut. */
export function minorOf(text: string, scale: number): bigint {
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
  return negative ? -value : value;
}

/** What the formula takes of the network as it was last read. */
export function figuresOf(
  network: Pick<Network, "height" | "difficulty" | "mean_fee">,
): NetworkFigures {
  return {
    height: network.height,
    difficulty: minorOf(network.difficulty, 0),
    feeSum: minorOf(network.mean_fee, 8) * BigInt(feeBlocks),
  };
}

/** A lease of `quantity` machines for `days`, as the calculator takes it. */
export function planOf(machine: Machine, quantity: number, days: number): Plan {
  return {
    hashrateGhs: minorOf(machine.hashrate_ths, 3),
    powerW: machine.power_w,
    pricePerDay: minorOf(machine.price_per_day, 6),
    perKwh: minorOf(machine.electricity_per_kwh, 6),
    poolFeeBp: machine.pool_fee_bp,
    quantity,
    days,
  };
}

/** What a person is shown before leasing: as today, and one guess to each side of it. */
export const scenarios = [
  { name: "worse", difficultyBpPerEpoch: 300, priceChangePercent: -30 },
  { name: "same", difficultyBpPerEpoch: 0, priceChangePercent: 0 },
  { name: "better", difficultyBpPerEpoch: -300, priceChangePercent: 30 },
] as const;

/** BTC/USDT at scale 2 after a change in whole percent. */
export function changedPrice(price: bigint, percent: number): bigint {
  return (price * BigInt(100 + percent)) / 100n;
}
