import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { nothing, timeMs } from "#api/shapes.ts";

/** Seconds of world time (docs/rules/market.md, "Seconds and gaps"). */
const seconds = z.object({
  closed: z.int(),
  /** Not closed because the feed was running and more than ten seconds late. */
  overload: z.int(),
  /** Not closed because no feed was running, or none that reached the database. */
  downtime: z.int(),
});

export const getSeconds = defineCall({
  method: "GET",
  path: "/api/market/getSeconds",
  summary:
    "How many seconds were closed and how many are missing, by cause, in the last day and 30 days of world time",
  access: "public",
  input: nothing,
  answer: z.object({
    /** The last closed second, up to which is counted. */
    to_ms: timeMs,
    day: seconds,
    month: seconds,
    /**
     * The newest `day` leaf of the public log, which says which seconds of a day are missing; null
     * before the first.
     */
    day_leaf: z.nullable(z.int()),
  }),
  errors: ["server.unavailable"],
});

export const calls = { getSeconds };
