/** The arithmetic of docs/rules/mining.md, implemented from that text. */

const btc = 100_000_000n;
const largest = 0xffffn * 256n ** 26n;

/** 50 BTC, halved every 210 000 blocks. */
export function subsidyAt(height: number): bigint {
  let coins = 50n * btc;
  for (let index = 210_000; index <= height && coins > 0n; index += 210_000) coins /= 2n;
  return coins;
}

/** Decodes a compact target. */
export function bitsToTarget(bits: number): bigint {
  const digits = Math.floor(bits / 2 ** 24);
  const first = BigInt(bits % 2 ** 24);
  return digits >= 3 ? first * 256n ** BigInt(digits - 3) : first / 256n ** BigInt(3 - digits);
}

/** Encodes a target in compact form: its first three bytes, the first of them below 0x80. */
export function targetToBits(value: bigint): number {
  let bytes = value.toString(16);
  if (bytes.length % 2) bytes = `0${bytes}`;
  if (Number.parseInt(bytes.slice(0, 2), 16) >= 0x80) bytes = `00${bytes}`;
  const digits = bytes.length / 2;
  return digits * 2 ** 24 + Number.parseInt(bytes.padEnd(6, "0").slice(0, 6), 16);
}

export const bitsToDifficulty = (bits: number): bigint => largest / bitsToTarget(bits);

/**
 * The bits after an epoch that took this many seconds, clamped to between a quarter of two weeks
 * and four times two weeks.
 */
export function nextBits(bits: number, seconds: number): number {
  const weeks = 1_209_600;
  const clampedSeconds =
    seconds < weeks / 4 ? weeks / 4 : seconds > weeks * 4 ? weeks * 4 : seconds;
  const next = (bitsToTarget(bits) * BigInt(clampedSeconds)) / BigInt(weeks);
  return targetToBits(next < largest ? next : largest);
}

/** The earnings of 1 TH/s in an hour, in 10⁻¹² satoshi. */
export function computeAccrualPerThHour(height: number, bits: number, feeSum: bigint): bigint {
  const hashes = 10n ** 12n * 3_600n;
  return (
    (hashes * (144n * subsidyAt(height) + feeSum) * 10n ** 12n) /
    (bitsToDifficulty(bits) * 2n ** 32n * 144n)
  );
}

/** Satoshi earned by a hashrate in GH/s, from the accrual of 1 TH/s. */
export function computeMined(gross: bigint, ghs: bigint, poolFeeBp: number): bigint {
  return (gross * ghs * BigInt(10_000 - poolFeeBp)) / (1_000n * 10_000n * 10n ** 12n);
}
