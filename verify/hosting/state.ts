import { divideUp, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes, canonicalText } from "../log/canonical.ts";
import type { Second, World } from "../log/leaves.ts";
import type { BooksLeaf, PoolMark, StatedFill, StatedOrder, StatedTransfer } from "./leaves.ts";
import { computeFill, computePnl, computeWorth, findPair, home, toHomeUnits } from "./rules.ts";
import type { Terms } from "./schema.ts";
import {
  computedSums,
  count,
  exactly,
  is,
  listOf,
  minor,
  orNull,
  type Test,
  text,
} from "./schema.ts";

/**
 * Steps 6 to 8 of docs/formats/hosting.md: a pool's state, and the logged events that change it.
 */

interface PendingOrder {
  baseWorth: string;
  bookMs: number;
  decidedMs: number;
  decision: number;
  leg: number;
  limit: string;
  mid2: string;
  purpose: string;
  quantity: string;
  quoteWorth: string;
  side: "buy" | "sell";
  symbol: string;
  venue: string;
  waited: number;
}

interface PendingTransfer {
  amount: string;
  arriveMs: number;
  asset: string;
  from: string | null;
  sentMs: number;
  to: string | null;
}

/** As in a `mark` leaf, but with amounts as numbers. */
export interface State {
  free: bigint;
  owed: bigint;
  held: Map<string, bigint>;
  drift: Map<string, bigint>;
  transfers: PendingTransfer[];
  orders: PendingOrder[];
  counts: { decisions: number; trades: number; fills: number; short: number; transfers: number };
  pnl: { gross: bigint; slippage: bigint; fees: bigint };
}

const isPendingOrder = exactly({
  baseWorth: minor,
  bookMs: count,
  decidedMs: count,
  decision: count,
  leg: count,
  limit: minor,
  mid2: minor,
  purpose: text,
  quantity: minor,
  quoteWorth: minor,
  side: is("buy", "sell"),
  symbol: text,
  venue: text,
  waited: count,
});
const isPendingTransfer = exactly({
  amount: minor,
  arriveMs: count,
  asset: text,
  from: orNull(text),
  sentMs: count,
  to: orNull(text),
});
const mapOf =
  (test: Test): Test =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(test);
const isState = exactly({
  free: minor,
  owed: minor,
  held: mapOf(minor),
  drift: mapOf(computedSums),
  transfers: listOf(isPendingTransfer),
  orders: listOf(isPendingOrder),
  counters: exactly({
    decisions: count,
    trades: count,
    fills: count,
    short: count,
    transfers: count,
    gross: computedSums,
    slippage: computedSums,
    fees: computedSums,
  }),
});

const bigints = (fields: Record<string, string>) =>
  new Map(Object.entries(fields).map(([name, value]) => [name, BigInt(value)]));

export function parseState(value: unknown): State {
  if (!isState(value)) throw new MismatchError("leaves", "leaf_value_invalid", "state");
  // biome-ignore lint/suspicious/noExplicitAny: checked against the shape above
  const message = value as any;
  const { gross, slippage, fees, ...counts } = message.counters;
  return {
    free: BigInt(message.free),
    owed: BigInt(message.owed),
    held: bigints(message.held),
    drift: bigints(message.drift),
    transfers: message.transfers,
    orders: message.orders,
    counts: counts,
    pnl: { gross: BigInt(gross), slippage: BigInt(slippage), fees: BigInt(fees) },
  };
}

/** The state before the first mark: only the house's money. */
export function createStateAtStart(seed: string): State {
  const counts = { decisions: 0, trades: 0, fills: 0, short: 0, transfers: 0 };
  const pnlSum = { gross: 0n, slippage: 0n, fees: 0n };
  const empty = { held: new Map(), drift: new Map(), transfers: [], orders: [] };
  return { free: BigInt(seed), owed: 0n, ...empty, counts: counts, pnl: pnlSum };
}

function toStateBody(state: State): Record<string, unknown> {
  const texts = (map: Map<string, bigint>) =>
    Object.fromEntries([...map].map(([name, value]) => [name, value.toString()]));
  const { gross, slippage, fees } = state.pnl;
  return {
    free: `${state.free}`,
    owed: `${state.owed}`,
    held: texts(state.held),
    drift: texts(state.drift),
    transfers: state.transfers,
    orders: state.orders,
    counters: {
      ...state.counts,
      gross: `${gross}`,
      slippage: `${slippage}`,
      fees: `${fees}`,
    },
  };
}

