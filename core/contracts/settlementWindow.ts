import { divideHalfEven } from "#core/money/rounding.ts";
import { secondMs } from "#core/money/time.ts";

/** Tiers shorter than this, in seconds, settle on the short window. */
export const longTierSeconds = 300;
export const shortWindowSeconds = 10;
export const longWindowSeconds = 60;

/** Length of a tier's settlement window, in seconds. Source: docs/rules/contracts.md, rule 3. */
export function getWindowSeconds(tierSeconds: number): number {
  return tierSeconds < longTierSeconds ? shortWindowSeconds : longWindowSeconds;
}

/** The possible window lengths, in seconds. */
export const windowLengths = [shortWindowSeconds, longWindowSeconds] as const;

/**
 * The window of `seconds` ending with the delivery second, in world milliseconds. `opensAtMs` is
 * the start of its first second; `fromMs` and `toMs` name its first and last second, inclusive. A
 * second is named by the time it closes. Source: docs/rules/contracts.md, rules 3 and 5.
 */
export function getWindowBounds(
  deliveryAtMs: number,
  seconds: number,
): { opensAtMs: number; fromMs: number; toMs: number } {
  const opensAtMs = deliveryAtMs - seconds * secondMs;
  return { opensAtMs, fromMs: opensAtMs + secondMs, toMs: deliveryAtMs };
}

/** Returns true if at least 80 % of a window's samples are present. */
function enoughSamples(presentCount: number, seconds: number): boolean {
  return presentCount * 5 >= seconds * 4;
}

/** Samples dropped at each end: a fifth of those present, rounded down. */
export function getTrimCount(presentCount: number): number {
  return Math.floor(presentCount / 5);
}

export type SettlementPrice =
  | { ok: true; price: bigint; used: readonly bigint[]; dropped: number }
  | { ok: false; error: "few_samples"; present: number };

/**
 * The settlement price from the index values present in the window, in any order, at the symbol's
 * scale: the lowest and highest fifth are dropped and the rest averaged, rounded half to even.
 * `used` holds the samples that count, sorted.
 */
export function computeSettlementPrice(
  samples: readonly bigint[],
  seconds: number,
): SettlementPrice {
  if (!enoughSamples(samples.length, seconds)) {
    return { ok: false, error: "few_samples", present: samples.length };
  }
  return { ok: true, ...computeTrimmedMean(samples) };
}

/** The same mean of at least one sample, however few there are. */
export function computeTrimmedMean(samples: readonly bigint[]) {
  const sorted = [...samples].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const trimCount = getTrimCount(sorted.length);
  const used = sorted.slice(trimCount, sorted.length - trimCount);
  const sum = used.reduce((total, value) => total + value, 0n);
  return { price: divideHalfEven(sum, BigInt(used.length)), used, dropped: trimCount };
}
