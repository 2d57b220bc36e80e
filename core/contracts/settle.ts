import { divideDown, divideHalfEven, divideUp } from "#core/money/rounding.ts";

export type Direction = "up" | "down";
export type Outcome = "won" | "lost" | "tie" | "void";
export type VoidReason = "no_entry" | "few_samples";

/** Latest entry second after acceptance, in milliseconds; beyond it the order is void. */
export const entryLatestMs = 2_000;

/** The fee on a stake in minor units: charged, so rounded up. */
export function computeFee(stake: bigint, feeBp: number): bigint {
  return divideUp(stake * BigInt(feeBp), 10_000n);
}

/** The profit on a won stake in minor units: credited, so rounded down. */
export function computeProfit(stake: bigint, rateBp: number): bigint {
  return divideDown(stake * BigInt(rateBp), 10_000n);
}

/**
 * Decides the effect of a `second` leaf after the binding one on an order's entry. Leaves are read
 * in log order up to the first that decides. Source: docs/rules/contracts.md, rule 2.
 */
export function readEntry(
  acceptedAtMs: number,
  leaf: { secondMs: number; value: bigint | null },
): { decides: false } | { decides: true; price: bigint } | { decides: true; price: null } {
  if (leaf.secondMs - acceptedAtMs > entryLatestMs) return { decides: true, price: null };
  return leaf.value === null ? { decides: false } : { decides: true, price: leaf.value };
}

/** The delivery second: entry second plus the tier's length, in world milliseconds. */
export function computeDelivery(entryAtMs: number, tierSeconds: number): number {
  return entryAtMs + tierSeconds * 1000;
}

export interface OrderTerms {
  direction: Direction;
  stake: bigint;
  fee: bigint;
  rateBp: number;
  rangeBp: number;
}

export interface Settlement {
  outcome: Outcome;
  /** Returned to the wallet, in minor units. */
  payout: bigint;
  /** Payout less the amount charged. */
  net: bigint;
}

/**
 * Decides outcome and payout from both prices; a missing settlement price (`null`) makes the order
 * void.
 */
export function settle(
  order: OrderTerms,
  entryPrice: bigint | null,
  settlementPrice: bigint | null,
): Settlement {
  const outcome =
    entryPrice === null || settlementPrice === null
      ? "void"
      : decideOutcome(order, entryPrice, settlementPrice);
  const payout = computePayout(order, outcome);
  return { outcome, payout, net: payout - order.stake - order.fee };
}

/** Compares the move with the range without dividing, so that no rounding decides an outcome. */
export function decideOutcome(
  order: { direction: Direction; rangeBp: number },
  entryPrice: bigint,
  settlementPrice: bigint,
): "won" | "lost" | "tie" {
  const move = settlementPrice - entryPrice;
  const size = move < 0n ? -move : move;
  if (size === 0n || size * 10_000n < BigInt(order.rangeBp) * entryPrice) return "tie";
  return move > 0n === (order.direction === "up") ? "won" : "lost";
}

function computePayout(order: OrderTerms, outcome: Outcome): bigint {
  switch (outcome) {
    case "won":
      return order.stake + computeProfit(order.stake, order.rateBp);
    case "tie":
      return order.stake;
    case "void":
      return order.stake + order.fee;
    case "lost":
      return 0n;
  }
}

/**
 * The signed move in hundredths of a basis point, rounded half to even; for display only, never for
 * decisions.
 */
export function computeMoveHundredthsBp(entryPrice: bigint, settlementPrice: bigint): bigint {
  const move = settlementPrice - entryPrice;
  const size = divideHalfEven((move < 0n ? -move : move) * 1_000_000n, entryPrice);
  return move < 0n ? -size : size;
}
