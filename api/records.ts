import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import {
  feeSources,
  inflows,
  outflows,
  resultParts,
  spreadSources,
  workLines,
} from "#core/records/accountResult.ts";
import { exportFormats } from "#core/records/exportFormats.ts";
import { recordGroups, recordTypeNames } from "#core/records/record.ts";
import { historyRangeNames } from "#core/wallet/balanceHistory.ts";

const recordGroup = z.enum([...recordGroups, "other"]);

/** One posting of a record to an account of the person. */
export const recordLeg = z.object({
  account: z.enum(["wallet", "held"]),
  coin,
  /** Signed. */
  amount: decimal,
  /** This account's balance after this posting. */
  balance_after: decimal,
  /** The order this posting concerns, where the journal covers many. */
  order_id: z.nullable(id),
});

export const factValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.object({ amount: decimal, coin }),
]);

/** A console action that touched this person: by which role, what, and why. */
export const recordAct = z.object({ role: z.string(), what: z.string(), why: z.string() });

export const record = z.object({
  /** Journal id; for a console action, the id of that action. */
  journal_id: id,
  /**
   * The journal's kind, such as `attempt.start`, `contract.open`, `exchange.execute`, or
   * `console.act`.
   */
  type: z.string(),
  group: recordGroup,
  /** The first coin touched, the change of its available balance, and that balance afterwards. */
  coin: z.nullable(coin),
  amount: z.nullable(decimal),
  balance_after: z.nullable(decimal),
  order_id: z.nullable(id),
  /** Every posting of the journal to this person's accounts of the attempt, in order. */
  legs: z.array(recordLeg),
  /** Facts that explain it, by name (`records.fact.<name>`). */
  facts: z.record(z.string(), factValue),
  /** Path in the app to its subject. */
  link: z.nullable(z.string()),
  act: z.nullable(recordAct),
  at_ms: timeMs,
  recorded_at_ms: timeMs,
});
export type WalletRecord = z.infer<typeof record>;

const text = (lengthMax: number) => z.string().check(z.maxLength(lengthMax));
const moment = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(8_000_000_000_000_000));

/**
 * Filters of the records. `from_ms` and `to_ms` (world time, both inclusive) go together, at most
 * six months apart.
 */
const recordFilters = {
  coin: z.optional(coin),
  group: z.optional(z.enum(recordGroups)),
  from_ms: z.optional(moment),
  to_ms: z.optional(moment),
  /** One of the user's own attempts; the current one by default. */
  attempt_id: z.optional(id),
  /** Part of an order id, a journal id or an address; at least four characters. */
  search: z.optional(text(120)),
};

const recordPage = z.extend(pageSchema(record), {
  /**
   * Cursor of the next page: sent as `before` with `page` 1, it returns the records that follow,
   * however far back. Null at the end. With filters, a page may hold fewer records than requested
   * while there are more, since a page scans a bounded number.
   */
  next: z.nullable(z.string()),
});

/** A cursor holds a position for each account of an attempt. */
const deepPaging = { ...paging, before: z.optional(text(96)) };

export const getTransferRecord = defineCall({
  method: "GET",
  path: "/api/user/getTransferRecord",
  summary: "Every journal that touched the person's accounts of an attempt, newest first",
  access: "user",
  input: z.object({ ...recordFilters, ...deepPaging }),
  answer: recordPage,
  errors: [
    "session.required",
    "records.attempt_unknown",
    "records.range_too_long",
    "records.range_backwards",
    "records.search_too_short",
    "records.page_too_deep",
  ],
});

export const getRecordList = defineCall({
  method: "GET",
  path: "/api/record/getRecordList",
  summary: "Records of one product line of the current attempt, newest first",
  access: "user",
  input: z.object({ type: z.enum(recordTypeNames), ...deepPaging }),
  answer: recordPage,
  errors: ["session.required", "records.page_too_deep"],
});

