import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { pin, pinErrors } from "#api/pin.ts";
import { coin, decimal, id, timeMs } from "#api/shapes.ts";
import { addressErrors, network, practiceAddress } from "#api/withdraw.ts";

export const getReceiveAddress = defineCall({
  method: "GET",
  path: "/api/user/getReceiveAddress",
  summary:
    "The person's practice address on a network that carries the coin; on the coin's first network by default",
  access: "user",
  input: z.object({ coin, network: z.optional(network) }),
  answer: z.object({
    coin,
    network,
    address: z.string(),
    /** Every network that carries the coin. */
    networks: z.array(network),
  }),
  errors: ["session.required", "address.network_unknown", "address.wrong_network"],
});

const recipient = {
  network,
  address: z.string(),
  /** How often the person has sent to it before; 0 means never. */
  sent_before: z.int(),
  last_sent_at_ms: z.nullable(timeMs),
};

export const checkRecipient = defineCall({
  method: "GET",
  path: "/api/user/checkRecipient",
  summary:
    "Whether a coin can be sent to an address, whether the user sent to it before, and which address in use it resembles",
  access: "user",
  input: z.object({ coin, address: practiceAddress }),
  answer: z.object({
    ...recipient,
    /**
     * An address in use with the same first four and last four characters; null if there is none.
     */
    looks_like: z.nullable(z.string()),
  }),
  errors: ["session.required", ...addressErrors, "send.recipient_unknown", "send.to_yourself"],
});

export const getRecipients = defineCall({
  method: "GET",
  path: "/api/user/getRecipients",
  summary: "The last addresses the person sent to that carry the coin, at most eight",
  access: "user",
  input: z.object({ coin }),
  answer: z.object({ items: z.array(z.object(recipient)) }),
  errors: ["session.required"],
});
export type Recipient = z.infer<typeof getRecipients.answer>["items"][number];

export const send = defineCall({
  method: "POST",
  path: "/api/user/send",
  summary:
    "Sends an amount to a practice address on this instance, immediately and irrevocably. No fee",
  access: "user",
  money: true,
  input: z.object({
    coin,
    address: practiceAddress,
    amount: decimal,
    /** Required if one is set; not part of the body hash. */
    pin: z.optional(pin),
  }),
  answer: z.object({
    journal_id: id,
    coin,
    amount: decimal,
    network,
    address: z.string(),
    at_ms: timeMs,
  }),
  errors: [
    "session.required",
    ...pinErrors,
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
    "money.amount_malformed",
    "money.excess_digits",
    "money.amount_too_large",
    ...addressErrors,
    "send.recipient_unknown",
    "send.to_yourself",
    "send.too_small",
    "send.too_many_strangers",
    "attempts.not_current",
    "ledger.overdraft",
    "ledger.refused",
  ],
});

export const calls = { getReceiveAddress, checkRecipient, getRecipients, send };
