import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, symbol, timeMs } from "#api/shapes.ts";
import { historyRangeNames } from "#core/wallet/balanceHistory.ts";

export const balance = z.object({
  coin,
  scale: z.int(),
  available: decimal,
  held: decimal,
  /** (available + held) in the display currency at the index; null without an index. */
  value: z.nullable(decimal),
});
export type Balance = z.infer<typeof balance>;

/**
 * The coin that worths are shown in; pUSDT without it. The browser keeps the person's choice: the
 * server knows no more of a person than it must, and a live total is computed on the page anyway.
 */
const display = z.optional(coin);

export const getWalletList = defineCall({
  method: "GET",
  path: "/api/user/getWalletList",
  summary: "Every coin of the current attempt, with its worth in the display currency",
  access: "user",
  input: z.object({ display_currency: display }),
  answer: z.object({
    items: z.array(balance),
    display_currency: coin,
    total: z.nullable(decimal),
    priced_at_ms: z.nullable(timeMs),
  }),
  errors: ["session.required"],
});

/** The index a coin is valued at: of one market, at one second, which is one leaf of the log. */
const coinPrice = z.object({
  symbol,
  price: z.nullable(decimal),
  second_ms: timeMs,
  leaf: z.int(),
});

export const getWalletDetails = defineCall({
  method: "GET",
  path: "/api/user/getWalletDetails",
  summary:
    "One coin of the current attempt: balance, price, networks, what withdrawing costs, room for recharges",
  access: "user",
  input: z.object({ coin, display_currency: display }),
  answer: z.object({
    ...balance.shape,
    display_currency: coin,
    /** Null for the coin that prices are in, and before the world's first second. */
    price: z.nullable(coinPrice),
    networks: z.array(z.string()),
    withdraw: z.object({
      fee: decimal,
      /**
       * The least part of a balance that may leave, at the index of now; all of it may always. Null
       * without an index.
       */
      minimum: z.nullable(decimal),
    }),
    /** What may still be recharged today (real time), as worth in pUSDT. */
    recharge_room: decimal,
  }),
  errors: ["session.required"],
});

export const getWalletHistory = defineCall({
  method: "GET",
  path: "/api/user/getWalletHistory",
  summary: "The total of an attempt over world time: at most 120 points, and the one of now",
  access: "user",
  input: z.object({
    range: z._default(z.enum(historyRangeNames as [string, ...string[]]), "day"),
    display_currency: display,
    /** One of one's own attempts; the current one without it. */
    attempt_id: z.optional(id),
  }),
  answer: z.object({
    display_currency: coin,
    /** World milliseconds from one point to the next. */
    step_ms: z.int(),
    /** World time of the attempt's start. */
    started_at_ms: timeMs,
    /**
     * World time and total just before it, oldest first; null where a coin that was there had no
     * index.
     */
    points: z.array(z.tuple([timeMs, z.nullable(decimal)])),
  }),
  errors: ["session.required", "attempts.unknown"],
});

export const calls = { getWalletList, getWalletDetails, getWalletHistory };
