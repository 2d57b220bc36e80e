import * as z from "zod/mini";
import { bp, friction } from "#api/hosting/shapes.ts";
import { decimal, hash, timeMs } from "#api/shapes.ts";

const historyTest = z.object({
  from_ms: timeMs,
  to_ms: timeMs,
  moments: z.int(),
  /** The amount put in, in the pool's coin. */
  start: decimal,
  outcomes: z.array(
    z.object({
      friction,
      worth: decimal,
      /** Worth less the amount put in, signed. */
      result: decimal,
      return_bp: bp,
      drawdown_bp: bp,
      trades: z.int(),
      fees: decimal,
      slippage: decimal,
    }),
  ),
  hold_return_bp: bp,
  /** Time, and the change so far: frictionless, realistic, harsh, buy-and-hold. */
  line: z.array(z.tuple([timeMs, bp, bp, bp, bp])),
  /** Time, the widest gap of a stretch at realistic friction, and the gap needed then. */
  gaps: z.array(z.tuple([timeMs, bp, bp])),
  /** Moments with a measurable gap, and how many of those gaps were wide enough. */
  seen: z.int(),
  wide: z.int(),
});

export const historyAnswer = z.object({
  /**
   * pending: still being computed. too_short: too little market data before the world. none: no
   * such data, as on a live market.
   */
  state: z.enum(["ready", "pending", "too_short", "none"]),
  test: z.nullable(historyTest),
  /**
   * The inputs from which it can be recomputed; a simulated market's seed once its first day is
   * revealed.
   */
  inputs: z.nullable(
    z.union([
      z.object({
        kind: z.literal("simulated"),
        begin_leaf: z.int(),
        reveal_leaf: z.nullable(z.int()),
      }),
      z.object({ kind: z.literal("recording"), sha256: hash }),
    ]),
  ),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;
