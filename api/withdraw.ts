import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { pin, pinErrors } from "#api/pin.ts";
import { coin, decimal, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";

/** Names of the practice networks (core/wallet/networks.ts). */
export const network = z.string().check(z.maxLength(16));

/** A practice address as typed; the server names the fault in a wrong one. */
export const practiceAddress = z.string().check(z.maxLength(200));

/** Errors that follow from an address's form alone. */
export const addressErrors = [
  "address.malformed",
  "address.checksum",
  "address.real_chain",
  "address.network_unknown",
  "address.wrong_network",
] as const;

export const withdrawal = z.object({
  withdrawal_id: id,
  attempt_id: id,
  coin,
  amount: decimal,
  /** Taken out of the amount. */
  fee: decimal,
  /** `amount` − `fee`. */
  leaves: decimal,
  network,
  address: z.string(),
  /**
   * `waiting`: can be cancelled until `cancel_until_ms`; `closing`: leaves within seconds; `over`:
   * see `outcome`.
   */
  state: z.enum(["waiting", "closing", "over"]),
  outcome: z.nullable(z.enum(["left", "cancelled"])),
  /**
   * The cause of its end: the two minutes, the 24 hours, an operator who released it early, the
   * person.
   */
  ended_by: z.nullable(z.enum(["time", "day", "operator", "person"])),
  placed_at_ms: timeMs,
  /** World time. */
  cancel_until_ms: timeMs,
  /** Latest real time at which it leaves, regardless of world time. */
  latest_at_ms: timeMs,
  ended_at_ms: z.nullable(timeMs),
  /** The journal that ended it; the receipt is for this one. */
  ended_journal_id: z.nullable(id),
  /** Role and reason of the operator who released it early. */
  act: z.nullable(z.object({ role: z.string(), reason: z.string() })),
});
export type Withdrawal = z.infer<typeof withdrawal>;

export const withdraw = defineCall({
  method: "POST",
  path: "/api/user/withdraw",
  summary:
    "Withdraws an amount, or `all`, to a practice address: held for two minutes, then it leaves the practice ledger. Nothing is sent on any blockchain",
  access: "user",
  money: true,
  input: z.object({
    coin,
    /** Decimal, or `all` for the whole available balance, which is always accepted. */
    amount: decimal,
    address: practiceAddress,
    /** The user's own attempt to withdraw from, closed or not; the current one by default. */
    attempt_id: z.optional(id),
    /** Required if one is set; not part of the body hash. */
    pin: z.optional(pin),
  }),
  answer: withdrawal,
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
    "attempts.unknown",
    "withdraw.nothing",
    "withdraw.below_minimum",
    "ledger.overdraft",
  ],
});

export const cancelWithdraw = defineCall({
  method: "POST",
  path: "/api/user/cancelWithdraw",
  summary: "Cancels a waiting withdrawal: the whole amount becomes available again, without a fee",
  access: "user",
  money: true,
  input: z.object({ withdrawal_id: id }),
  answer: withdrawal,
  errors: [
    "session.required",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
    "withdraw.unknown",
    "withdraw.too_late",
  ],
});

export const findWithdraw = defineCall({
  method: "GET",
  path: "/api/user/findWithdraw",
  summary: "One withdrawal",
  access: "user",
  input: z.object({ withdrawal_id: id }),
  answer: withdrawal,
  errors: ["session.required", "withdraw.unknown"],
});

export const getWithdrawList = defineCall({
  method: "GET",
  path: "/api/user/getWithdrawList",
  summary: "The user's withdrawals, of all attempts or of one, newest first",
  access: "user",
  input: z.object({ coin: z.optional(coin), attempt_id: z.optional(id), ...paging }),
  answer: pageSchema(withdrawal),
  errors: ["session.required"],
});

export const getWithdrawTerms = defineCall({
  method: "GET",
  path: "/api/user/getWithdrawTerms",
  summary: "The current fee and minimum for withdrawing a coin, and whether a PIN is required",
  access: "user",
  input: z.object({ coin, attempt_id: z.optional(id) }),
  answer: z.object({
    coin,
    /**
     * The attempt this balance belongs to; a withdrawal that names it cannot leave from another
     * one.
     */
    attempt_id: id,
    available: decimal,
    held: decimal,
    fee: decimal,
    /**
     * Smallest partial withdrawal; null while the coin has no price, when any amount can leave. The
     * whole balance always can.
     */
    minimum: z.nullable(decimal),
    /** Time of the price behind `minimum`; null without one. */
    priced_at_ms: z.nullable(timeMs),
    pin_set: z.boolean(),
    /** World milliseconds during which it can be cancelled. */
    cancel_ms: z.int(),
    networks: z.array(network),
  }),
  errors: ["session.required", "attempts.unknown"],
});

const bookEntry = z.object({
  entry_id: id,
  name: z.string(),
  network,
  address: z.string(),
  added_at_ms: timeMs,
});
export type BookEntry = z.infer<typeof bookEntry>;

const bookName = z.string().check(z.maxLength(1_000));

export const getAddressBook = defineCall({
  method: "GET",
  path: "/api/user/getAddressBook",
  summary: "Practice addresses the user has named, sorted by name; at most 100",
  access: "user",
  input: nothing,
  answer: z.object({ items: z.array(bookEntry), maximum: z.int() }),
  errors: ["session.required"],
});

export const addAddress = defineCall({
  method: "POST",
  path: "/api/user/addAddress",
  summary: "Names a practice address: 1 to 30 characters after trimming",
  access: "user",
  input: z.object({ name: bookName, address: practiceAddress }),
  answer: bookEntry,
  errors: [
    "session.required",
    "address.malformed",
    "address.checksum",
    "address.real_chain",
    "address.network_unknown",
    "book.name_empty",
    "book.name_too_long",
    "book.address_known",
    "book.full",
  ],
});

export const ensureOutsideAddress = defineCall({
  method: "POST",
  path: "/api/user/ensureOutsideAddress",
  summary:
    "The user's own practice account outside this instance on a network, added to the address book under `name` unless it is there: the same address every time",
  access: "user",
  input: z.object({ network, name: bookName }),
  answer: bookEntry,
  errors: [
    "session.required",
    "address.network_unknown",
    "book.name_empty",
    "book.name_too_long",
    "book.full",
  ],
});

export const renameAddress = defineCall({
  method: "POST",
  path: "/api/user/renameAddress",
  summary: "Renames an address in the book",
  access: "user",
  input: z.object({ entry_id: id, name: bookName }),
  answer: bookEntry,
  errors: ["session.required", "book.unknown", "book.name_empty", "book.name_too_long"],
});

export const removeAddress = defineCall({
  method: "POST",
  path: "/api/user/removeAddress",
  summary: "Removes an address from the book; nothing else changes",
  access: "user",
  input: z.object({ entry_id: id }),
  answer: nothing,
  errors: ["session.required", "book.unknown"],
});

export const calls = {
  withdraw,
  cancelWithdraw,
  findWithdraw,
  getWithdrawList,
  getWithdrawTerms,
  getAddressBook,
  addAddress,
  ensureOutsideAddress,
  renameAddress,
  removeAddress,
};
