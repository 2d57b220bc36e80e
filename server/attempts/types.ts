import type { Coin } from "#core/money/coins.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Lines } from "#server/records/lines.ts";
import type { Prices } from "#server/wallet/wallet.ts";

/** An attempt and whose it is. */
export interface Owner {
  userId: string;
  attemptId: string;
}

/**
 * Cancels what waits in an attempt that was closed. May be called again and again, and while
 * nothing waits.
 */
type CancelWaiting = (who: Owner) => Promise<void>;

/** What still runs in an attempt. */
export interface RunningOff {
  count: number;
  /** World time at which the last of it ends; null where none is fixed. */
  lastAtMs: number | null;
}

/** What runs in each of these attempts; those with nothing may be missing. One statement. */
type ReadRunning = (attemptIds: string[]) => Promise<ReadonlyMap<string, RunningOff>>;

/** Fees that an attempt paid to a product, in minor units by coin. One statement. */
export type ReadFees = (attemptId: string) => Promise<ReadonlyMap<Coin, bigint>>;

/** What a domain says of an attempt. */
export interface AttemptHooks {
  /** What still runs of a product. */
  running?: { product: "contract" | "hosting" | "mining"; read: ReadRunning };
  /** Fees paid to a product, besides those the ledger's `fees` account got. */
  fees?: ReadFees;
  /** Called for each attempt that closes, at once and at least once more a minute later. */
  onClose?: CancelWaiting;
}

export interface AttemptsDeps {
  ledger: Ledger;
  market: Prices;
  records: { lines: (attemptId: string) => Promise<Lines> };
  contributions: { readonly attempts: readonly AttemptHooks[] };
}

/** A closing as it is remembered. */
interface Closing {
  closedAtMs: number;
  closedRealAtMs: number;
  balances: Readonly<Partial<Record<Coin, bigint>>>;
  /** Index values of then by symbol, at the symbol's scale. */
  index: Readonly<Record<string, string>>;
  settled: boolean;
}

export interface AttemptRow extends Owner {
  number: number;
  openedAtMs: number;
  openedRealAtMs: number;
  closing: Closing | null;
  /** The attempt that was closed when this one opened; null for the first. */
  closes: string | null;
}
