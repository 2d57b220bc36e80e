import type { MachineTerms, TermsError } from "#core/mining/terms.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import type { NewPositions } from "#server/platform/newPositions.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

/** Mining's dependencies on other modules. */
export interface MiningDeps {
  ledger: Ledger;
  transparencyLog: Pick<TransparencyLog, "append" | "next" | "lagMs" | "checkpoint" | "identity">;
  market: Pick<Market, "latest" | "klines">;
  session: NewPositions;
  /** The current listings: an operator may have delisted a machine. Absent: all are. */
  listings?: { isListed(kind: "machine", productId: string): Promise<boolean> };
  hub?: Pick<StreamHub, "toUser" | "hasUser">;
}

/** Terms as published. */
export interface PublishedTerms extends MachineTerms {
  termsHash: string;
  leaf: number;
  publishedAtMs: number;
}

export type PublishResult =
  | { ok: true; published: boolean; termsHash: string }
  | { ok: false; refusal: TermsError | { error: "no_price" } };

/** A reading as stored. */
export interface ReadingRow {
  hour_ms: bigint;
  height: number;
  block_ms: bigint;
  bits: bigint;
  difficulty: bigint;
  epoch_first_ms: bigint;
  fee_sum: bigint;
  cumulative: bigint;
  accrual: bigint;
  leaf: bigint;
}

export interface LeaseRow {
  seq: bigint;
  id: string;
  user_id: string;
  attempt_id: string;
  product_id: string;
  /** Hex. */
  terms_hash: string;
  quantity: number;
  days: number;
  hashrate_ghs: bigint;
  pool_fee_bp: number;
  price_per_day: bigint;
  power_per_day: bigint;
  accepted_at_ms: bigint;
  start_ms: bigint;
  days_to_work: number;
  days_paid: number;
  mined: bigint;
  worth: bigint;
  next_due_ms: bigint | null;
  refund_id: string | null;
  refund_price: bigint | null;
  refund_power: bigint | null;
  ended_at_ms: bigint | null;
  /** Hex, as the hashes. */
  salt: string;
  lease_hash: string;
  bound_leaf: bigint | null;
  end_salt: string | null;
  end_hash: string | null;
  end_bound_leaf: bigint | null;
}

export interface PayoutRow {
  lease_id: string;
  day: number;
  amount: bigint;
  accrual: bigint;
  price: bigint | null;
  journal_id: string | null;
}
