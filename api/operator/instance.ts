import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { marketKind } from "#api/meta.ts";
import { coin, decimal, hash, id, nothing, queryInt, symbol, timeMs } from "#api/shapes.ts";

const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const bytes = z.int();

const venue = z.object({
  name: z.string(),
  /** Symbols it lists, and how many of them had a fresh quote in the last second. */
  listed: z.int(),
  fresh: z.int(),
  /**
   * World time of the last second with a fresh quote from it; null if none within the searched
   * seconds.
   */
  last_quote_ms: z.nullable(timeMs),
});

const indexRow = z.object({
  symbol,
  /** Index in the last second; null in a gap. */
  price: z.nullable(decimal),
  venues: z.int(),
  fresh: z.int(),
  /** Seconds without an index in the last hour of world time, not counting missing seconds. */
  gaps_hour: z.int(),
});

/** Seconds that a span of world time should have in the log, and how many are missing. */
const gaps = z.object({ expected: z.int(), missing: z.int() });

const market = z.object({
  latest_second_ms: z.nullable(timeMs),
  feed_lag_ms: z.nullable(z.int()),
  /** How many recent seconds were searched for the venues' last quotes. */
  looked_at: z.int(),
  venues: z.array(venue),
  index: z.array(indexRow),
  gaps: z.object({ hour: gaps, day: gaps }),
});

const log = z.object({
  origin: z.string(),
  /** Verifier keys, newest first. */
  keys: z.array(z.object({ vkey: z.string(), from_size: z.int() })),
  leaves: z.int(),
  /** Size of the last signed checkpoint; null before the first. */
  size: z.nullable(z.int()),
  root: z.nullable(hash),
  checkpoint_at_ms: z.nullable(timeMs),
  lag_ms: z.int(),
  /** Witnesses of the policy that cosigned within the last ten minutes. */
  witnesses: z.int(),
});

const trialRow = z.object({
  coin,
  accounts: z.int(),
  people: decimal,
  house: decimal,
  /** Zero, unless the ledger does not balance. */
  total: decimal,
});

const audit = z.object({
  at_ms: timeMs,
  complete: z.boolean(),
  entries: z.int(),
  took_ms: z.int(),
  findings: z.array(z.object({ check: z.string(), detail: z.string() })),
});

const ledger = z.object({
  trial: z.array(trialRow),
  /** The most recent one; null before the first. */
  audit: z.nullable(audit),
  chain: z.nullable(z.object({ batch: z.int(), head: hash, at_ms: timeMs })),
  house: z.array(z.object({ kind: z.string(), coin, balance: decimal })),
});

const exposureRow = z.object({
  contract_id: id,
  symbol,
  /** Worst-case net payout of the house in pUSDT, and its cap. */
  used: decimal,
  cap: decimal,
});

const stockRow = z.object({ product_id: id, stock: z.int(), leased: z.int(), sold: z.boolean() });

const poolRow = z.object({
  pool_id: id,
  suspended: z.boolean(),
  holders: z.int(),
  /**
   * Units at the last mark in pUSDT, held by people and by the house; null before the first mark.
   */
  people: z.nullable(decimal),
  house: z.nullable(decimal),
  mark_at_ms: z.nullable(timeMs),
});

const job = z.object({
  name: z.string(),
  /** Seconds between runs; null for a loop that runs continuously. */
  schedule: z.nullable(z.int()),
  state: z.enum(["waiting", "running", "fine", "late", "failing"]),
  last_ms: z.nullable(timeMs),
  took_ms: z.nullable(z.int()),
  next_ms: z.nullable(timeMs),
  runs: z.int(),
  failures: z.int(),
  failed_ms: z.nullable(timeMs),
  /** The kind of error. The server's log has the details. */
  error: z.nullable(z.string()),
});

const storage = z.object({
  database_bytes: bytes,
  /** Parts of the database: the public log, the ledger and the market's seconds. */
  log_bytes: bytes,
  ledger_bytes: bytes,
  market_bytes: bytes,
  disk_free_bytes: z.nullable(bytes),
  disk_total_bytes: z.nullable(bytes),
  /**
   * The oldest measurement of the last 24 hours, as a baseline for growth; null if there is none.
   */
  before: z.nullable(z.object({ at_ms: timeMs, database_bytes: bytes, log_bytes: bytes })),
});

const processRow = z.object({
  pid: z.int(),
  services: z.string(),
  version: z.string(),
  started_ms: timeMs,
  seen_ms: timeMs,
  memory_bytes: bytes,
  heap_bytes: bytes,
});

export const getInstance = defineCall({
  method: "GET",
  path: "/api/operator/getInstance",
  summary:
    "The state of this instance: world, market, log, ledger, jobs, storage. No data on persons",
  access: "operator",
  permission: "instance.view",
  input: nothing,
  answer: z.object({
    /** Real time of the answer; figures that are slow to compute are up to ten seconds older. */
    as_of_ms: timeMs,
    world: z.object({
      name: z.string(),
      kind: marketKind,
      speed: z.int(),
      clock: z.enum(["real", "driven"]),
      now_ms: timeMs,
      first_second_ms: z.nullable(timeMs),
      paused: z.boolean(),
      end_ms: z.nullable(timeMs),
    }),
    market,
    log,
    ledger,
    exposure: z.array(exposureRow),
    machines: z.array(stockRow),
    pools: z.array(poolRow),
    jobs: z.array(job),
    storage,
    processes: z.array(processRow),
  }),
  errors: [...commonErrors],
});
export type InstanceView = z.infer<typeof getInstance.answer>;

