import type { AnswerOf } from "#api/call.ts";
import type { Book, Trade } from "#api/hosting/trade.ts";
import type { getTrade } from "#api/hosting.ts";
import { type Asset, assets, getSymbolAssets } from "#core/hosting/assets.ts";
import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import { computeLegCosts } from "#core/hosting/legCosts.ts";
import { sizeScale } from "#core/market/book.ts";
import { addFillCosts, type FillCosts, noFillCosts } from "#core/market/fillCosts.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { formatBp } from "#server/hosting/run/runEvents.ts";
import type { FillJson, TradeRow } from "#server/hosting/store.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import { toFillCostsView } from "#server/market/fillCostsView.ts";

/** An order as stored in its trade's row. */
interface OrderOf {
  venue: string;
  symbol: MarketSymbol;
  side: "buy" | "sell";
  quantity: string;
  limit: string;
  mid2: string;
}

/** A trade as the wire shows it. */
export function toTradeView(row: TradeRow): Trade {
  const orders = JSON.parse(row.orders) as OrderOf[];
  const fills = row.fills ?? [];
  const isComplete = fills.length === row.legs;
  const sum = (of: "gross" | "slippage" | "fees") =>
    fills.reduce((total, fill) => total + BigInt(fill[of]), 0n);
  const [gross, slippage, fees] = [sum("gross"), sum("slippage"), sum("fees")];
  return {
    trade_id: row.id,
    product_id: row.pool_id,
    number: row.number,
    purpose: row.purpose as Trade["purpose"],
    decided_at_ms: Number(row.decided_at_ms),
    filled_at_ms: isComplete ? Math.max(...fills.map((fill) => Number(fill.at_ms))) : null,
    decision_leaf: Number(row.decision_leaf),
    state: getState(isComplete, fills),
    seen_bp: row.gap === null || row.needed === 0 ? null : formatBp(row.gap),
    legs: orders.map((order, leg) =>
      toLegView(order, fills.find((fill) => fill.leg === leg) ?? null),
    ),
    gross: isComplete ? formatPusdt(gross) : null,
    fees: isComplete ? formatPusdt(fees) : null,
    slippage: isComplete ? formatPusdt(slippage) : null,
    net: isComplete ? formatPusdt(gross - slippage - fees) : null,
    at_venue: isComplete ? toVenueCostView(fills, { gross, slippage }) : null,
  };
}

/** The cost of the trade at its venues; null unless every leg that filled states one. */
function toVenueCostView(
  fills: readonly FillJson[],
  { gross, slippage }: { gross: bigint; slippage: bigint },
): Trade["at_venue"] {
  const filledLegs = fills.filter(({ quantity }) => quantity !== "0");
  if (filledLegs.length === 0 || filledLegs.some(({ venue_fees: item }) => item === null))
    return null;
  const sum = (of: "venue_fees" | "venue_spread" | "venue_delay") =>
    filledLegs.reduce((total, fill) => total + BigInt(fill[of] ?? 0), 0n);
  const fees = sum("venue_fees");
  return {
    fees: formatPusdt(fees),
    spread: formatPusdt(sum("venue_spread")),
    delay: formatPusdt(sum("venue_delay")),
    net: formatPusdt(gross - slippage - fees),
    fee_source: filledLegs[0]?.venue_fee_source ?? "",
  };
}

function getState(isComplete: boolean, fills: readonly FillJson[]): Trade["state"] {
  if (!isComplete) return "waiting";
  if (fills.every(({ quantity }) => quantity === "0")) return "missed";
  return fills.every(({ why }) => why === null) ? "filled" : "partial";
}

function toLegView(order: OrderOf, fill: FillJson | null): Trade["legs"][number] {
  const { base, quote, divisor, quoteUnit } = getSymbolAssets(order.symbol);
  const { scale } = symbols[order.symbol];
  const quantity = BigInt(fill?.quantity ?? 0);
  const quotePaid = BigInt(fill?.quote ?? 0);
  const buys = order.side === "buy";
  const inBase = { coin: getCoin(base), amount: formatDecimal(quantity, assets[base].scale) };
  const inQuote = { coin: getCoin(quote), amount: formatDecimal(quotePaid, assets[quote].scale) };
  const price = (value: bigint) => formatDecimal(value, scale, true);
  return {
    venue: order.venue,
    symbol: order.symbol,
    side: order.side,
    wanted: formatDecimal(BigInt(order.quantity), assets[base].scale),
    filled: inBase.amount,
    decision_price: price(BigInt(order.mid2) / 2n),
    fill_price: quantity === 0n ? null : price((quotePaid * divisor) / (quantity * quoteUnit)),
    gave: buys ? inQuote : inBase,
    got: buys ? inBase : inQuote,
    fee: {
      coin: getCoin(quote),
      amount: formatDecimal(BigInt(fill?.fee ?? 0), assets[quote].scale),
    },
    filled_at_ms: fill && Number(fill.at_ms),
    fill_leaf: fill && Number(fill.leaf),
    slippage: formatPusdt(BigInt(fill?.slippage ?? 0)),
    short: fill?.why ?? null,
    limit: price(BigInt(order.limit)),
    venue_fee_bp: fill?.venue_taker_fee == null ? null : formatBp(fill.venue_taker_fee),
  };
}

