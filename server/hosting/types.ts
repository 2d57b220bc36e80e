import type { Asset } from "#core/hosting/assets.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { PoolConfig, PoolState } from "#core/hosting/types.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import type { MarketHistory } from "#server/market/marketHistory.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import type { NewPositions } from "#server/platform/newPositions.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";

export interface HostingDeps {
  ledger: Ledger;
  transparencyLog: Pick<
    TransparencyLog,
    "append" | "next" | "leaves" | "lagMs" | "checkpoint" | "identity"
  >;
  market: Pick<Market, "latest"> &
    MarketHistory & {
      /** The world's venues, in the order of its `world` leaf. */
      venues: readonly string[];
    };
  session: NewPositions;
  /** Receives pushed runs; absent in a process that does not serve the web. */
  hub?: Pick<StreamHub, "toWatchers" | "watched">;
}

/** A pool to be published. Amounts in minor units of pUSDT. */
export interface PoolPlan {
  id: string;
  config: PoolConfig;
  minimum: bigint;
  maximum: bigint;
  seed: bigint;
}

/** A pool with its current terms and its last mark. */
export interface Pool extends PoolPlan {
  ordinal: number;
  suspended: boolean;
  termsHash: string;
  version: number;
  termsLeaf: number;
  publishedAtMs: number;
  houseUnits: bigint;
  units: bigint;
  holders: number;
  startedAtMs: number | null;
  holdStart: bigint | null;
  nav: bigint | null;
  entryNav: bigint | null;
  markAtMs: number | null;
  markLeaf: number | null;
  gapAtMs: number | null;
}

/** The engine's run of a pool under one friction, and its NAV extremes. */
export interface RunState {
  state: PoolState;
  /** `state` as stored in the database. */
  text: string;
  peak: bigint;
  /** Worst fall from a peak, in hundredths of a basis point. */
  worst: number;
}

/** House accounts of every coin that pools can own. */
export type HouseAccounts = ReadonlyMap<Asset, { hosting: bigint; venues: bigint }>;

/** A pool's engine state, in memory of the process that closes seconds. */
export interface RunningPool extends Pool {
  runs: Readonly<Record<Friction, RunState>>;
  /**
   * The state after the last mark and its orders; a mark's leaf includes the state only when it
   * differs from this.
   */
  markedText: string | null;
  day: { dayMs: number; open: bigint } | null;
}

export interface OrderRow {
  seq: bigint;
  id: string;
  user_id: string;
  attempt_id: string;
  pool_id: string;
  action: "subscribe" | "redeem";
  amount: bigint | null;
  units: bigint | null;
  terms_hash: string;
  accepted_at_ms: bigint;
  salt: string;
  order_hash: string;
  bound_leaf: bigint | null;
  outcome: "executed" | "returned" | null;
  nav: bigint | null;
  fee: bigint | null;
  payout: bigint | null;
  mark_at_ms: bigint | null;
  mark_leaf: bigint | null;
}

export interface HoldingRow {
  attempt_id: string;
  pool_id: string;
  bought: bigint;
  redeemed: bigint;
  blocked: bigint;
  waiting: bigint;
  paid_in: bigint;
  paid_out: bigint;
  fees: bigint;
}
