import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { pin, pinErrors } from "#api/pin.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";
import { uuidPattern } from "#core/ledger/uuid.ts";

export const getExport = defineCall({
  method: "GET",
  path: "/api/user/getExport",
  summary:
    "Everything this instance holds about the person, as one zip archive written while it is read; once a minute and person",
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
  summary: "What deleting the account would do now, and what has to be typed for it",
  access: "user",
  input: nothing,
  answer: z.object({
    /**
     * To be typed, in the request's language; `deleteAccount` takes it in any of the eight, in
     * either case.
     */
    word: z.string(),
    /** Whether the PIN has to come with it. */
    pin_required: z.boolean(),
    /** Open sessions, this one among them: all end. */
    sessions: count,
    /** Withdrawals and recharges that can still be cancelled, and are. */
    withdrawals_cancelled: count,
    recharges_cancelled: count,
    /** Withdrawals past their two minutes: they leave as they would have. */
    withdrawals_leaving: count,
    /**
     * What runs off to nobody, over all attempts: open orders, pools with units in them, leases
     * with days left.
     */
    running: z.object({ contract: count, hosting: count, mining: count }),
    /** What stays, pointing at nobody. */
    postings_kept: count,
    /**
     * A self-exclusion from contracts that still runs: deleting does not end it
     * (docs/rules/personal-data.md). `of_loss_limit`: there is none, but a daily loss limit, which
     * bars a new account of the same wallet from contracts until the real day is over.
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
 * What is left to show for an account that was deleted: ids, times, and what went. Holds nothing
 * personal.
 */
const deletionReceipt = z.object({
  practice: z.literal(true),
  world: z.string(),
  receipt_id: id,
  /** The opaque ids that postings go on naming. They lead to nobody. */
  user_id: id,
  attempt_ids: z.array(id),
  /** Real time. */
  asked_at_ms: timeMs,
  /**
   * Null while it is still under way: it is finished by itself, whatever happens to the process.
   */
  finished_at_ms: z.nullable(timeMs),
  sessions_ended: count,
  withdrawals_cancelled: count,
  recharges_cancelled: count,
  /** Names of what was erased, in order, such as `session`, `address_book`, `recharges`. */
  erased: z.array(z.object({ what: z.string(), at_ms: timeMs })),
  postings_kept: count,
});
export type DeletionReceipt = z.infer<typeof deletionReceipt>;

/** A UUID that the client makes before it asks, so that a lost answer can be read again. */
const receiptId = z.string().check(z.regex(uuidPattern));

export const deleteAccount = defineCall({
  method: "POST",
  path: "/api/user/deleteAccount",
  summary:
    "Erases the account for good: who it was, texts, files and sessions; postings stay, pointing at nobody",
  access: "user",
  input: z.object({
    word: z.string().check(z.maxLength(60)),
    pin: z.optional(pin),
    receipt_id: receiptId,
  }),
  answer: deletionReceipt,
  errors: ["session.required", "account.word_wrong", ...pinErrors],
});

export const getDeletionReceipt = defineCall({
  method: "GET",
  path: "/api/user/getDeletionReceipt",
  summary: "The receipt of a deletion, for whoever has its id; needs no session, for there is none",
  access: "public",
  input: z.object({ receipt_id: receiptId }),
  answer: deletionReceipt,
  errors: ["account.receipt_unknown"],
});

export const calls = { getExport, getDeletion, deleteAccount, getDeletionReceipt };
