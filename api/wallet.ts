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
 * The coin in which values are shown; pUSDT by default. The browser stores the person's choice,
 * because the server stores no more about a person than it must, and a live total is computed on
 * the page anyway.
 */
const display = z.optional(coin);

export const getWalletList = defineCall({
  method: "GET",
  path: "/api/user/getWalletList",
  summary: "Every coin of the current attempt, with its value in the display currency",
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
    "One coin of the current attempt: balance, price, networks, withdrawal fee and minimum, recharge room",
  access: "user",
  input: z.object({ coin, display_currency: display }),
  answer: z.object({
    ...balance.shape,
    display_currency: coin,
    /** Null for the coin in which prices are quoted, and before the world's first second. */
    price: z.nullable(coinPrice),
    networks: z.array(z.string()),
    withdraw: z.object({
      fee: decimal,
      /**
       * Smallest partial withdrawal at the current index; the whole balance can always leave. Null
       * without an index.
       */
      minimum: z.nullable(decimal),
    }),
    /** The amount that can still be recharged today (real time), as a value in pUSDT. */
    recharge_room: decimal,
  }),
  errors: ["session.required"],
});

export const getWalletHistory = defineCall({
  method: "GET",
  path: "/api/user/getWalletHistory",
  summary: "The total of an attempt over world time: at most 120 points, and the current one",
  access: "user",
  input: z.object({
    range: z._default(z.enum(historyRangeNames as [string, ...string[]]), "day"),
    display_currency: display,
    /** One of the user's own attempts; the current one by default. */
    attempt_id: z.optional(id),
  }),
  answer: z.object({
    display_currency: coin,
    /** World milliseconds between points. */
    step_ms: z.int(),
    /** World time of the attempt's start. */
    started_at_ms: timeMs,
    /**
     * World time and the total just before it, oldest first; null where a coin held then had no
     * index.
     */
    points: z.array(z.tuple([timeMs, z.nullable(decimal)])),
  }),
  errors: ["session.required", "attempts.unknown"],
});

export const calls = { getWalletList, getWalletDetails, getWalletHistory };
