import type { OrdersRun } from "#core/monte-carlo/orders.ts";
import type { Jobs } from "./jobs.ts";
import { saveRun } from "./saveRun.ts";

/**
 * Saves a run with all that it was computed from, in the form of docs/rules/monte-carlo.md; amounts
 * and prices are integers of minor units, as strings.
 */
export function saveOrdersRun(
  contractId: string,
  { klines, rule, order }: Jobs["orders"],
  run: OrdersRun,
) {
  const { quote, balance } = order;
  const content = {
    format: "drydock.monte-carlo.orders/1",
    practice: true,
    backing: "none",
    contract_id: contractId,
    seed: run.seed,
    now_ms: rule.nowMs,
    step_ms: rule.stepMs,
    tier_seconds: rule.tierSeconds,
    range_bp: rule.rangeBp,
    stake: quote.stake,
    fee: quote.fee,
    profit: quote.profit,
    balance,
    klines: klines.map(({ openMs, open, close }) => [openMs, open, close]),
    starts: run.starts,
    ties: run.ties,
    rows: run.rows.map(({ exactBelowBp, outOfMoney, ...row }) => ({
      ...row,
      exact_below_bp: exactBelowBp,
      out_of_money: outOfMoney,
    })),
  };
  saveRun(`monte-carlo-${contractId}-${run.seed}.json`, content);
}
