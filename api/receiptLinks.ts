import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { linkSecretPattern, sharedKinds } from "#core/receipt-links/rules.ts";

/**
 * 16 random bytes in base64url, made by the client, so that a repeated call is idempotent and the
 * server stores only their hash. Never part of an address sent to a server.
 */
const secret = z.string().check(z.regex(linkSecretPattern));
const kind = z.enum(sharedKinds);

const receiptLink = z.object({
  link_id: id,
  kind,
  /** The order or lease whose receipt it opens. */
  order_id: id,
  /** Real time. */
  created_at_ms: timeMs,
  expires_at_ms: timeMs,
});

export const createReceiptLink = defineCall({
  method: "POST",
  path: "/api/record/createReceiptLink",
  summary:
    "Makes a link by which anyone can open the receipt of one order for 30 days: `<origin>/r#<secret>`; at most 20 are open at once",
  access: "user",
  input: z.object({ secret, kind, order_id: id }),
  answer: receiptLink,
  errors: [
    "session.required",
    "contracts.order_unknown",
    "contracts.receipt_not_ready",
    "hosting.order_unknown",
    "hosting.receipt_not_ready",
    "mining.lease_unknown",
    "mining.receipt_not_ready",
    "receipt_links.secret_used",
    "receipt_links.too_many",
  ],
});

export const getReceiptLinks = defineCall({
  method: "GET",
  path: "/api/record/getReceiptLinks",
  summary: "The user's open links to receipts, newest first; never their secrets",
  access: "user",
  input: nothing,
  answer: z.object({ items: z.array(receiptLink), maximum: z.int() }),
  errors: ["session.required"],
});

export const revokeReceiptLink = defineCall({
  method: "POST",
  path: "/api/record/revokeReceiptLink",
  summary: "Takes a link back; one that is not open any more stays so",
  access: "user",
  input: z.object({ link_id: id }),
  answer: z.object({ link_id: id }),
  errors: ["session.required"],
});

export const openReceiptLink = defineCall({
  method: "POST",
  path: "/api/record/openReceiptLink",
  summary: "The receipt that a link opens, as its own call answers it",
  access: "public",
  input: z.object({ secret }),
  answer: z.object({
    kind,
    expires_at_ms: timeMs,
    /** Validated by its own format, not by the wire: the verifier must read exactly what was sent. */
    receipt: z.record(z.string(), z.unknown()),
  }),
  // A lease has no receipt while one of its days is being bound.
  errors: ["receipt_links.unknown", "mining.receipt_not_ready"],
});

export const calls = { createReceiptLink, getReceiptLinks, revokeReceiptLink, openReceiptLink };