function getCoin(asset: Asset) {
  const { coin } = assets[asset];
  if (coin === null) throw new Error(`${asset} has no practice coin`);
  return coin;
}

type LoggedBook = { bids: [string, string][]; asks: [string, string][] };
interface LoggedOrder {
  symbol: MarketSymbol;
  side: "buy" | "sell";
  mid2: string;
  quote_worth: string;
  book: LoggedBook;
  book_ms: number;
}

/**
 * The logged books on which a trade was decided and filled, leg by leg, and what lies between the
 * mids of the decision and the fills.
 */
export async function readTradeBooks(
  { transparencyLog }: Pick<HostingDeps, "transparencyLog">,
  world: string,
  row: TradeRow,
): Promise<Omit<AnswerOf<typeof getTrade>, "trade">> {
  const orders = JSON.parse(row.orders) as OrderOf[];
  const readBooks = async (leaf: number) => {
    const [storedLeaf] = await transparencyLog.leaves(leaf, leaf + 1);
    const body = storedLeaf && decodeHostingLeaf(storedLeaf.bytes, "books", worldTag(world));
    if (!body?.ok) throw new Error(`leaf ${leaf} is not a valid books leaf`);
    return body.value as unknown as {
      at_ms: number;
      decision: { orders: LoggedOrder[] } | null;
      fills: { number: number; leg: number; book: LoggedBook | null; book_ms: number }[];
    };
  };
  const decision = await readBooks(Number(row.decision_leaf));
  const decidedOrders = orders.map((_, leg) => decision.decision?.orders[leg] ?? null);
  const legs = await Promise.all(
    decidedOrders.map(async (order, leg) => {
      const fill = row.fills?.find((fill) => fill.leg === leg);
      if (!fill || !order) return { book: null, costs: null };
      const body = await readBooks(Number(fill.leaf));
      const matchingFill = body.fills.find(
        (fill) => fill.number === row.number && fill.leg === leg,
      );
      // An order that met no book in time cost nothing.
      if (!matchingFill?.book) return { book: null, costs: noFillCosts };
      return {
        book: toBookView(order.symbol, matchingFill.book, matchingFill.book_ms),
        costs: computeCosts(order, fill, matchingFill.book),
      };
    }),
  );
  const costs = legs.flatMap((leg) => (leg.costs ? [leg.costs] : []));
  return {
    decision_books: decidedOrders.map(
      (loggedOrder) =>
        loggedOrder && toBookView(loggedOrder.symbol, loggedOrder.book, loggedOrder.book_ms),
    ),
    fill_books: legs.map(({ book }) => book),
    costs: costs.length === row.legs ? toFillCostsView(addFillCosts(costs), "pUSDT") : null,
  };
}

function computeCosts(order: LoggedOrder, fill: FillJson, loggedBook: LoggedBook): FillCosts {
  const { symbol, side, mid2, quote_worth: quoteWorth } = order;
  return computeLegCosts(
    { symbol, side, mid2: BigInt(mid2), quoteWorth: BigInt(quoteWorth) },
    BigInt(fill.quantity),
    { slippage: BigInt(fill.slippage), fees: BigInt(fill.fees) },
    { decided: bestPrice(order.book), met: bestPrice(loggedBook) },
  );
}

function bestPrice({ bids, asks }: LoggedBook): BestPrices {
  return { bid: BigInt(bids[0]?.[0] ?? 0), ask: BigInt(asks[0]?.[0] ?? 0) };
}

function toBookView(symbol: MarketSymbol, { bids, asks }: LoggedBook, atMs: number): Book {
  const { scale } = symbols[symbol];
  const side = (levels: [string, string][]) =>
    levels.map(([price, size]): [string, string] => [
      formatDecimal(BigInt(price), scale, true),
      formatDecimal(BigInt(size), sizeScale),
    ]);
  return { at_ms: atMs, bids: side(bids), asks: side(asks) };
}
