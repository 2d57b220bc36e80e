import type { Direction, Outcome, VoidReason } from "#core/contracts/settle.ts";
import type { Terms, TermsError, Tier } from "#core/contracts/terms.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import type { NewPositions } from "#server/platform/newPositions.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

export interface ContractsDeps {
  ledger: Ledger;
  transparencyLog: Pick<TransparencyLog, "append" | "lagMs" | "checkpoint" | "identity">;
  market: Pick<Market, "latest" | "klines" | "stats24h">;
  session: NewPositions;
  /** The current listings: an operator may have delisted a symbol's contract. Absent: all are. */
  listings?: { isListed(kind: "contract_tiers", symbol: string): Promise<boolean> };
  /** Receives pushed orders; absent in a process that does not serve the web. */
  hub?: Pick<StreamHub, "toUser" | "hasUser">;
}

/** Terms as published. */
export interface PublishedTerms extends Terms {
  termsHash: string;
  leaf: number;
  publishedAtMs: number;
}

export interface Contract {
  id: string;
  symbol: MarketSymbol;
  terms: PublishedTerms;
}

type PublishResult =
  | { ok: true; published: boolean; termsHash: string }
  | { ok: false; refusal: TermsError };

/**
 * Publishes terms for a symbol as a `terms` leaf and a row, unless the current version has the same
 * tiers. Runs in the caller's transaction if one is given.
 */
export type Publish = (
  symbol: MarketSymbol,
  tiers: readonly Tier[],
  tx?: Tx,
) => Promise<PublishResult>;

export interface OrderRow {
  seq: bigint;
  id: string;
  user_id: string;
  attempt_id: string;
  contract_id: string;
  direction: Direction;
  tier_seconds: number;
  window_seconds: number;
  range_bp: number;
  rate_bp: number;
  fee_bp: number;
  stake: bigint;
  fee: bigint;
  terms_hash: string;
  accepted_at_ms: bigint;
  salt: string;
  order_hash: string;
  bound_leaf: bigint | null;
  entry_leaf: bigint | null;
  purchase_price: bigint | null;
  entry_at_ms: bigint | null;
  delivery_at_ms: bigint | null;
  /** The second whose closing makes it due; null before its entry is decided. */
  due_at_ms: bigint | null;
  selling_price: bigint | null;
  outcome: Outcome | null;
  void_reason: VoidReason | null;
  payout: bigint | null;
  settled_at_ms: bigint | null;
}
