import type { Coin } from "#core/money/coins.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import type { Prices } from "#server/wallet/wallet.ts";

/**
 * A value of a fact: a plain value, or an amount in minor units with its coin (`{"amount":
 * "1000000", "coin": "pUSDT"}`). Numbers are safe integers; prices are decimal strings of integers
 * at their symbol's scale; times end in `_at_ms`.
 */
export type FactValue = string | number | boolean | null | { amount: string; coin: Coin };

/**
 * What a domain knows about one of its journals. All of it is shown to the person and goes, hashed
 * by nothing, into the journal's receipt: no personal data, nothing secret, nothing that may change
 * later.
 */
export interface RecordExplanation {
  /**
   * Values by stable snake_case names, in the order in which they are to be shown (`rate`, `fee`,
   * `to_address`,
   * `voucher_kind`, `reason`, `quote_second_ms` …). A name has its word in
   * `i18n/records/<locale>.json`,
   * `records.fact.<name>`. `index_leaf` is the place in the log of the second whose prices were
   * used; the values of a closed list theirs in `records.value.<name>.<value>`.
   */
  facts: Readonly<Record<string, FactValue>>;
  /**
   * Path in the app to what this is about (an order, a pool); none when there is no such screen.
   */
  link?: string;
  /**
   * Also found by the records' search, such as an address. Facts that are texts are found already.
   */
  search?: readonly string[];
}

/**
 * Explains those of the given journals (ids) that the domain knows; others are left out. One
 * statement, set-based.
 */
export type Explain = (journalIds: string[]) => Promise<Map<string, RecordExplanation>>;

/**
 * What an attempt had in a product line at a moment of world time, in minor units by coin: what the
 * line took out of the wallet and had not given back then. `null`: now.
 */
type InLine = (attemptId: string, atMs: number | null) => Promise<ReadonlyMap<Coin, bigint>>;

/** What a domain says of its journals and of the product line that they make up. */
export interface JournalRecords {
  /** The part of the journals' kind before its first point, such as `exchange`. */
  prefix: string;
  explain?: Explain;
  /** What is in the line, where the ledger alone does not say it. */
  inLine?: InLine;
}

export interface RecordsDeps {
  transparencyLog: TransparencyLog;
  market: Prices;
  /** What every domain says of its journals. */
  contributions: { readonly records: readonly JournalRecords[] };
}
