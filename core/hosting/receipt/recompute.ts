import { getSymbolAssets } from "#core/hosting/assets.ts";
import type {
  BookBody,
  BooksBody,
  FillBody,
  PoolMarkBody,
  TransferBody,
} from "#core/hosting/bodies.ts";
import { computePnl, executeOrder } from "#core/hosting/execute.ts";
import { stateHash } from "#core/hosting/leaves.ts";
import { markPool, unitNav } from "#core/hosting/pool.ts";
import { addToBalance } from "#core/hosting/settle.ts";
import { encodePoolState, getHeldAt, payOwed } from "#core/hosting/state.ts";
import type { Moment, PendingOrder, PoolConfig, PoolState, Transfer } from "#core/hosting/types.ts";
import { computeAssetsWorth, computeWorth } from "#core/hosting/value.ts";
import type { Book } from "#core/market/book.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** The first difference between two marks, by the step of docs/formats/hosting.md that found it. */
export type MarkMismatch =
  | "transfer_differs"
  | "order_unknown"
  | "fill_differs"
  | "decision_differs"
  | "state_differs"
  | "no_index"
  | "assets_differ"
  | "nav_differs"
  | "units_differ";

type IndexAt = (secondLeaf: number, symbol: MarketSymbol) => bigint | null;

/** A pool as a mark left it, with its orders executed. */
export interface PoolAfterMark {
  state: PoolState;
  units: bigint;
}

/** A pool's start: the house's capital at a NAV of 1. */
export function createPoolAtStart(founded: PoolState, seed: bigint): PoolAfterMark {
  return { state: founded, units: (seed * unitNav) / 1_000_000n };
}

/**
 * Recomputes the next mark from the state at the previous one and the events logged in between
 * (steps 6 to 10). `index` returns a symbol's index in a `second` leaf. Returns what the new mark
 * leaves in turn.
 */
export function recomputeMark(
  config: PoolConfig,
  before: PoolAfterMark,
  between: readonly BooksBody[],
  mark: PoolMarkBody & { at_ms: number; second_leaf: number },
  index: IndexAt,
): { ok: true; left: PoolAfterMark } | { ok: false; difference: MarkMismatch } {
  let state = payOwedFromFree(before.state);
  for (const books of between) {
    const next = applyBooks(config, state, books, index);
    if (typeof next === "string") return { ok: false, difference: next };
    state = next;
  }
  const statedState = mark.state === null ? null : JSON.stringify(mark.state);
  if (
    stateHash(state) !== mark.state_hash ||
    (statedState !== null && statedState !== encodePoolState(state))
  )
    return { ok: false, difference: "state_differs" };
  const moment: Moment = {
    atMs: mark.at_ms,
    book: () => null,
    index: (symbol) => index(mark.second_leaf, symbol),
  };
  const worth = computeAssetsWorth(config, state, moment);
  const markOutcome = markPool(config.home, { worth, owed: state.owed, units: before.units });
  if (!markOutcome.ok) return { ok: false, difference: "no_index" };
  const { assets, owed, units, nav, entryNav } = markOutcome.mark;
  if (`${units}` !== mark.units) return { ok: false, difference: "units_differ" };
  if (`${assets}` !== mark.assets || `${owed}` !== mark.owed)
    return { ok: false, difference: "assets_differ" };
  if (`${nav}` !== mark.nav || `${entryNav}` !== mark.entry_nav)
    return { ok: false, difference: "nav_differs" };
  return {
    ok: true,
    left: {
      state: {
        ...state,
        free: state.free + BigInt(mark.subscribed),
        owed: state.owed + BigInt(mark.paid),
      },
      units: units + BigInt(mark.given) - BigInt(mark.redeemed),
    },
  };
}

function payOwedFromFree(state: PoolState): PoolState {
  const amount = state.owed < state.free ? state.owed : state.free;
  return amount > 0n ? payOwed(state, amount) : state;
}

/** The state after one moment in which something happened, or the difference found. */
function applyBooks(
  config: PoolConfig,
  before: PoolState,
  books: BooksBody,
  index: IndexAt,
): PoolState | MarkMismatch {
  const arrivals = before.transfers.filter(({ arriveMs }) => arriveMs <= books.at_ms);
  if (arrivals.length !== books.arrived.length) return "transfer_differs";
  const balances = { ...before.held };
  for (const [index, transfer] of arrivals.entries()) {
    if (!isSame(transfer, books.arrived[index]!)) return "transfer_differs";
    addToBalance(balances, `${transfer.to}/${transfer.asset}`, transfer.amount);
  }
  let state: PoolState = {
    ...before,
    held: balances,
    transfers: before.transfers.filter(({ arriveMs }) => arriveMs > books.at_ms),
  };
  for (const fill of books.fills) {
    const next = applyFill(config, state, fill);
    if (typeof next === "string") return next;
    state = next;
  }
  const [incoming, outgoing] = [
    books.sent.filter(({ to }) => to === null),
    books.sent.filter(({ to }) => to !== null),
  ];
  state = removeTransfers(state, incoming);
  if (books.decision) {
    const next = applyDecision(config, state, books, index);
    if (typeof next === "string") return next;
    state = next;
  }
  state = removeTransfers(state, outgoing);
  return payOwedFromFree(state);
}

function isSame(transfer: Transfer, body: TransferBody): boolean {
  return (
    transfer.asset === body.asset &&
    `${transfer.amount}` === body.amount &&
    transfer.from === body.from &&
    transfer.to === body.to &&
    transfer.sentMs === body.sent_ms &&
    transfer.arriveMs === body.arrive_ms
  );
}

