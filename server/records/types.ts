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
 * A domain's explanation of one of its journals. All of it is shown to the person and included,
 * unhashed, in the journal's receipt: no personal data, no secrets, nothing that may change later.
 */
export interface RecordExplanation {
  /**
   * Values by stable snake_case names, in display order (`rate`, `fee`, `to_address`,
   * `voucher_kind`, `reason`, `quote_second_ms` …). Each name has its label in
   * `i18n/records/<locale>.json` as `records.fact.<name>`, and each value of a closed list as
   * `records.value.<name>.<value>`. `index_leaf` is the index in the log of the second whose prices
   * were used.
   */
  facts: Readonly<Record<string, FactValue>>;
  /** Path in the app to the subject (an order, a pool); omitted if there is no such screen. */
  link?: string;
  /**
   * Additional texts for the records' search, such as an address. Text facts are already searched.
   */
  search?: readonly string[];
}

/**
 * Explains those of the given journals (ids) that the domain knows; others are omitted. One
 * statement, set-based.
 */
export type Explain = (journalIds: string[]) => Promise<Map<string, RecordExplanation>>;

/**
 * The amount that an attempt had invested in a product line at moments of world time, in minor
 * units by coin: taken out of the wallet by the line and not yet returned. `null`: now. In the
 * order of the query; one statement.
 */
export type ReadInvested = (
  attemptId: string,
  moments: readonly (number | null)[],
) => Promise<ReadonlyMap<Coin, bigint>[]>;

/**
 * A line's costs to an attempt so far, in minor units of pUSDT when paid: fees, and the distance of
 * its prices from fair ones.
 */
type ReadCosts = (attemptId: string) => Promise<{ fees: bigint; spread: bigint }>;

/**
 * A person's journal: `orderIds` are those that their own legs name, in the order of the legs, or
 * else the journal's own id, which is then the order's.
 */
interface OrdersQuery {
  userId: string;
  journalId: string;
  kind: string;
  orderIds: string[];
}

/**
 * The orders in the journal's receipt (docs/formats/journal.md). Throws a domain's
 * `receipt_not_ready` while a leaf is not yet under a checkpoint.
 */
export type OrdersOf = (query: OrdersQuery) => Promise<object[]>;

/** An event that affects a person but has no journal of theirs. No personal data. */
export interface InboxEvent {
  /** A UUID: with the time it orders events. */
  id: string;
  type: string;
  atMs: number;
  coin: Coin | null;
  /** Minor units of the coin, signed. */
  amount: bigint | null;
  facts: Readonly<Record<string, FactValue>>;
  link: string | null;
  receipt: string | null;
}

interface EventCursor {
  atMs: number;
  id: string;
}

/**
 * Events of a person's attempt by world time and id, newest first, between two places that are not
 * included. One statement.
 */
export type ReadEvents = (
  who: { userId: string; attemptId: string },
  page: { before: EventCursor | null; after: EventCursor | null; limit: number },
) => Promise<InboxEvent[]>;

/** A domain's information on its journals and on the product line that they form. */
export interface JournalRecords {
  /** The part of the journals' kind before its first point, such as `exchange`. */
  prefix: string;
  explain?: Explain;
  /** The orders that a journal charged or paid; absent if the line has none. */
  orders?: OrdersOf;
  /** The amount invested in the line, if it does not follow from the ledger alone. */
  inLine?: ReadInvested;
  /** Absent if the line charges no fee and trades at the market's price. */
  costs?: ReadCosts;
  /** Events of the inbox besides the journals. */
  events?: ReadEvents;
}

export interface RecordsDeps {
  transparencyLog: TransparencyLog;
  market: Prices;
  /** Every domain's information on its journals. */
  contributions: { readonly records: readonly JournalRecords[] };
}
