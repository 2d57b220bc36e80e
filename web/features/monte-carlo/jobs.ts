import type { LeaseRun, LeaseRunInput } from "#core/monte-carlo/leases.ts";
import type { HistoryKline, MoveRule } from "#core/monte-carlo/moves.ts";
import type { OrdersRun, OrdersRunInput } from "#core/monte-carlo/orders.ts";
import type { NavMoment, PoolRun } from "#core/monte-carlo/pools.ts";

export const frictions = ["frictionless", "realistic", "harsh"] as const;
type Friction = (typeof frictions)[number];

/** The jobs of the worker, by kind. */
export interface Jobs {
  orders: {
    klines: readonly HistoryKline[];
    rule: MoveRule;
    order: Omit<OrdersRunInput, "moves">;
  };
  lease: { klines: readonly HistoryKline[]; lease: Omit<LeaseRunInput, "prices"> };
  pool: { moments: readonly NavMoment<Friction>[]; amount: bigint; heldMs: number };
}

/** The worker's results by kind of job; null if the history contains no start. */
export interface JobResults {
  orders: OrdersRun | null;
  lease: LeaseRun | null;
  pool: Record<Friction, PoolRun> | null;
}

export type JobKind = keyof Jobs;
