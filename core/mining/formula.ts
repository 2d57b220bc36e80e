import { subsidyAt } from "#core/mining/subsidy.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/** Fees count as the mean of this many blocks, the last ones. */
export const feeBlocks = 144;
/** The unit accruals are kept in: 10⁻¹² satoshi. */
const accrualScale = 12;
const accrualUnit = 10n ** BigInt(accrualScale);
const hashesPerTh = 10n ** 12n;
const bpWhole = 10_000n;

/** The network as payouts need it. */
export interface NetworkFigures {
  height: number;
  difficulty: bigint;
  /** Fees of the last 144 blocks together, in satoshi. */
  feeSum: bigint;
}

/**
 * What 1 TH/s brings in `seconds` before the pool's fee, in 10⁻¹² satoshi, rounded down
 * (docs/rules/mining.md, rule 1): hashes × (subsidy + mean fee) / (difficulty × 2³²).
 */
export function accrualPerTh(
  { height, difficulty, feeSum }: NetworkFigures,
  seconds: number,
): bigint {
  const perBlocks = subsidyAt(height) * BigInt(feeBlocks) + feeSum;
  const numerator = hashesPerTh * BigInt(seconds) * perBlocks * accrualUnit;
  return divideDown(numerator, (difficulty << 32n) * BigInt(feeBlocks));
}

/**
 * What a hashrate (GH/s) made of an accrual per TH, after the pool's fee, in whole satoshi, rounded
 * down. Called with the accrual since the lease's first moment, so that what is cut today is in
 * tomorrow's total: the remainder is carried on.
 */
export function satoshiOf(accrual: bigint, hashrateGhs: bigint, poolFeeBp: number): bigint {
  return divideDown(
    accrual * hashrateGhs * (bpWhole - BigInt(poolFeeBp)),
    1_000n * bpWhole * accrualUnit,
  );
}

/**
 * The same before the fee or after it (`poolFeeBp`) in ten-thousandths of a satoshi, for showing.
 */
export function fineSatoshiOf(accrual: bigint, hashrateGhs: bigint, poolFeeBp: number): bigint {
  return divideDown(accrual * hashrateGhs * (bpWhole - BigInt(poolFeeBp)), 1_000n * accrualUnit);
}

/**
 * Power of `quantity` machines for one day in minor units of pUSDT: W × 24 / 1 000 × price per kWh,
 * rounded up.
 */
export function powerPerDay(watts: number, perKwh: bigint, quantity: number): bigint {
  return divideUp(BigInt(watts) * 24n * perKwh * BigInt(quantity), 1_000n);
}

/** Satoshi in minor units of pUSDT at the index of BTC/USDT (scale 2), rounded down. */
export function worthOfSatoshi(satoshi: bigint, btcPrice: bigint): bigint {
  return divideDown(satoshi * btcPrice, 10_000n);
}
