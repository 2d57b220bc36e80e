import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { factValue, recordAct } from "#api/records.ts";
import { coin, decimal, id, nothing, pageSchema, queryInt, timeMs } from "#api/shapes.ts";

/** A place in the inbox: a cursor of the records, and the last event before it. */
const position = z.string().check(z.maxLength(160));

/** Something that happened to a person's money or documents without an action of theirs. */
const inboxItem = z.object({
  event_id: id,
  /**
   * A journal's kind (`withdraw.leave`, `recharge.credit`, `hosting.redeem`, `mining.payout`,
   * `send.move` where money arrived, `reward.invitation`), `contract.settled`, `recharge.refused`,
   * `identity.verified`, `identity.refused` or `console.act`.
   */
  type: z.string(),
  coin: z.nullable(coin),
  /** The change of balance; for an order its result: payout − stake − fee. */
  amount: z.nullable(decimal),
  facts: z.record(z.string(), factValue),
  /** Path in the app to its subject, and to its receipt. */
  link: z.nullable(z.string()),
  receipt: z.nullable(z.string()),
  act: z.nullable(recordAct),
  at_ms: timeMs,
  unread: z.boolean(),
});
export type InboxItem = z.infer<typeof inboxItem>;

export const getInbox = defineCall({
  method: "GET",
  path: "/api/record/getInbox",
  summary: "What happened to the person's money and papers in the current attempt, newest first",
  access: "user",
  input: z.object({ page_size: queryInt(1, 100, 20), before: z.optional(position) }),
  /** `before`: the position of the newest item; `next`: where the following page begins. */
  answer: z.extend(pageSchema(inboxItem), { next: z.nullable(z.string()) }),
  errors: ["session.required"],
});

export const getUnread = defineCall({
  method: "GET",
  path: "/api/record/getUnread",
  summary: "How many items of the inbox are unread; 100 stands for that many or more",
  access: "user",
  input: nothing,
  answer: z.object({ unread: z.int() }),
  errors: ["session.required"],
});

export const markInboxRead = defineCall({
  method: "POST",
  path: "/api/record/markInboxRead",
  summary: "Marks the inbox as read up to a position that `getInbox` gave as `before`",
  access: "user",
  input: z.object({ position }),
  answer: z.object({ unread: z.int() }),
  errors: ["session.required"],
});

export const calls = { getInbox, getUnread, markInboxRead };
