import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, nothing, pageOf, paging, timeMs } from "#api/shapes.ts";

export const balance = z.object({
  coin,
  scale: z.int(),
  available: decimal,
  held: decimal,
  /** (available + held) in the display currency at the index; null without an index. */
  value: z.nullable(decimal),
});
export type Balance = z.infer<typeof balance>;

export const getWalletList = defineCall({
  method: "GET",
  path: "/api/user/getWalletList",
  summary: "Every coin of the current attempt, with its worth in the display currency",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(balance),
    display_currency: coin,
    total: z.nullable(decimal),
    priced_at_ms: z.nullable(timeMs),
  }),
  errors: ["session.required"],
});

export const transfer = z.object({
  /** Journal id; the same for every leg of one journal. */
  journal_id: id,
  /** The journal's kind, such as `attempt.start`, `contract.open`, `contract.settle`. */
  type: z.string(),
  coin,
  /** Signed: what the posting added to (or took from) the available balance. */
  amount: decimal,
  balance_after: decimal,
  order_id: z.nullable(id),
  at_ms: timeMs,
  recorded_at_ms: timeMs,
});
export type Transfer = z.infer<typeof transfer>;

export const getTransferRecord = defineCall({
  method: "GET",
  path: "/api/user/getTransferRecord",
  summary: "Postings that touched the user's wallet, newest first",
  access: "user",
  input: z.object({ coin: z.optional(coin), ...paging }),
  answer: pageOf(transfer),
  errors: ["session.required"],
});

export const calls = { getWalletList, getTransferRecord };
