import { type Asset, getSymbolAssets } from "#core/hosting/assets.ts";
import { computePnl, executeOrder } from "#core/hosting/execute.ts";
import { type Friction, getLatencyBooks } from "#core/hosting/friction.ts";
import { getHeldAt } from "#core/hosting/state.ts";
import { expiryMs } from "#core/hosting/strategy/parameters.ts";
import type {
  Counters,
  Fill,
  Moment,
  PendingOrder,
  PoolConfig,
  PoolState,
  VenueBook,
} from "#core/hosting/types.ts";

/**
 * Matches every pending order with its venue's books: each later book counts once, and an order
 * fills on the book at which its latency ends, independently of the other legs. `isImmediate`: the
 * orders were decided in this moment.
 */
export function settleOrders(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
  isImmediate = false,
): { state: PoolState; fills: Fill[] } {
  if (state.orders.length === 0) return { state, fills: [] };
  const waits = getLatencyBooks(friction);
  if (isImmediate && waits > 0) return { state, fills: [] };
  const fills: Fill[] = [];
  const waitingOrders: PendingOrder[] = [];
  let next = state;
  for (const order of state.orders) {
    const book = moment.book(order.venue, order.symbol);
    const isLater = book !== null && book.atMs > order.bookMs;
    const waitedSeconds = isLater ? order.waited + 1 : order.waited;
    if (book && (isLater || isImmediate) && waitedSeconds >= waits) {
      const fillOutcome = fillOrder(config, friction, next, { order, moment, book });
      fills.push(fillOutcome.fill);
      next = fillOutcome.state;
    } else if (moment.atMs - order.decidedMs >= expiryMs) {
      fills.push(abandonOrder(order, moment.atMs));
      next = { ...next, counters: countFill(next.counters, fills.at(-1)!) };
    } else
      waitingOrders.push(isLater ? { ...order, waited: waitedSeconds, bookMs: book.atMs } : order);
  }
  return { state: { ...next, orders: waitingOrders }, fills };
}

function fillOrder(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  { order, moment, book }: { order: PendingOrder; moment: Moment; book: VenueBook },
): { state: PoolState; fill: Fill } {
  const { base, quote } = getSymbolAssets(order.symbol);
  const buys = order.side === "buy";
  const levels = book.levels();
  const execution = executeOrder(
    order,
    levels,
    getHeldAt(state, order.venue, buys ? quote : base),
    friction,
  );
  const fill: Fill = {
    order,
    atMs: moment.atMs,
    bookMs: book.atMs,
    quantity: execution.quantity,
    quote: execution.quote,
    fee: execution.fee,
    pnl: computePnl(order, execution),
    why: execution.why,
    book: levels,
  };
  const baseMove = buys ? execution.quantity : -execution.quantity;
  const quoteMove = (buys ? -execution.quote : execution.quote) - execution.fee;
  const balances = { ...state.held };
  addToBalance(balances, `${order.venue}/${base}`, baseMove);
  addToBalance(balances, `${order.venue}/${quote}`, quoteMove);
  let { drift } = state;
  if (order.purpose === "arbitrage" || order.purpose === "unwind") {
    drift = { ...drift };
    addToDrift(drift, config.home, base, baseMove);
    addToDrift(drift, config.home, quote, quoteMove);
  }
  return {
    state: { ...state, held: balances, drift, counters: countFill(state.counters, fill) },
    fill,
  };
}

function abandonOrder(order: PendingOrder, atMs: number): Fill {
  return {
    order,
    atMs,
    bookMs: order.bookMs,
    quantity: 0n,
    quote: 0n,
    fee: 0n,
    pnl: { gross: 0n, slippage: 0n, fees: 0n },
    why: "no_book",
    book: null,
  };
}

/** Adds to an amount; zero amounts are removed, so that equal states have one form. */
export function addToBalance(balances: Record<string, bigint>, key: string, by: bigint): void {
  const after = (balances[key] ?? 0n) + by;
  if (after < 0n) throw new RangeError(`a pool's ${key} cannot go below zero`);
  if (after === 0n) delete balances[key];
  else balances[key] = after;
}

function addToDrift(
  drift: Partial<Record<Asset, bigint>>,
  home: Asset,
  asset: Asset,
  by: bigint,
): void {
  if (asset === home) return;
  const after = (drift[asset] ?? 0n) + by;
  if (after === 0n) delete drift[asset];
  else drift[asset] = after;
}

function countFill(counters: Counters, { quantity, why, pnl }: Fill): Counters {
  return {
    ...counters,
    fills: counters.fills + (quantity > 0n ? 1 : 0),
    short: counters.short + (why === null ? 0 : 1),
    gross: counters.gross + pnl.gross,
    slippage: counters.slippage + pnl.slippage,
    fees: counters.fees + pnl.fees,
  };
}
