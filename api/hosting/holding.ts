import * as z from "zod/mini";
import { bp, strategy } from "#api/hosting/shapes.ts";
import { decimal, id, timeMs } from "#api/shapes.ts";

/** One person's current holding in one pool. */
export const holding = z.object({
  product_id: id,
  /** All units, and how many of them wait to be redeemed. */
  units: decimal,
  units_blocked: decimal,
  /** Subscriptions waiting for their mark: already charged, not units yet. */
  waiting: decimal,
  nav: decimal,
  /** units × NAV, rounded down, before the redemption fee. */
  value: decimal,
  paid_in: decimal,
  paid_out: decimal,
  /** value + paid_out − (paid_in − waiting), signed. */
  result: decimal,
  today: decimal,
  return_bp: z.nullable(bp),
  /** NAV at which selling all units would return their cost after the fee; null without units. */
  break_even_nav: z.nullable(decimal),
});
export type Holding = z.infer<typeof holding>;

export const dailyEarning = z.object({
  day_at_ms: timeMs,
  product_id: id,
  strategy,
  /** Units at the day's last mark. */
  units: decimal,
  nav_from: decimal,
  nav_to: decimal,
  /** Sum of units × change of NAV over the day, signed, half to even; excluding redemption fees. */
  earned: decimal,
  /** Redemption fees paid that day. */
  fees: decimal,
});
export type DailyEarning = z.infer<typeof dailyEarning>;
