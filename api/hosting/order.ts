import * as z from "zod/mini";
import { strategy } from "#api/hosting/shapes.ts";
import { marketKind } from "#api/meta.ts";
import { coin, decimal, hash, id, timeMs } from "#api/shapes.ts";

const hostingAction = z.enum(["subscribe", "redeem"]);

export const hostingStatus = z.enum(["processing", "over"]);

export const hostingOrder = z.object({
  order_id: id,
  attempt_id: id,
  product_id: id,
  strategy,
  action: hostingAction,
  status: hostingStatus,
  /**
   * returned: a subscription whose mark could no longer come because the recording ended; the money
   * was returned.
   */
  outcome: z.nullable(z.enum(["executed", "returned"])),
  coin,
  /**
   * Subscription: the amount charged. Redemption: units × NAV before the fee; null until its mark.
   */
  amount: z.nullable(decimal),
  /** Issued or redeemed; null for a subscription until its mark. */
  units: z.nullable(decimal),
  nav: z.nullable(decimal),
  /** Redemption fee, which stays in the pool. Null until its mark; always 0 for a subscription. */
  fee: z.nullable(decimal),
  /** Amount paid to the wallet; null until over, and for an executed subscription. */
  payout: z.nullable(decimal),
  accepted_at_ms: timeMs,
  /**
   * Index of the leaf that includes its hash; its mark comes after this leaf. Null until the next
   * second.
   */
  bound_leaf: z.nullable(z.int()),
  mark_at_ms: z.nullable(timeMs),
  mark_leaf: z.nullable(z.int()),
  /** Why it still waits; null when over, and while its minute has simply not ended. */
  waiting_for: z.nullable(z.enum(["index", "recording_ended"])),
  terms_hash: hash,
  order_hash: hash,
  market: z.object({ kind: marketKind, speed: z.int() }),
});
export type HostingOrder = z.infer<typeof hostingOrder>;
