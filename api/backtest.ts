import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { decimal, id, nothing, pageOf, paging, symbol, timeMs } from "#api/shapes.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { frictionNames } from "#core/hosting/friction.ts";

const friction = z.enum(frictionNames);
const strategy = z.enum(["cross", "triangle", "hold"]);
const source = z.enum(["world", "files"]);
const setId = z.string().check(z.regex(/^[0-9a-f]{32}$/));
const name = z.string().check(z.minLength(1), z.maxLength(120));

const backtestFile = z.object({
  /** `venue.SYMBOL.1m.csv`. */
  name: z.string(),
  venue: z.string(),
  symbol,
  bytes: z.int(),
  /** Minutes in which something traded. */
  minutes: z.int(),
  from_ms: timeMs,
  to_ms: timeMs,
});
export type BacktestFile = z.infer<typeof backtestFile>;

const backtestPool = z.object({
  /** Names the pool in `runHistoryTest`. */
  pool: z.string(),
  strategy,
  symbols: z.array(symbol),
  venues: z.array(z.string()),
  /** What its money is counted in: a practice coin's code, or USD. */
  unit: z.string(),
  from_ms: timeMs,
  to_ms: timeMs,
});
export type BacktestPool = z.infer<typeof backtestPool>;

const backtestSource = z.object({
  files: z.array(backtestFile),
  pools: z.array(backtestPool),
  from_ms: timeMs,
  /** Of a recording no later than world time: what comes after is nobody's to know. */
  to_ms: timeMs,
  /** Real time at which the person's files are removed; null for the recording. */
  kept_until_ms: z.nullable(timeMs),
});
export type BacktestSource = z.infer<typeof backtestSource>;

export const getHistorySources = defineCall({
  method: "GET",
  path: "/api/history/getHistorySources",
  summary: "What a strategy can be tested on: this world's recording, and the person's own files",
  access: "user",
  input: nothing,
  answer: z.object({
    /** Null: this world replays no recording. */
    world: z.nullable(backtestSource),
    /** Null: the person has brought no files. */
    files: z.nullable(backtestSource),
    limits: z.object({
      files: z.int(),
      file_bytes: z.int(),
      files_kept_ms: z.int(),
      results_kept_ms: z.int(),
      period_days: z.int(),
      margin_bp: z.int(),
      trades_kept: z.int(),
    }),
    /** The margin of published pools, in basis points. */
    margin_bp: z.int(),
  }),
  errors: ["session.required"],
});

export const uploadHistoryFile = defineCall({
  method: "POST",
  path: "/api/history/uploadHistoryFile",
  summary:
    "Brings one price file of a set. A bad line refuses it by file and line, and drops the whole set; nothing is used before keepHistoryFiles",
  access: "user",
  upload: { field: "file", types: ["text/csv"], maxBytes: backtestLimits.file_bytes },
  input: z.object({
    /** 32 hex digits that the client makes, the same for all files of the set. */
    set_id: setId,
    name,
    file: z.optional(z.unknown()),
  }),
  answer: backtestFile,
  errors: [
    "session.required",
    "history.name_wrong",
    "history.bad_line",
    "history.too_large",
    "history.too_many_files",
  ],
});

export const keepHistoryFiles = defineCall({
  method: "POST",
  path: "/api/history/keepHistoryFiles",
  summary: "Puts a set whose files were all good in the place of the person's former one",
  access: "user",
  /** `files`: how many the set has, so that a part of it is never taken for the whole. */
  input: z.object({ set_id: setId, files: z.int() }),
  answer: backtestSource,
  errors: ["session.required", "history.set_unknown", "history.busy"],
});

export const removeHistoryFiles = defineCall({
  method: "POST",
  path: "/api/history/removeHistoryFiles",
  summary: "Removes the person's price files at once",
  access: "user",
  input: nothing,
  answer: nothing,
  errors: ["session.required", "history.busy"],
});

/** Amounts are decimals in `unit`. */
const pnl = {
  gross: decimal,
  slippage: decimal,
  fees: decimal,
  /** gross − slippage − fees. */
  net: decimal,
  /** Change of worth: net, and what prices did to the stock. */
  result: decimal,
  worth: decimal,
  trades: z.int(),
  fills: z.int(),
};

const backtestOutcome = z.object({
  friction,
  ...pnl,
  /** Worst fall between marks, in hundredths of a percent. */
  drawdown_bp: z.int(),
  return_bp: z.int(),
  short: z.int(),
  transfers: z.int(),
  days: z.array(z.object({ day_ms: timeMs, ...pnl })),
  /** Decisions of any purpose that were kept for the list. */
  decisions: z.int(),
  decisions_kept: z.int(),
});
export type BacktestOutcome = z.infer<typeof backtestOutcome>;

