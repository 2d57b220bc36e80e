import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, nothing, symbol, timeMs } from "#api/shapes.ts";

/** The kind of market a world runs on; every order and receipt carries it. */
export const marketKind = z.enum(["simulated", "replay", "live"]);

const config = z.object({
  practice: z.literal(true),
  backing: z.literal("none"),
  chatLink: z.nullable(z.string()),
  /** Absolute WebSocket address of the stream. */
  socket_url: z.string(),
  world: z.object({
    name: z.string(),
    market: z.object({ kind: marketKind, speed: z.int() }),
    now_ms: timeMs,
    first_second_ms: z.nullable(timeMs),
    paused: z.boolean(),
    /** World time from which a class is paused, announced or in effect; null if it runs. */
    pause: z.nullable(z.object({ at_ms: timeMs })),
    /** An archive that is open for reading, and where it ends; null: a world that runs here. */
    archive: z.nullable(z.object({ last_second_ms: timeMs })),
  }),
  operator: z.object({ name: z.nullable(z.string()), contact: z.nullable(z.string()) }),
  /**
   * True if the request carried an open session, so that a client without one need not fetch the
   * user.
   */
  signed_in: z.boolean(),
  terms: z.object({ version: z.int() }),
  coins: z.array(z.object({ code: coin, scale: z.int() })),
  symbols: z.array(
    z.object({
      name: symbol,
      base: z.string(),
      quote: z.string(),
      scale: z.int(),
      type: z.string(),
    }),
  ),
  contracts_on: z.boolean(),
  /** The log's origin and its public key, as a C2SP vkey line. */
  log: z.object({ origin: z.string(), vkey: z.string() }),
  home: z.object({
    /**
     * Counted from the ledger and the log; a product line that is not running yet is null, not
     * zero. Null in an archive, which has no ledger.
     */
    pool: z.nullable(
      z.object({
        hosted_total: z.nullable(decimal),
        nav_change_today_bp: z.nullable(z.int()),
        hashrate_at_work: z.nullable(decimal),
        orders_settled: z.int(),
        orders_lost: z.int(),
      }),
    ),
  }),
});
export type Config = z.infer<typeof config>;

export const getConfig = defineCall({
  method: "POST",
  path: "/api/index/config",
  summary: "Everything a client needs before it draws its first screen",
  access: "public",
  input: nothing,
  answer: config,
  errors: [],
});

export const getTerms = defineCall({
  method: "GET",
  path: "/api/index/getTerms",
  summary: "The practice terms in the language of the request",
  access: "public",
  input: nothing,
  answer: z.object({ version: z.int(), title: z.string(), paragraphs: z.array(z.string()) }),
  errors: [],
});

export const reportError = defineCall({
  method: "POST",
  path: "/api/index/reportError",
  summary:
    "Reports a client's script error to the error log: rate-limited, truncated, no personal data",
  access: "public",
  input: z.object({
    type: z.string().check(z.maxLength(40)),
    code: z.string().check(z.maxLength(80)),
    message: z.string().check(z.maxLength(2000)),
    page_url: z.string().check(z.maxLength(500)),
  }),
  answer: nothing,
  errors: [],
});

export const getHealth = defineCall({
  method: "GET",
  path: "/api/health",
  summary:
    "Whether the process is alive and ready: database, feed and log, each with its lag; who waits for connections and locks",
  access: "public",
  input: nothing,
  answer: z.object({
    ready: z.boolean(),
    version: z.string(),
    parts: z.record(
      z.string(),
      z.object({
        ok: z.boolean(),
        /** The lag of a feed or log, or the longest wait for a pool or lock; null for the others. */
        lag_ms: z.nullable(z.int()),
        note: z.string(),
        /** Connections of a pool in use. */
        in_use: z.optional(z.int()),
        size: z.optional(z.int()),
        /** Number of waiters, for a pool or a lock. */
        waiting: z.optional(z.int()),
      }),
    ),
  }),
  errors: [],
});

export const calls = { getConfig, getTerms, reportError, getHealth };
