import type { HistoryKline, MoveRule } from "#core/monte-carlo/moves.ts";
import type { OrdersRun, OrdersRunInput } from "#core/monte-carlo/orders.ts";

/** What the worker is asked to run. */
export interface Job {
  klines: readonly HistoryKline[];
  rule: MoveRule;
  order: Omit<OrdersRunInput, "moves">;
}

/** Null where the history holds no start. */
export type Answer = OrdersRun | null;
