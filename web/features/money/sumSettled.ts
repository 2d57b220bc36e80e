import type { Order } from "#api/contracts.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";

type SettledOrder = Pick<Order, "outcome" | "net" | "coin">;

/** Sums settled orders, so that a win never hides the losses beside it. */
export function sumSettled(orders: readonly SettledOrder[]) {
  const sum = { net: 0n, won: 0, lost: 0, other: 0 };
  for (const { outcome, net, coin } of orders) {
    sum.net += toMinorUnits(net ?? "0", coinScale(coin));
    if (outcome === "won" || outcome === "lost") sum[outcome] += 1;
    else sum.other += 1;
  }
  return sum;
}
