import { divideDown, divideHalfEven } from "../log/bytes.ts";

/** Settlement arithmetic of docs/formats/receipt.md, steps 11 and 12. Integers only. */

/**
 * Trimmed mean of the samples of a window of `seconds`, rounded half to even; null below 80 % of
 * them.
 */
export function settlementPrice(samples: readonly bigint[], seconds: number): bigint | null {
  if (samples.length * 100 < seconds * 80) return null;
  return trimmedMean(samples);
}

/** The same mean of at least one sample, however few there are. */
export function trimmedMean(samples: readonly bigint[]): bigint {
  const sorted = [...samples].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const trimCount = Math.floor(sorted.length / 5);
  let sum = 0n;
  for (let index = trimCount; index < sorted.length - trimCount; index++)
    sum += sorted[index] as bigint;
  return divideHalfEven(sum, BigInt(sorted.length - 2 * trimCount));
}

export interface OrderTerms {
  direction: string;
  stake: string;
  fee: string;
  range_bp: number;
  rate_bp: number;
}

/** Outcome, payout and net of an order; a missing price makes it void. */
export function decideOutcome(
  order: OrderTerms,
  purchase: bigint | null,
  selling: bigint | null,
): { outcome: "won" | "lost" | "tie" | "void"; payout: bigint; net: bigint } {
  const stake = BigInt(order.stake);
  const fee = BigInt(order.fee);
  const outcome = decide(order, purchase, selling);
  const payout = {
    won: stake + divideDown(stake * BigInt(order.rate_bp), 10_000n),
    tie: stake,
    void: stake + fee,
    lost: 0n,
  }[outcome];
  return { outcome, payout, net: payout - stake - fee };
}

function decide(
  order: OrderTerms,
  purchase: bigint | null,
  selling: bigint | null,
): "won" | "lost" | "tie" | "void" {
  if (purchase === null || selling === null) return "void";
  const rose = selling > purchase;
  const move = rose ? selling - purchase : purchase - selling;
  if (move === 0n || move * 10_000n < BigInt(order.range_bp) * purchase) return "tie";
  return rose === (order.direction === "up") ? "won" : "lost";
}
