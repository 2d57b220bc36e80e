import { getSymbolAssets } from "#core/hosting/assets.ts";
import type { PendingOrder, Pnl } from "#core/hosting/types.ts";
import { worthUnit } from "#core/hosting/value.ts";
import type { FillCosts } from "#core/market/fillCosts.ts";
import type { BestPrices } from "#core/market/quote.ts";

/**
 * Splits a leg's costs, in minor units of home by the index at the decision. Spread: from the mid
 * to the best price of the decision's book. Delay: from that to the best price of the book met.
 * Slippage: what the levels behind the best one took, with the digits that roundings dropped. They
 * sum to slippage + fees of `computePnl`, exactly, for a leg that filled at realistic friction.
 */
export function computeLegCosts(
  order: Pick<PendingOrder, "symbol" | "side" | "mid2" | "quoteWorth">,
  quantity: bigint,
  { slippage, fees }: Pick<Pnl, "slippage" | "fees">,
  { decided, met }: { decided: BestPrices; met: BestPrices },
): FillCosts {
  const { divisor, quoteUnit } = getSymbolAssets(order.symbol);
  const buys = order.side === "buy";
  const sign = buys ? 1n : -1n;
  const getTakenPrice = (best: BestPrices) => (buys ? best.ask : best.bid);
  const worthOfHalves = (halves: bigint) =>
    (sign * quantity * halves * quoteUnit * order.quoteWorth) / (2n * divisor) / worthUnit;
  const spread = worthOfHalves(2n * getTakenPrice(decided) - order.mid2);
  const delay = worthOfHalves(2n * (getTakenPrice(met) - getTakenPrice(decided)));
  return { delay, spread, slippage: slippage - spread - delay, fee: fees };
}