/** Step 8: the state matches the mark's hash and, if given, its text. */
export function checkState(state: State, mark: PoolMark): void {
  const body = toStateBody(state);
  const hash = sha256(canonicalBytes(body)).toString("hex");
  if (mark.state !== null && canonicalText(mark.state) !== canonicalText(body)) {
    const message = parseState(mark.state);
    const field = Object.keys(body).find(
      (name) => canonicalText(toStateBody(message)[name]) !== canonicalText(body[name]),
    );
    throw new MismatchError("state", "state_differs", field);
  }
  if (hash !== mark.state_hash) throw new MismatchError("state", "state_differs", `hash ${hash}`);
}

function add(map: Map<string, bigint>, name: string, by: bigint): void {
  const after = (map.get(name) ?? 0n) + by;
  if (after === 0n) map.delete(name);
  else map.set(name, after);
}

export function payOwed(state: State): void {
  const payment = state.owed < state.free ? state.owed : state.free;
  state.free -= payment;
  state.owed -= payment;
}

/**
 * Step 7: applies one moment of the pool. Changes `state`; throws if the leaf states something
 * impossible.
 */
export function applyBooks(
  world: World,
  terms: Terms,
  state: State,
  leaf: BooksLeaf,
  second: Second,
): void {
  takeArrivals(state, leaf);
  for (const fill of leaf.fills) applyFill(world, terms, state, fill);
  for (const statedTransfer of leaf.sent.filter(({ to }) => to === null))
    sendTransfers(state, statedTransfer);
  if (leaf.decision) applyDecision(world, state, leaf, second);
  for (const statedTransfer of leaf.sent.filter(({ to }) => to !== null))
    sendTransfers(state, statedTransfer);
  payOwed(state);
  for (const [key, amount] of [...state.held, ["free", state.free] as const])
    if (amount < 0n) throw new MismatchError("happenings", "state_differs", `${key} below zero`);
}

function takeArrivals(state: State, leaf: BooksLeaf): void {
  const arrivals = state.transfers.filter(({ arriveMs }) => arriveMs <= leaf.at_ms);
  const message = leaf.arrived.map(toPendingTransfer);
  if (canonicalText(arrivals) !== canonicalText(message))
    throw new MismatchError("happenings", "transfer_differs", `at ${leaf.at_ms}`);
  for (const { to, asset, amount } of arrivals) add(state.held, `${to}/${asset}`, BigInt(amount));
  state.transfers = state.transfers.filter(({ arriveMs }) => arriveMs > leaf.at_ms);
}

const toPendingTransfer = (message: StatedTransfer): PendingTransfer => ({
  amount: message.amount,
  arriveMs: message.arrive_ms,
  asset: message.asset,
  from: message.from,
  sentMs: message.sent_ms,
  to: message.to,
});

function sendTransfers(state: State, message: StatedTransfer): void {
  const amount = BigInt(message.amount);
  if (message.from === null) state.free -= amount;
  else add(state.held, `${message.from}/${message.asset}`, -amount);
  if (message.to === null) state.free += amount;
  else {
    state.transfers = [...state.transfers, toPendingTransfer(message)];
    state.counts.transfers += 1;
  }
}

/** Converts a pending order to the form of the leaf that decided it. */
const toStatedOrder = (order: PendingOrder): StatedOrder => ({
  ...order,
  book_ms: order.bookMs,
  base_worth: order.baseWorth,
  quote_worth: order.quoteWorth,
  book: { bids: [], asks: [] },
});