const useRow = z.object({
  /** Midnight UTC, real time. */
  day_ms: timeMs,
  accounts: z.int(),
  orders: z.int(),
  settled: z.int(),
  withdrawals: z.int(),
  counted_ms: timeMs,
});

const sample = z.object({
  at_ms: timeMs,
  feed_lag_ms: z.nullable(z.int()),
  log_lag_ms: z.int(),
  database_bytes: bytes,
  log_bytes: bytes,
  memory_bytes: bytes,
  disk_free_bytes: z.nullable(bytes),
});

export const getInstanceHistory = defineCall({
  method: "GET",
  path: "/api/operator/getInstanceHistory",
  summary:
    "How this instance was used by day, and how it performed by minute and by hour. No data on persons",
  access: "operator",
  permission: "instance.view",
  input: nothing,
  answer: z.object({
    as_of_ms: timeMs,
    /** At most thirty real days, oldest first; the last one is not over. */
    use: z.array(useRow),
    /** The last three hours. */
    minutes: z.array(sample),
    /** The last fourteen days. */
    hours: z.array(sample),
    /** World hours of the last world day, oldest first. */
    gaps: z.array(z.object({ hour_ms: timeMs, expected: z.int(), missing: z.int() })),
  }),
  errors: [...commonErrors],
});
export type InstanceHistory = z.infer<typeof getInstanceHistory.answer>;

const errorGroup = z.object({
  type: z.string(),
  code: z.string(),
  message: z.string(),
  page_url: z.string(),
  count: z.int(),
  first_ms: timeMs,
  last_ms: timeMs,
  /** Versions of the app, newest report first. */
  versions: z.array(z.string()),
});
export type ErrorGroup = z.infer<typeof errorGroup>;

export const getErrors = defineCall({
  method: "GET",
  path: "/api/operator/getErrors",
  summary: "Script errors that browsers reported, grouped, most recent first",
  access: "operator",
  permission: "instance.view",
  input: z.object({
    search: z.optional(z.string().check(z.maxLength(100))),
    type: z.optional(z.string().check(z.maxLength(40))),
    days: queryInt(1, 30, 7),
    page: queryInt(1, 1_000, 1),
    page_size: queryInt(1, 100, 25),
  }),
  answer: z.object({
    items: z.array(errorGroup),
    page: z.int(),
    page_size: z.int(),
    has_more: z.boolean(),
    types: z.array(z.string()),
    reports: z.int(),
    /** True if there are more reports than the latest 20 000, which were read. */
    cut: z.boolean(),
  }),
  errors: [...commonErrors],
});

export const clearErrors = defineCall({
  method: "POST",
  path: "/api/operator/clearErrors",
  summary: "Deletes error reports older than this many days; they expire after 30 anyway",
  access: "operator",
  permission: "instance.settings",
  input: z.object({ older_than_days: z.int().check(z.minimum(1), z.maximum(30)) }),
  answer: z.object({ cleared: z.int() }),
  errors: [...commonErrors, "operator.raise_required"],
});

const change = z.object({
  seq: z.int(),
  at_ms: timeMs,
  what: z.string(),
  operator_id: id,
  /** The name other operators see; null if erased. */
  name: z.nullable(z.string()),
});

export const getSettings = defineCall({
  method: "GET",
  path: "/api/operator/getSettings",
  summary: "What can be set at runtime, what the environment sets, and who changed what",
  access: "operator",
  permission: "instance.view",
  input: nothing,
  answer: z.object({
    chat_link: z.object({
      /** The link people get; null if none. */
      link: z.nullable(z.string()),
      /** `CHAT_LINK` of the environment. */
      fallback: z.nullable(z.string()),
      /** True if an operator has set it, to a link or to none. */
      set: z.boolean(),
      /** Grows with every change; each change names the revision it was based on. */
      revision: z.int(),
    }),
    contracts_on: z.boolean(),
    sign_up: z.enum(["open", "class_links", "closed"]),
    /**
     * Environment variables as the server read them at start; for secrets and paths, only whether
     * they are set.
     */
    environment: z.array(
      z.object({ name: z.string(), value: z.nullable(z.string()), set: z.boolean() }),
    ),
    changes: z.array(change),
  }),
  errors: [...commonErrors],
});

export const setChatLink = defineCall({
  method: "POST",
  path: "/api/operator/setChatLink",
  summary:
    "Sets the page that online service opens: an https address, none, or the environment's value",
  access: "operator",
  permission: "instance.settings",
  input: z.object({
    use: z.enum(["link", "none", "environment"]),
    link: z.nullable(z.string().check(z.maxLength(300))),
    revision: z.int(),
  }),
  answer: z.object({ revision: z.int() }),
  errors: [
    ...commonErrors,
    "operator.raise_required",
    "instance.changed_meanwhile",
    "publishing.link_not_https",
    "publishing.messenger",
    "publishing.payment_link",
  ],
});

export const exportTables = [
  "use",
  "minutes",
  "hours",
  "gaps",
  "venues",
  "index",
  "trial_balance",
  "house",
  "exposure",
  "machines",
  "pools",
  "jobs",
  "storage",
  "processes",
  "errors",
  "settings",
] as const;
export type ExportTable = (typeof exportTables)[number];

export const exportInstance = defineCall({
  method: "GET",
  path: "/api/operator/exportInstance",
  summary: "One table of the instance pages as CSV",
  access: "operator",
  permission: "instance.export",
  input: z.object({ table: z.enum(exportTables) }),
  answer: nothing,
  file: ["text/csv"],
  errors: [...commonErrors],
});

export const calls = {
  getInstance,
  getInstanceHistory,
  getErrors,
  clearErrors,
  getSettings,
  setChatLink,
  exportInstance,
};
