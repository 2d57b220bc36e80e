import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { pin, pinErrors } from "#api/pin.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { uuidPattern } from "#core/ledger/uuid.ts";

export const getExport = defineCall({
  method: "GET",
  path: "/api/user/getExport",
  summary:
    "Exports everything this instance holds about the person as one zip archive, streamed as it is read; at most once a minute per person",
  access: "user",
  file: ["application/zip"],
  input: nothing,
  answer: nothing,
  errors: ["session.required", "account.export_running", "account.export_too_soon"],
});

const count = z.int();

export const getDeletion = defineCall({
  method: "GET",
  path: "/api/user/getDeletion",
  summary: "What deleting the account would do now, and the word to type to confirm it",
  access: "user",
  input: nothing,
  answer: z.object({
    /**
     * The word to type, in the request's language; `deleteAccount` accepts it in any of the eight
     * languages, in either case.
     */
    word: z.string(),
    /** True if the PIN is also required. */
    pin_required: z.boolean(),
    /** True if the person must sign in with the wallet again first: no PIN, no fresh sign-in. */
    sign_in_again: z.boolean(),
    /** Open sessions, including this one; all of them end. */
    sessions: count,
    /** Withdrawals and recharges that can still be cancelled, and will be. */
    withdrawals_cancelled: count,
    recharges_cancelled: count,
    /** Withdrawals past their two minutes; they leave as planned. */
    withdrawals_leaving: count,
    /**
     * Positions that run to their end without an owner, over all attempts: open orders, pools with
     * units in them, leases with days left.
     */
    running: z.object({ contract: count, hosting: count, mining: count }),
    /** Postings that remain, no longer linked to the person. */
    postings_kept: count,
    /**
     * A self-exclusion from contracts that is still in force; deleting the account does not end it
     * (docs/rules/personal-data.md). `of_loss_limit`: no exclusion is set, but a daily loss limit
     * is, which bars a new account of the same wallet from contracts until the real day is over.
     */
    exclusion: z.nullable(
      z.object({
        for_good: z.boolean(),
        until_ms: z.nullable(timeMs),
        of_loss_limit: z.boolean(),
      }),
    ),
  }),
  errors: ["session.required"],
});

/**
 * The facts kept about a deleted account: ids, times and the erased categories. No personal data.
 */
const deletionReceipt = z.object({
  practice: z.literal(true),
  world: z.string(),
  receipt_id: id,
  /** The opaque ids that postings still carry. They no longer lead to anyone. */
  user_id: id,
  attempt_ids: z.array(id),
  /** Real time. */
  asked_at_ms: timeMs,
  /** Null while the deletion is in progress; it completes by itself, even across a restart. */
  finished_at_ms: z.nullable(timeMs),
  sessions_ended: count,
  withdrawals_cancelled: count,
  recharges_cancelled: count,
  /** The categories that were erased, in order, such as `session`, `address_book`, `recharges`. */
  erased: z.array(z.object({ what: z.string(), at_ms: timeMs })),
  postings_kept: count,
});
export type DeletionReceipt = z.infer<typeof deletionReceipt>;

/**
 * A UUID that the client generates before the call, so that it can fetch the receipt if the answer
 * is lost.
 */
const receiptId = z.string().check(z.regex(uuidPattern));

export const deleteAccount = defineCall({
  method: "POST",
  path: "/api/user/deleteAccount",
  summary:
    "Erases the account for good, with the PIN or a sign-in at most five minutes old: identity, texts, files and sessions; postings stay, linked to nobody",
  access: "user",
  input: z.object({
    word: z.string().check(z.maxLength(60)),
    pin: z.optional(pin),
    receipt_id: receiptId,
  }),
  answer: deletionReceipt,
  errors: ["session.required", "account.word_wrong", "account.sign_in_again", ...pinErrors],
});

export const getDeletionReceipt = defineCall({
  method: "GET",
  path: "/api/user/getDeletionReceipt",
  summary:
    "The receipt of a deletion, for anyone who has its id; needs no session, since none exists any more",
  access: "public",
  input: z.object({ receipt_id: receiptId }),
  answer: deletionReceipt,
  errors: ["account.receipt_unknown"],
});

export const calls = { getExport, getDeletion, deleteAccount, getDeletionReceipt };