/** Amounts in the display currency at the last index; null where a coin in it has no index. */
const productLine = z.object({
  type: z.enum(recordTypeNames),
  /** Current value of the line's positions. */
  balance: z.nullable(decimal),
  /** Result since the last midnight (UTC) of world time, and in total; negative is a loss. */
  today: z.nullable(decimal),
  total: z.nullable(decimal),
  /** Total result in hundredths of a percent of the amount put in; null if that is zero. */
  return_bp: z.nullable(z.int()),
});

const namesOf = <const Name extends string>(names: readonly Name[]) =>
  z.record(z.enum(names), decimal);

/**
 * Total and result by the one definition of docs/rules/records.md, in pUSDT. Flows and costs have
 * the value they had when they moved.
 */
const account = z.object({
  /** The wallet's balance of each coin, to value it at a later index. */
  balances: z.array(z.object({ coin, available: decimal, held: decimal })),
  free: decimal,
  held: decimal,
  /** Current value inside each product line. */
  at_work: namesOf(workLines),
  brought_in: namesOf(inflows),
  taken_out: namesOf(outflows),
  /** The amount returned by each product line, less the amount put in. */
  line_flows: namesOf(workLines),
  fees: namesOf(feeSources),
  spread: namesOf(spreadSources),
  /** Free + held + at work. */
  total: decimal,
  /** Total + taken out − brought in; negative is a loss. */
  result: decimal,
  /** Change since the last midnight (UTC) of world time; null if an index was missing. */
  today: z.nullable(decimal),
  /** The sources of the result; they sum to it exactly. */
  parts: namesOf(resultParts),
});
export type Account = z.infer<typeof account>;

export const findAccountAndRate = defineCall({
  method: "GET",
  path: "/api/record/findAccountAndRate",
  summary: "Total and result of the current attempt, and of each of its product lines",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(productLine),
    /** Null while a coin in it has no index. */
    account: z.nullable(account),
    display_currency: coin,
    priced_at_ms: z.nullable(timeMs),
  }),
  errors: ["session.required"],
});

export const getResultHistory = defineCall({
  method: "GET",
  path: "/api/record/getResultHistory",
  summary: "The result of the current attempt over world time, in pUSDT, and its flows beside it",
  access: "user",
  input: z.object({ range: z._default(z.enum(historyRangeNames as [string, ...string[]]), "day") }),
  answer: z.object({
    /** World time and the result just before it, oldest first; null where an index was missing. */
    points: z.array(z.tuple([timeMs, z.nullable(decimal)])),
    /**
     * World time and the amount that came in (positive) or went out (negative); the newest 100 in
     * the range.
     */
    flows: z.array(z.tuple([timeMs, decimal])),
  }),
  errors: ["session.required"],
});

export const getJournalReceipt = defineCall({
  method: "GET",
  path: "/api/record/getReceipt",
  summary:
    "The receipt of one of the user's own journals (docs/formats/journal.md), or of an operator's act that touched them (docs/formats/audit.md)",
  access: "user",
  input: z.object({
    /** The `journal_id` of a record. */
    journal_id: id,
    /** Under which commitment: the first that covers the journal (the default), or the newest. */
    commitment: z.optional(z.enum(["first", "newest"])),
  }),
  answer: z.record(z.string(), z.unknown()),
  errors: [
    "session.required",
    "records.unknown",
    "records.receipt_not_ready",
    "log.receipt_not_ready",
  ],
});

export const exportRecords = defineCall({
  method: "GET",
  path: "/api/user/exportRecords",
  summary: "All records that match the filters, as one file, newest first; one export at a time",
  access: "user",
  file: ["text/csv", "application/json"],
  input: z.object({ ...recordFilters, format: z.enum(exportFormats) }),
  answer: nothing,
  errors: [
    "session.required",
    "records.attempt_unknown",
    "records.range_too_long",
    "records.range_backwards",
    "records.search_too_short",
    "records.export_running",
  ],
});

export const calls = {
  getTransferRecord,
  getRecordList,
  findAccountAndRate,
  getResultHistory,
  getJournalReceipt,
  exportRecords,
};
