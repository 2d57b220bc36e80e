import { decideOutcome } from "#core/contracts/settle.ts";
import { hourMs, minuteMs, secondMs } from "#core/money/time.ts";

/** The part of a kline that a run reads: prices in the symbol's minor units. */
export interface HistoryKline {
  openMs: number;
  open: bigint;
  close: bigint;
}

/** The outcome that an "up" order placed at a moment of the history would have had. */
export type Move = "won" | "lost" | "tie";

const steps = [
  { interval: "1h", ms: hourMs },
  { interval: "5m", ms: 5 * minuteMs },
  { interval: "1m", ms: minuteMs },
] as const;

/**
 * The klines to read for a tier: the longest of at most a twelfth of the tier's length, so that
 * long tiers cover a long history with closely spaced starts; else minutes.
 */
export function getHistoryStep(tierSeconds: number): (typeof steps)[number] {
  const fittingStep = steps.find(({ ms }) => tierSeconds * secondMs >= 12 * ms);
  return fittingStep ?? steps[2];
}

/**
 * The move after each start of the history: from the opening price of one kline to the closing
 * price of the kline in which an order of `tierSeconds` ends. A start whose last kline is missing,
 * or is still open at `nowMs`, is left out, so that no future price is read.
 */
export function computeMoves(
  klines: readonly HistoryKline[],
  { stepMs, tierSeconds, rangeBp, nowMs }: MoveRule,
): Move[] {
  const closedKlines = klines.filter(({ openMs }) => openMs + stepMs <= nowMs);
  const closes = new Map(closedKlines.map(({ openMs, close }) => [openMs, close]));
  const behindMs = (Math.max(1, Math.round((tierSeconds * secondMs) / stepMs)) - 1) * stepMs;
  return closedKlines.flatMap(({ openMs, open }) => {
    const close = closes.get(openMs + behindMs);
    return close === undefined ? [] : decideOutcome({ direction: "up", rangeBp }, open, close);
  });
}

export interface MoveRule {
  /** Length of a kline. */
  stepMs: number;
  tierSeconds: number;
  rangeBp: number;
  /** World time. */
  nowMs: number;
}