function removeTransfers(state: PoolState, sentTransfers: readonly TransferBody[]): PoolState {
  if (sentTransfers.length === 0) return state;
  const balances = { ...state.held };
  let { free } = state;
  const transfers = [...state.transfers];
  let transferCount = 0;
  for (const {
    asset,
    amount: text,
    from,
    to,
    sent_ms: sentMs,
    arrive_ms: arriveMs,
  } of sentTransfers) {
    const amount = BigInt(text);
    if (from === null) free -= amount;
    else addToBalance(balances, `${from}/${asset}`, -amount);
    if (to === null) free += amount;
    else {
      transferCount += 1;
      transfers.push({ asset, amount, from, to, sentMs, arriveMs });
    }
  }
  const { counters } = state;
  return {
    ...state,
    free,
    held: balances,
    transfers,
    counters: { ...counters, transfers: counters.transfers + transferCount },
  };
}

function applyFill(config: PoolConfig, state: PoolState, fill: FillBody): PoolState | MarkMismatch {
  const order = state.orders.find(
    (order) => order.decision === fill.number && order.leg === fill.leg,
  );
  if (!order) return "order_unknown";
  const { base, quote } = getSymbolAssets(order.symbol);
  const buys = order.side === "buy";
  const balance = getHeldAt(state, order.venue, buys ? quote : base);
  const execution = fill.book
    ? executeOrder(order, toBook(fill.book), balance, "realistic")
    : { quantity: 0n, quote: 0n, fee: 0n, why: "no_book" as const };
  const pnl =
    execution.why === "no_book"
      ? { gross: 0n, slippage: 0n, fees: 0n }
      : computePnl(order, execution);
  const agrees =
    `${execution.quantity}` === fill.quantity &&
    `${execution.quote}` === fill.quote &&
    `${execution.fee}` === fill.fee &&
    execution.why === fill.why &&
    `${pnl.gross}` === fill.gross &&
    `${pnl.slippage}` === fill.slippage &&
    `${pnl.fees}` === fill.fees &&
    (fill.book === null || fill.book_ms > order.bookMs);
  if (!agrees) return "fill_differs";
  const baseMove = buys ? execution.quantity : -execution.quantity;
  const quoteMove = (buys ? -execution.quote : execution.quote) - execution.fee;
  const balances = { ...state.held };
  addToBalance(balances, `${order.venue}/${base}`, baseMove);
  addToBalance(balances, `${order.venue}/${quote}`, quoteMove);
  const drift = { ...state.drift };
  if (order.purpose === "arbitrage" || order.purpose === "unwind") {
    for (const [asset, delta] of [
      [base, baseMove],
      [quote, quoteMove],
    ] as const) {
      if (asset === config.home) continue;
      const after = (drift[asset] ?? 0n) + delta;
      if (after === 0n) delete drift[asset];
      else drift[asset] = after;
    }
  }
  const { counters } = state;
  return {
    ...state,
    held: balances,
    drift,
    orders: state.orders.filter((pendingOrder) => pendingOrder !== order),
    counters: {
      ...counters,
      fills: counters.fills + (execution.quantity > 0n ? 1 : 0),
      short: counters.short + (execution.why === null ? 0 : 1),
      gross: counters.gross + pnl.gross,
      slippage: counters.slippage + pnl.slippage,
      fees: counters.fees + pnl.fees,
    },
  };
}

function applyDecision(
  config: PoolConfig,
  state: PoolState,
  { at_ms: atMs, second_leaf: leaf, decision }: BooksBody,
  index: IndexAt,
): PoolState | MarkMismatch {
  const { number, purpose, orders } = decision!;
  const { counters } = state;
  if (number !== counters.decisions + 1 || state.orders.length > 0) return "decision_differs";
  const moment: Moment = { atMs, book: () => null, index: (symbol) => index(leaf, symbol) };
  const pendingOrders: PendingOrder[] = [];
  for (const [leg, body] of orders.entries()) {
    const { base, quote } = getSymbolAssets(body.symbol);
    const book = toBook(body.book);
    const mid2 = (book.bids[0]?.price ?? 0n) + (book.asks[0]?.price ?? 0n);
    const agrees =
      `${computeWorth(base, config.home, moment)}` === body.base_worth &&
      `${computeWorth(quote, config.home, moment)}` === body.quote_worth &&
      `${mid2}` === body.mid2;
    if (!agrees) return "decision_differs";
    pendingOrders.push({
      venue: body.venue,
      symbol: body.symbol,
      side: body.side,
      quantity: BigInt(body.quantity),
      limit: BigInt(body.limit),
      decision: number,
      leg,
      purpose,
      decidedMs: atMs,
      bookMs: body.book_ms,
      waited: 0,
      mid2,
      baseWorth: BigInt(body.base_worth),
      quoteWorth: BigInt(body.quote_worth),
    });
  }
  const trades = counters.trades + (purpose === "arbitrage" ? 1 : 0);
  return { ...state, orders: pendingOrders, counters: { ...counters, decisions: number, trades } };
}

function toBook({ bids, asks }: BookBody): Book {
  const side = (levels: BookBody["bids"]) =>
    levels.map(([price, size]) => ({ price: BigInt(price), size: BigInt(size) }));
  return { bids: side(bids), asks: side(asks) };
}
