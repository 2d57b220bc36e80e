import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { nothing, symbol, timeMs } from "#api/shapes.ts";
import { venueFaults } from "#core/market/live/faults.ts";

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
    /** The last closed second; the counts end with it. */
    to_ms: timeMs,
    /** Both null in an archive: a log does not say why a second is missing. */
    day: z.nullable(seconds),
    month: z.nullable(seconds),
    /**
     * The newest `day` leaf of the public log, which says which seconds of a day are missing; null
     * before the first.
     */
    day_leaf: z.nullable(z.int()),
  }),
  errors: ["server.unavailable"],
});

/** A venue's quote of a symbol that does not count (docs/rules/market.md, "The live market"). */
const leftOut = z.object({
  venue: z.string(),
  symbol,
  reason: z.enum(venueFaults),
  /** World time since which the fault has lasted. */
  since_ms: timeMs,
});

export const getVenues = defineCall({
  method: "GET",
  path: "/api/market/getVenues",
  summary:
    "The venues of this world; for a live market also which quotes do not count now, why, and since when",
  access: "public",
  input: nothing,
  answer: z.object({
    /** In the order of the world leaf. */
    venues: z.array(z.string()),
    /** Null if the market is not live, or its process has not reported yet. */
    left_out: z.nullable(z.array(leftOut)),
  }),
  errors: [],
});

export const calls = { getSeconds, getVenues };
