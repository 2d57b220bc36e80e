import * as z from "zod/mini";
import { order } from "#api/contracts.ts";
import { run } from "#api/hosting.ts";
import { lease } from "#api/mining.ts";
import { decimal, id, timeMs } from "#api/shapes.ts";
import { balance } from "#api/wallet.ts";

/**
 * The stream at `/ws` (JSON text frames). A client sends `hello` first and again whenever its
 * subscriptions change; the server sends the messages below. Prices are encoded once a second and
 * sent to all; `order` and `balances` go only to sockets of that user (the session cookie, or
 * `token` in `hello` for clients that are not browsers). A client that falls behind by more than 1
 * MB skips price messages, then is closed with code 1013 past 4 MB.
 */
export const hello = z.object({
  op: z.literal("hello"),
  token: z.optional(z.string().check(z.maxLength(200))),
  /** Contract ids whose open 1m kline is wanted with each second; at most 20. */
  klines: z._default(z.array(id).check(z.maxLength(20)), []),
  /** Hosting pools whose run is wanted, about once a second; at most 5. */
  runs: z._default(z.array(id).check(z.maxLength(5)), []),
});

const priceMessage = z.object({
  topic: z.literal("prices"),
  second_ms: timeMs,
  /**
   * Index of the `second` leaf that holds these prices, so that a client can compare them with the
   * log.
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
/** A lease of this user began, was paid or was ended. */
const leaseMessage = z.object({ topic: z.literal("lease"), lease });
const balancesMessage = z.object({ topic: z.literal("balances"), items: z.array(balance) });
/** The world stands still from now on: its recording has ended. Ask for the configuration again. */
const worldMessage = z.object({ topic: z.literal("world"), paused: z.literal(true) });
const sessionMessage = z.object({ topic: z.literal("session"), signed_in: z.boolean() });

/**
 * An operator began or stopped looking at this user's pages with their code: until when (real
 * time), null: nobody does now.
 */
const viewingMessage = z.object({
  topic: z.literal("viewing"),
  until_ms: z.nullable(timeMs),
});

/** An operator did something to this user: it stands in their records. */
const auditEventMessage = z.object({ topic: z.literal("act") });

/** What a strategy sees in this second; only to sockets that asked for that pool. */
const runMessage = z.object({ topic: z.literal("run"), run });

export const streamMessage = z.discriminatedUnion("topic", [
  priceMessage,
  klineMessage,
  orderMessage,
  leaseMessage,
  balancesMessage,
  sessionMessage,
  worldMessage,
  viewingMessage,
  auditEventMessage,
  runMessage,
]);
export type StreamMessage = z.infer<typeof streamMessage>;
