import type { AnswerOf } from "#api/call.ts";
import type { getOrderCosts } from "#api/contracts.ts";
import { computeOrderCosts } from "#core/contracts/orderCosts.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { readWindowLeaves } from "#server/contracts/settlement/windowLeaves.ts";
import type { OrderRow } from "#server/contracts/types.ts";
import { toFillCostsView } from "#server/market/fillCostsView.ts";
import type { AppContext } from "#server/platform/context.ts";
import { getOrdinal } from "#server/platform/world.ts";
import { findNewestSecond } from "#server/transparency-log/seconds.ts";

/**
 * The costs between a fair bet at the mid and an order's result, from the log's own seconds, as its
 * receipt has them. Null unless the order was won, lost or tied.
 */
export async function readResultCosts(
  { world, database: { db } }: AppContext,
  order: OrderRow,
  symbol: MarketSymbol,
): Promise<AnswerOf<typeof getOrderCosts>["parts"]> {
  const { purchase_price: entry, selling_price: settlement, bound_leaf: boundLeaf } = order;
  const window = await readWindowLeaves(db, order);
  if (order.outcome === null || entry === null || settlement === null || !window) return null;
  const [tag, column] = [worldTag(world.name), getOrdinal(world, symbol) - 1];
  const indexIn = (second: SecondLeaf | null) => second?.index[column] ?? null;
  const [acceptedSecond, last] = await Promise.all([
    findNewestSecond(db, tag, { from: 0, to: Number(boundLeaf) - 1 }, () => true),
    findNewestSecond(
      db,
      tag,
      { from: window[0], to: window[1] },
      (second) => second.secondMs <= Number(order.delivery_at_ms) && indexIn(second) !== null,
    ),
  ]);
  const prices = { accepted: indexIn(acceptedSecond), entry, last: indexIn(last)!, settlement };
  const { fair, costs, net } = computeOrderCosts(
    {
      direction: order.direction,
      stake: order.stake,
      fee: order.fee,
      rateBp: order.rate_bp,
      rangeBp: order.range_bp,
    },
    prices,
  );
  const text = (value: bigint) => formatDecimal(value, symbols[symbol].scale, true);
  return {
    fair: formatPusdt(fair),
    costs: toFillCostsView(costs, "pUSDT"),
    net: formatPusdt(net),
    prices: {
      accepted: prices.accepted === null ? null : text(prices.accepted),
      entry: text(entry),
      last: text(prices.last),
      settlement: text(settlement),
    },
  };
}
