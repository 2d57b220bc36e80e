import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { recordTypeNames } from "#core/records/record.ts";

/** Positions of an attempt that are still open: contracts, leases, units of pools. */
const runningOff = z.object({
  /** `contract`, `hosting` or `mining`. */
  about: z.string(),
  count: z.int(),
  /** World time at which the last of them ends; null where none is fixed. */
  last_at_ms: z.nullable(timeMs),
});

/** Amounts are in the list's `display_currency`. Times are world time unless marked real. */
const attempt = z.object({
  attempt_id: id,
  /** Counts from 1. */
  number: z.int(),
  current: z.boolean(),
  opened_at_ms: timeMs,
  opened_real_at_ms: timeMs,
  closed_at_ms: z.nullable(timeMs),
  closed_real_at_ms: z.nullable(timeMs),
  /** The total it started with. */
  start_total: decimal,
  /**
   * Value of its wallet when it was closed, at the index of that moment; null while it is open, and
   * where an index was missing.
   */
  closing_total: z.nullable(decimal),
  /** Current value of its wallet, held amounts included. */
  total: z.nullable(decimal),
  /** Current balance of each coin in its wallet; coins with a zero balance are omitted. */
  coins: z.array(z.object({ coin, available: decimal, held: decimal })),
  /**
   * Total gain or loss of the products, fees included, with open positions at their current value;
   * negative is a loss.
   */
  result: z.nullable(decimal),
  lines: z.array(z.object({ type: z.enum(recordTypeNames), result: z.nullable(decimal) })),
  /** Total fees paid: withdrawals, exchanges, contracts. */
  fees: z.nullable(decimal),
  /** Number of postings on its accounts. */
  postings: z.int(),
  running: z.array(runningOff),
  /**
   * For a closed attempt: whether all its waiting recharges and withdrawals have been cancelled.
   */
  settled: z.boolean(),
});
export type Attempt = z.infer<typeof attempt>;

export const getAttempts = defineCall({
  method: "GET",
  path: "/api/user/getAttempts",
  summary: "The user's attempts, newest first, with the figures to compare them",
  access: "user",
  input: z.object({
    ...paging,
    /** Returns only this attempt; an empty list if it does not belong to the user. */
    attempt_id: z.optional(id),
  }),
  answer: z.extend(pageSchema(attempt), {
    display_currency: coin,
    /** Real time from which the user may start over; in the past if they may now. */
    next_start_at_ms: timeMs,
  }),
  errors: ["session.required"],
});

export const startOver = defineCall({
  method: "POST",
  path: "/api/user/startOver",
  summary: "Closes the current attempt and opens a new one with 10 000 pUSDT; nothing carries over",
  access: "user",
  money: true,
  input: z.object({
    /** The attempt to close; refused unless it is still the current one. */
    attempt_id: id,
  }),
  answer: z.object({
    attempt_id: id,
    number: z.int(),
    closed_attempt_id: id,
    /** World time. */
    opened_at_ms: timeMs,
    /** Real time from which the user may start over again. */
    next_start_at_ms: timeMs,
  }),
  errors: ["session.required", "attempts.not_current", "attempts.once_a_day", "ledger.refused"],
});

export const calls = { getAttempts, startOver };
