import * as z from "zod/mini";
import { order } from "#api/contracts.ts";
import { run } from "#api/hosting/run.ts";
import { lease } from "#api/mining.ts";
import { decimal, id, timeMs } from "#api/shapes.ts";
import { balance } from "#api/wallet.ts";

/**
 * The stream at `/ws` (JSON text frames). A client sends `hello` first, and again whenever its
 * subscriptions change; the server sends the messages below. Prices are encoded once a second and
 * sent to all; `order` and `balances` go only to that user's sockets (identified by the session
 * cookie, or `token` in `hello` for clients that are not browsers). A client more than 1 MB behind
 * misses price messages; past 4 MB its socket is closed with code 1013.
 */
export const hello = z.object({
  op: z.literal("hello"),
  token: z.optional(z.string().check(z.maxLength(200))),
  /** Contract ids whose open 1m kline is sent with each second; at most 20. */
  klines: z._default(z.array(id).check(z.maxLength(20)), []),
  /** Hosting pools whose run is sent, about once a second; at most 5. */
  runs: z._default(z.array(id).check(z.maxLength(5)), []),
});

const priceMessage = z.object({
  topic: z.literal("prices"),
  second_ms: timeMs,
  /**
   * Index of the `second` leaf with these prices, so that a client can compare them with the log.
   */
  leaf: z.int(),
  /** By symbol; null in a gap. */
  prices: z.record(z.string(), z.nullable(decimal)),
});

const klineMessage = z.object({
  topic: z.literal("kline"),
  contract_id: id,
  /** The open 1m kline: opening time, open, high, low, close, volume. */
  kline: z.tuple([timeMs, decimal, decimal, decimal, decimal, decimal]),
});

export const orderMessage = z.object({ topic: z.literal("order"), order });
/** A lease of this user began, was paid or ended. */
const leaseMessage = z.object({ topic: z.literal("lease"), lease });
const balancesMessage = z.object({ topic: z.literal("balances"), items: z.array(balance) });
/** The world has stopped: its recording has ended. Clients should reload the configuration. */
const worldMessage = z.object({ topic: z.literal("world"), paused: z.literal(true) });
/** World time pauses from a given second, resumes, or a pause that was announced is cancelled. */
const clockMessage = z.object({
  topic: z.literal("clock"),
  /** The pause that is announced or in effect; null if there is none. */
  pause: z.nullable(z.object({ at_ms: timeMs })),
});
const sessionMessage = z.object({ topic: z.literal("session"), signed_in: z.boolean() });

/**
 * An operator began or stopped viewing this user's pages with their code: until when (real time),
 * null if no one does now.
 */
const viewingMessage = z.object({
  topic: z.literal("viewing"),
  until_ms: z.nullable(timeMs),
});

/** An operator action affected this user; it is in their records. */
const auditEventMessage = z.object({ topic: z.literal("act") });

/** The inputs of a strategy in this second; only to sockets subscribed to that pool. */
const runMessage = z.object({ topic: z.literal("run"), run });

export const streamMessage = z.discriminatedUnion("topic", [
  priceMessage,
  klineMessage,
  orderMessage,
  leaseMessage,
  balancesMessage,
  sessionMessage,
  worldMessage,
  clockMessage,
  viewingMessage,
  auditEventMessage,
  runMessage,
]);
export type StreamMessage = z.infer<typeof streamMessage>;