function applyFill(world: World, terms: Terms, state: State, fill: StatedFill): void {
  const order = state.orders.find(
    ({ decision, leg }) => decision === fill.number && leg === fill.leg,
  );
  const pair = order && findPair(world, order.symbol);
  const label = `decision ${fill.number}, leg ${fill.leg}`;
  if (!order || !pair) throw new MismatchError("happenings", "order_unknown", label);
  const buys = order.side === "buy";
  const balance = state.held.get(`${order.venue}/${buys ? pair.quote : pair.base}`) ?? 0n;
  const request = {
    side: order.side,
    quantity: BigInt(order.quantity),
    limit: BigInt(order.limit),
  };
  const computedFill = fill.book
    ? computeFill(pair, request, fill.book, balance, BigInt(terms.taker_fee_bp))
    : { quantity: 0n, quote: 0n, fee: 0n, why: "no_book" };
  const pnl = computePnl(pair, toStatedOrder(order), computedFill);
  const statedFigures = [fill.quantity, fill.quote, fill.fee, fill.gross, fill.slippage, fill.fees];
  const computedFigures = [
    computedFill.quantity,
    computedFill.quote,
    computedFill.fee,
    pnl.gross,
    pnl.slippage,
    pnl.fees,
  ];
  if (statedFigures.join() !== computedFigures.join() || computedFill.why !== fill.why)
    throw new MismatchError(
      "happenings",
      "fill_differs",
      `${label}: its book gives ${computedFigures.join()}`,
    );
  if (fill.book && fill.book_ms <= order.bookMs)
    throw new MismatchError("happenings", "fill_differs", `${label}: a book of before`);
  const moves = [
    [pair.base, buys ? computedFill.quantity : -computedFill.quantity],
    [pair.quote, (buys ? -computedFill.quote : computedFill.quote) - computedFill.fee],
  ] as const;
  for (const [asset, delta] of moves) {
    add(state.held, `${order.venue}/${asset}`, delta);
    if (["arbitrage", "unwind"].includes(order.purpose) && asset !== home)
      add(state.drift, asset, delta);
  }
  state.orders = state.orders.filter((pendingOrder) => pendingOrder !== order);
  state.counts.fills += computedFill.quantity > 0n ? 1 : 0;
  state.counts.short += computedFill.why === null ? 0 : 1;
  state.pnl = {
    gross: state.pnl.gross + pnl.gross,
    slippage: state.pnl.slippage + pnl.slippage,
    fees: state.pnl.fees + pnl.fees,
  };
}

function applyDecision(world: World, state: State, leaf: BooksLeaf, second: Second): void {
  const { number, purpose, orders } = leaf.decision as NonNullable<BooksLeaf["decision"]>;
  if (number !== state.counts.decisions + 1 || state.orders.length > 0)
    throw new MismatchError("happenings", "decision_differs", `number ${number}`);
  for (const [leg, order] of orders.entries())
    checkWorths(world, order, second, `${number}/${leg}`);
  state.orders = orders.map((order, leg) => ({
    baseWorth: order.base_worth,
    bookMs: order.book_ms,
    decidedMs: leaf.at_ms,
    decision: number,
    leg,
    limit: order.limit,
    mid2: order.mid2,
    purpose,
    quantity: order.quantity,
    quoteWorth: order.quote_worth,
    side: order.side,
    symbol: order.symbol,
    venue: order.venue,
    waited: 0,
  }));
  state.counts.decisions = number;
  state.counts.trades += purpose === "arbitrage" ? 1 : 0;
}

/**
 * Checks that an order's `base_worth`, `quote_worth` and `mid2` follow from its second's index and
 * its book.
 */
export function checkWorths(world: World, order: StatedOrder, second: Second, which: string): void {
  const pair = findPair(world, order.symbol);
  const bestPrice = (side: [string, string][]) => BigInt(side[0]?.[0] ?? 0);
  const agrees =
    pair !== null &&
    `${computeWorth(world, second, pair.base)}` === order.base_worth &&
    `${computeWorth(world, second, pair.quote)}` === order.quote_worth &&
    `${bestPrice(order.book.bids) + bestPrice(order.book.asks)}` === order.mid2;
  if (!agrees) throw new MismatchError("decision", "decision_differs", `worth or mid of ${which}`);
}

/** Step 9: computes a mark. */
export function computeMark(world: World, state: State, second: Second, units: bigint) {
  const totals = new Map<string, bigint>();
  add(totals, home, state.free);
  for (const [key, amount] of state.held) add(totals, key.slice(key.lastIndexOf("/") + 1), amount);
  for (const { asset, amount } of state.transfers) add(totals, asset, BigInt(amount));
  let assets = 0n;
  for (const [asset, amount] of totals) {
    const worth = computeWorth(world, second, asset);
    if (worth === null) throw new MismatchError("nav", "no_index", asset);
    assets += toHomeUnits(amount, worth);
  }
  const net = (assets - state.owed) * 10n ** 10n;
  if (net <= 0n || units <= 0n) throw new MismatchError("nav", "nav_differs", "nothing to share");
  return { assets, owed: state.owed, nav: net / units, entryNav: divideUp(net, units) };
}
