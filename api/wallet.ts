import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, nothing, timeMs } from "#api/shapes.ts";

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

export const calls = { getWalletList };
