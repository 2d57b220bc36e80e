import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, pageOf, paging, timeMs } from "#api/shapes.ts";
import { recordTypeNames } from "#core/records/record.ts";

/** What still runs in an attempt: open contracts, leases, units of pools. */
const runningOff = z.object({
  /** `contract`, `hosting` or `mining`. */
  about: z.string(),
  count: z.int(),
  /** World time at which the last of them ends; null where none is fixed. */
  last_at_ms: z.nullable(timeMs),
});

/** All amounts are in `display_currency` of the list. Times are world time unless they say real. */
const attempt = z.object({
  attempt_id: id,
  /** From 1. */
  number: z.int(),
  current: z.boolean(),
  opened_at_ms: timeMs,
  opened_real_at_ms: timeMs,
  closed_at_ms: z.nullable(timeMs),
  closed_real_at_ms: z.nullable(timeMs),
  /** What it started with. */
  start_total: decimal,
  /**
   * What its wallet was worth when it was closed, at the index of then; null while open, and where
   * an index lacked.
   */
  closing_total: z.nullable(decimal),
  /** What its wallet is worth now, held amounts included. */
  total: z.nullable(decimal),
  /** What there is of each coin in its wallet now, those with nothing left out. */
  coins: z.array(z.object({ coin, available: decimal, held: decimal })),
  /**
   * What the products brought or cost in all, open positions at what is in them; below zero is a
   * loss. Fees are in it.
   */
  result: z.nullable(decimal),
  lines: z.array(z.object({ type: z.enum(recordTypeNames), result: z.nullable(decimal) })),
  /** Fees paid in all: withdrawals, exchanges, contracts. */
  fees: z.nullable(decimal),
  /** Postings on its accounts. */
  postings: z.int(),
  running: z.array(runningOff),
  /** Of a closed one: whether its waiting recharges and withdrawals have all been cancelled. */
  settled: z.boolean(),
});
export type Attempt = z.infer<typeof attempt>;

export const getAttempts = defineCall({
  method: "GET",
  path: "/api/user/getAttempts",
  summary: "One's attempts, newest first, to compare and to read on",
  access: "user",
  input: z.object({
    ...paging,
    /** Only this one; none when it is not one's own. */
    attempt_id: z.optional(id),
  }),
  answer: z.extend(pageOf(attempt), {
    display_currency: coin,
    /** Real time from which one may start over; in the past when one may now. */
    next_start_at_ms: timeMs,
  }),
  errors: ["session.required"],
});

export const startOver = defineCall({
  method: "POST",
  path: "/api/user/startOver",
  summary: "Closes the current attempt and opens a new one with 10 000 pUSDT; nothing crosses",
  access: "user",
  money: true,
  input: z.object({
    /** The attempt to be closed: one that is not the current one any more is refused. */
    attempt_id: id,
  }),
  answer: z.object({
    attempt_id: id,
    number: z.int(),
    closed_attempt_id: id,
    /** World time. */
    opened_at_ms: timeMs,
    /** Real time from which one may start over again. */
    next_start_at_ms: timeMs,
  }),
  errors: ["session.required", "attempts.not_current", "attempts.once_a_day", "ledger.refused"],
});

export const calls = { getAttempts, startOver };