const backtestResult = z.object({
  unit: z.string(),
  start: decimal,
  from_ms: timeMs,
  to_ms: timeMs,
  outcomes: z.array(backtestOutcome),
  /** Buying and holding over the same time, at realistic friction. */
  hold: z.object({ worth: decimal, return_bp: z.int(), drawdown_bp: z.int(), symbol }),
  /** At most 200 moments: worth under each friction, and of holding. */
  line: z.array(
    z.object({
      at_ms: timeMs,
      frictionless: decimal,
      realistic: decimal,
      harsh: decimal,
      hold: decimal,
    }),
  ),
  /** The look-ahead check; `peek` null: it did the same whatever came after each cut. */
  look_ahead: z.object({
    cuts: z.int(),
    peek: z.nullable(z.object({ cut_ms: timeMs, at_ms: timeMs, future: z.string() })),
  }),
});
export type BacktestResult = z.infer<typeof backtestResult>;

const backtest = z.object({
  run_id: id,
  source,
  pool: z.string(),
  strategy,
  symbols: z.array(symbol),
  venues: z.array(z.string()),
  unit: z.string(),
  from_ms: timeMs,
  to_ms: timeMs,
  margin_bp: z.int(),
  status: z.enum(["waiting", "running", "over", "cancelled", "failed"]),
  stage: z.enum(["waiting", "reading", "running", "checking"]),
  /** 0 to 100. */
  percent: z.int(),
  /** Why it failed. */
  reason: z.nullable(z.enum(["no_data", "too_long", "stopped", "failed"])),
  /** Real time. */
  asked_at_ms: timeMs,
  /**
   * Different settings that this person has tried on these very data, and how many of them ended
   * above this one at realistic friction. A result picked as the best of many is no finding.
   */
  tried: z.int(),
  above: z.nullable(z.int()),
  /** SHA-256 over names and contents of the files. */
  data_hash: z.nullable(z.string()),
});
export type Backtest = z.infer<typeof backtest>;

export const runHistoryTest = defineCall({
  method: "POST",
  path: "/api/history/runHistoryTest",
  summary: "Starts a test on history: one at a time for a person, four in all",
  access: "user",
  input: z.object({
    source,
    pool: z.string().check(z.maxLength(200)),
    from_ms: timeMs,
    to_ms: timeMs,
    margin_bp: z.int().check(z.minimum(0), z.maximum(backtestLimits.margin_bp)),
  }),
  answer: backtest,
  errors: [
    "session.required",
    "history.no_files",
    "history.pool_unknown",
    "history.period_wrong",
    "history.busy",
    "history.queue_full",
  ],
});

export const cancelHistoryTest = defineCall({
  method: "POST",
  path: "/api/history/cancelHistoryTest",
  summary: "Ends a test that waits or runs; nothing of it is kept",
  access: "user",
  input: z.object({ run_id: id }),
  answer: backtest,
  errors: ["session.required", "history.run_unknown"],
});

export const findHistoryTest = defineCall({
  method: "GET",
  path: "/api/history/findHistoryTest",
  summary: "How a test stands, and its result once it is over; the latest one unless named",
  access: "user",
  input: z.object({ run_id: z.optional(id) }),
  answer: z.object({ test: z.nullable(backtest), result: z.nullable(backtestResult) }),
  errors: ["session.required", "history.run_unknown"],
});

export const getHistoryTests = defineCall({
  method: "GET",
  path: "/api/history/getHistoryTests",
  summary: "The person's tests of the last days, newest first, at most twenty",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(
      /** At realistic friction. */
      z.extend(backtest, { return_bp: z.nullable(z.int()) }),
    ),
  }),
  errors: ["session.required"],
});

const backtestTrade = z.object({
  number: z.int(),
  at_ms: timeMs,
  purpose: z.enum(["arbitrage", "unwind", "stock", "raise"]),
  gross: decimal,
  slippage: decimal,
  fees: decimal,
  net: decimal,
  legs: z.array(
    z.object({
      venue: z.string(),
      symbol,
      side: z.enum(["buy", "sell"]),
      quantity: decimal,
      filled: decimal,
      /** Paid or received before the fee, and the fee, in the symbol's quote. */
      quote: decimal,
      fee: decimal,
      at_ms: z.nullable(timeMs),
      why: z.nullable(z.string()),
    }),
  ),
});
export type BacktestTrade = z.infer<typeof backtestTrade>;

export const getHistoryTrades = defineCall({
  method: "GET",
  path: "/api/history/getHistoryTrades",
  summary: "What a test traded under one friction, newest first",
  access: "user",
  input: z.object({ run_id: id, friction, ...paging }),
  answer: pageOf(backtestTrade),
  errors: ["session.required", "history.run_unknown", "history.not_over"],
});

const backtestFormats = ["csv", "json"] as const;

export const exportHistoryTest = defineCall({
  method: "GET",
  path: "/api/history/exportHistoryTest",
  summary: "A test as a file: its days or its trades as CSV, or all of it as JSON",
  access: "user",
  file: ["text/csv", "application/json"],
  input: z.object({
    run_id: id,
    friction,
    what: z._default(z.enum(["days", "trades"]), "trades"),
    format: z.enum(backtestFormats),
  }),
  answer: nothing,
  errors: ["session.required", "history.run_unknown", "history.not_over"],
});

export const calls = {
  getHistorySources,
  uploadHistoryFile,
  keepHistoryFiles,
  removeHistoryFiles,
  runHistoryTest,
  cancelHistoryTest,
  findHistoryTest,
  getHistoryTests,
  getHistoryTrades,
  exportHistoryTest,
};
