import type { Coin } from "#core/money/coins.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { ProductResults } from "#server/records/productLines.ts";
import type { Prices } from "#server/wallet/wallet.ts";

/** An attempt and its owner. */
export interface Owner {
  userId: string;
  attemptId: string;
}

/** Cancels pending work in a closed attempt. Idempotent, also when nothing is pending. */
type CancelPending = (owner: Owner) => Promise<void>;

/** The positions that are still open in an attempt. */
export interface OpenPositions {
  count: number;
  /** World time at which the last of it ends; null when open-ended. */
  lastAtMs: number | null;
}

/**
 * Reads the open positions of each of these attempts; attempts with nothing may be absent. Uses one
 * statement.
 */
type ReadOpenPositions = (attemptIds: string[]) => Promise<ReadonlyMap<string, OpenPositions>>;

/** Fees that an attempt paid to a product, in minor units by coin. Uses one statement. */
export type ReadFees = (attemptId: string) => Promise<ReadonlyMap<Coin, bigint>>;

/** A domain's contributions about attempts. */
export interface AttemptHooks {
  /** The open positions of a product. */
  running?: { product: "contract" | "hosting" | "mining"; read: ReadOpenPositions };
  /** Fees paid to a product, besides those posted to the ledger's `fees` account. */
  fees?: ReadFees;
  /** Called for each attempt that closes: immediately, and again at least a minute later. */
  onClose?: CancelPending;
}

export interface AttemptsDeps {
  ledger: Ledger;
  market: Prices;
  records: { lines: (attemptId: string) => Promise<ProductResults> };
  contributions: { readonly attempts: readonly AttemptHooks[] };
}

/** The stored closing of an attempt. */
interface AttemptClosing {
  closedAtMs: number;
  closedRealAtMs: number;
  balances: Readonly<Partial<Record<Coin, bigint>>>;
  /** Index values at closing by symbol, at the symbol's scale. */
  index: Readonly<Record<string, string>>;
  settled: boolean;
}

export interface AttemptRow extends Owner {
  number: number;
  openedAtMs: number;
  openedRealAtMs: number;
  closing: AttemptClosing | null;
  /** The attempt that was closed when this one opened; null for the first. */
  closes: string | null;
}
