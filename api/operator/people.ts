import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { getOrderList as contractOrders } from "#api/contracts.ts";
import { getOrderList as hostingOrders } from "#api/hosting.ts";
import { realNameInfo } from "#api/identity.ts";
import { getOrderList as leases } from "#api/mining.ts";
import { why } from "#api/operator/operators.ts";
import { findAccountAndRate, record, recordLeg } from "#api/records.ts";
import { coin, decimal, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { getWalletList } from "#api/wallet.ts";
import { withdrawal } from "#api/withdraw.ts";

/**
 * The console's view of people. An id alone shows that the account exists, and little more. A code
 * that the person read out shows what they see themselves, read-only and for at most 30 minutes,
 * but never addresses, names, documents or typed texts. Each call appears in the person's records;
 * for a viewing, its opening and the first time each part is opened.
 */

const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const raised = [...commonErrors, "operator.raise_required"] as const;

const person = z.object({
  user_id: id,
  since_ms: timeMs,
  /** Since when new positions are blocked; null if they are not. */
  suspended_at_ms: z.nullable(timeMs),
  /** Open sessions. */
  sessions: z.int(),
});
export type PersonView = z.infer<typeof person>;

export const findPerson = defineCall({
  method: "GET",
  path: "/api/operator/people/find",
  summary:
    "Operator: looks up an account by its opaque id: that it exists, since when, and its status",
  access: "operator",
  permission: "people.find",
  input: z.object({ user_id: id }),
  answer: person,
  errors: [...commonErrors, "people.unknown"],
});

const viewingView = z.object({ viewing_id: id, ends_at_ms: timeMs, now_ms: timeMs, person });
export type OpenViewing = z.infer<typeof viewingView>;

export const openViewing = defineCall({
  method: "POST",
  path: "/api/operator/people/openViewing",
  summary:
    "Operator: redeems the code that a person read out, and opens their pages to this operator for at most 30 minutes",
  access: "operator",
  permission: "people.view",
  input: z.object({ code: z.string().check(z.minLength(1), z.maxLength(40)) }),
  answer: viewingView,
  errors: [...commonErrors, "people.code_unknown"],
});

const viewingRef = { viewing_id: id };
const view = {
  method: "GET",
  access: "operator",
  permission: "people.view",
  errors: [...commonErrors, "people.viewing_over"],
} as const;

export const findViewing = defineCall({
  ...view,
  path: "/api/operator/people/findViewing",
  summary: "Operator: whose pages a viewing shows, and until when",
  input: z.object(viewingRef),
  answer: viewingView,
});

export const closeViewing = defineCall({
  method: "POST",
  path: "/api/operator/people/closeViewing",
  summary: "Operator: ends a viewing early",
  access: "operator",
  permission: "people.view",
  input: z.object(viewingRef),
  answer: nothing,
  errors: [...commonErrors, "people.viewing_over"],
});

export const getPersonWallet = defineCall({
  ...view,
  path: "/api/operator/people/getWallet",
  summary: "Operator, with a person's code: balances and product lines of their current attempt",
  input: z.object(viewingRef),
  answer: z.object({
    attempt_number: z.int(),
    wallet: getWalletList.answer,
    lines: findAccountAndRate.answer,
  }),
});

export const getPersonContractOrders = defineCall({
  ...view,
  path: "/api/operator/people/getContractOrders",
  summary: "Operator, with a person's code: their contract orders, newest first",
  input: z.object({ ...viewingRef, ...paging }),
  answer: contractOrders.answer,
});

export const getPersonHostingOrders = defineCall({
  ...view,
  path: "/api/operator/people/getHostingOrders",
  summary: "Operator, with a person's code: their hosting orders, newest first",
  input: z.object({ ...viewingRef, ...paging }),
  answer: hostingOrders.answer,
});

export const getPersonLeases = defineCall({
  ...view,
  path: "/api/operator/people/getLeases",
  summary: "Operator, with a person's code: their leases, newest first",
  input: z.object({ ...viewingRef, ...paging }),
  answer: leases.answer,
});

/** Omits the address, and anything an operator wrote. */
const { withdrawal_id, amount, fee, leaves, network, state, outcome } = withdrawal.shape;
const { ended_by, placed_at_ms, cancel_until_ms, latest_at_ms, ended_at_ms } = withdrawal.shape;
const personWithdrawal = z.object({
  withdrawal_id,
  coin,
  amount,
  fee,
  leaves,
  network,
  state,
  outcome,
  ended_by,
  placed_at_ms,
  cancel_until_ms,
  latest_at_ms,
  ended_at_ms,
});
export type PersonWithdrawal = z.infer<typeof personWithdrawal>;

export const getPersonWithdrawals = defineCall({
  ...view,
  path: "/api/operator/people/getWithdrawals",
  summary: "Operator, with a person's code: withdrawals of their current attempt, newest first",
  input: z.object({ ...viewingRef, ...paging }),
  answer: pageSchema(personWithdrawal),
});

/** The journal's effect, without the explanatory facts, since they name addresses. */
const personRecord = z.object({
  journal_id: id,
  type: z.string(),
  group: record.shape.group,
  coin: z.nullable(coin),
  amount: z.nullable(decimal),
  balance_after: z.nullable(decimal),
  /** The account that `balance_after` refers to. */
  account: z.nullable(recordLeg.shape.account),
  /** The console's action, by role; its reason stays between that operator and the person. */
  act: z.nullable(z.object({ role: z.string(), what: z.string() })),
  at_ms: timeMs,
});
export type PersonRecord = z.infer<typeof personRecord>;

export const getPersonRecords = defineCall({
  ...view,
  path: "/api/operator/people/getRecords",
  summary: "Operator, with a person's code: records of their current attempt, newest first",
  input: z.object({
    ...viewingRef,
    ...paging,
    before: z.optional(z.string().check(z.maxLength(96))),
  }),
  answer: z.extend(pageSchema(personRecord), { next: z.nullable(z.string()) }),
  errors: [...commonErrors, "people.viewing_over", "records.page_too_deep"],
});

export const getPersonAccount = defineCall({
  ...view,
  path: "/api/operator/people/getAccount",
  summary:
    "Operator, with a person's code: sessions, result of the practice verification, support link, language",
  input: z.object(viewingRef),
  answer: z.object({
    language: z.string(),
    terms_accepted: z.boolean(),
    identity: z.object({
      status: realNameInfo.shape.status,
      outcome: realNameInfo.shape.outcome,
    }),
    sessions: z.array(
      z.object({
        created_at_ms: timeMs,
        last_seen_at_ms: timeMs,
        expires_at_ms: timeMs,
        /** Browser and system in a few words. */
        client: z.string(),
      }),
    ),
    support_url: z.nullable(z.string()),
  }),
});

export const endPersonSessions = defineCall({
  method: "POST",
  path: "/api/operator/people/endSessions",
  summary: "Operator: ends every session of a person, who may sign in again at once",
  access: "operator",
  permission: "people.end_sessions",
  input: z.object({ user_id: id, why }),
  answer: z.object({ ended: z.int(), person }),
  errors: [...raised, "people.unknown"],
});

export const setSuspended = defineCall({
  method: "POST",
  path: "/api/operator/people/setSuspended",
  summary:
    "Operator: ends a person's sessions and blocks new positions, or lifts that block. It never blocks signing in, reading, exporting or withdrawing",
  access: "operator",
  permission: "people.suspend",
  input: z.object({ user_id: id, suspended: z.boolean(), why }),
  answer: z.object({ person }),
  errors: [...raised, "people.unknown", "people.changed_meanwhile"],
});

export const setSupportLink = defineCall({
  method: "POST",
  path: "/api/operator/people/setSupportLink",
  summary: "Operator: sets a published support link as a person's online service, or clears it",
  access: "operator",
  permission: "people.support_link",
  input: z.object({ user_id: id, link_id: z.nullable(id), why }),
  answer: z.object({ support_url: z.nullable(z.string()) }),
  errors: [...raised, "people.unknown", "people.link_unknown"],
});

export const payNow = defineCall({
  method: "POST",
  path: "/api/operator/people/payNow",
  summary:
    "Operator: releases a waiting withdrawal at once. No call can refuse, hold or change one",
  access: "operator",
  permission: "people.pay_now",
  input: z.object({ withdrawal_id: id, why }),
  answer: z.object({}),
  errors: [...raised, "withdraw.unknown", "people.withdrawal_over"],
});

export const calls = {
  findPerson,
  openViewing,
  findViewing,
  closeViewing,
  getPersonWallet,
  getPersonContractOrders,
  getPersonHostingOrders,
  getPersonLeases,
  getPersonWithdrawals,
  getPersonRecords,
  getPersonAccount,
  endPersonSessions,
  setSuspended,
  setSupportLink,
  payNow,
};
