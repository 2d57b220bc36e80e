import { subsidyAt } from "#core/mining/subsidy.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/** Fees count as the mean of the last this many blocks. */
export const feeBlocks = 144;
/** Accruals are kept in units of 10⁻¹² satoshi. */
const accrualScale = 12;
const accrualUnit = 10n ** BigInt(accrualScale);
const hashesPerTh = 10n ** 12n;
const bpWhole = 10_000n;

/** The network figures that payouts need. */
export interface NetworkFigures {
  height: number;
  difficulty: bigint;
  /** Total fees of the last 144 blocks, in satoshi. */
  feeSum: bigint;
}

/**
 * The accrual of 1 TH/s in `seconds` before the pool fee, in 10⁻¹² satoshi, rounded down
 * (docs/rules/mining.md, rule 1): hashes × (subsidy + mean fee) / (difficulty × 2³²).
 */
export function computeAccrualPerTh(
  { height, difficulty, feeSum }: NetworkFigures,
  seconds: number,
): bigint {
  const perBlocks = subsidyAt(height) * BigInt(feeBlocks) + feeSum;
  const numerator = hashesPerTh * BigInt(seconds) * perBlocks * accrualUnit;
  return divideDown(numerator, (difficulty << 32n) * BigInt(feeBlocks));
}

/**
 * The earnings of a hashrate (GH/s) from an accrual per TH, after the pool fee, in whole satoshi,
 * rounded down. Pass the accrual since the lease began: what is cut today is then in tomorrow's
 * total, so the remainder carries over.
 */
export function computeSatoshi(accrual: bigint, hashrateGhs: bigint, poolFeeBp: number): bigint {
  return divideDown(
    accrual * hashrateGhs * (bpWhole - BigInt(poolFeeBp)),
    1_000n * bpWhole * accrualUnit,
  );
}

/**
 * The same, before or after the fee (`poolFeeBp`), in ten-thousandths of a satoshi, for display.
 */
export function computeFineSatoshi(
  accrual: bigint,
  hashrateGhs: bigint,
  poolFeeBp: number,
): bigint {
  return divideDown(accrual * hashrateGhs * (bpWhole - BigInt(poolFeeBp)), 1_000n * accrualUnit);
}

/**
 * Daily power cost of `quantity` machines in minor units of pUSDT: W × 24 / 1 000 × price per kWh,
 * rounded up.
 */
export function computePowerCostPerDay(
  watts: number,
  pricePerKwh: bigint,
  quantity: number,
): bigint {
  return divideUp(BigInt(watts) * 24n * pricePerKwh * BigInt(quantity), 1_000n);
}

/** Worth of satoshi in minor units of pUSDT at the BTC/USDT index (scale 2), rounded down. */
export function computeSatoshiWorth(satoshi: bigint, btcPrice: bigint): bigint {
  return divideDown(satoshi * btcPrice, 10_000n);
}
