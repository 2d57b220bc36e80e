import { getSymbolAssets } from "#core/hosting/assets.ts";
import type { BookBody, BooksBody, FillBody, OrderBody } from "#core/hosting/bodies.ts";
import { computePnl, executeOrder } from "#core/hosting/execute.ts";
import { computeLegCosts } from "#core/hosting/legCosts.ts";
import { parseTradeReceipt, type TradeReceipt } from "#core/hosting/receipt/receiptSchema.ts";
import {
  checkMarks,
  checkTerms,
  ensure,
  type HostingCheckStep,
  type Inputs,
  Leaves,
  requireAscending,
  runSteps,
} from "#core/hosting/receipt/receiptSteps.ts";
import { checkArbitrage } from "#core/hosting/strategy/arbitrage.ts";
import type { Moment, PendingOrder, Pnl } from "#core/hosting/types.ts";
import { computeWorth } from "#core/hosting/value.ts";
import type { Book } from "#core/market/book.ts";
import { addFillCosts, type FillCosts, noFillCosts } from "#core/market/fillCosts.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { isSymbol } from "#core/market/symbols.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/**
 * Leaves from the decision to the last fill. `listTradeLeavesBehind` names the leaves they refer to.
 */
export function listNeededTradeLeaves(receipt: TradeReceipt): number[] {
  const { decision_leaf: from, fill_leaves: fills, terms_leaf: terms } = receipt;
  const to = Math.max(from, ...fills);
  return [0, terms, ...listIndexes(from, to)];
}

/**
 * The `second` leaves of the decision and its fills, and all in between; they precede the leaves
 * that refer to them.
 */
export function listTradeLeavesBehind(
  receipt: TradeReceipt,
  world: WorldLeaf,
  bytes: ReadonlyMap<number, Uint8Array>,
): number[] {
  const leaves = new Leaves(world, bytes);
  const body = leaves.body(receipt.decision_leaf, "books");
  const second = body?.second_leaf;
  if (!Number.isSafeInteger(second)) return [];
  const from = second as number;
  // A closing appends its seconds first, and never more than this many in one batch.
  if (from < 0 || from > receipt.decision_leaf || receipt.decision_leaf - from > 10_000) return [];
  return listIndexes(from, receipt.decision_leaf - 1);
}

export interface TradeCheck {
  ok: boolean;
  steps: HostingCheckStep[];
  decision: BooksBody | null;
  /** The costs between the mids of the decision and the fills, in home; null unless all agrees. */
  costs: FillCosts | null;
}

/** Recomputes a paper trade from proven leaves (docs/formats/hosting.md, "A trade"). */
export function checkTrade(
  value: unknown,
  world: WorldLeaf,
  bytes: ReadonlyMap<number, Uint8Array>,
): TradeCheck {
  const receipt = parseTradeReceipt(value);
  if (!receipt) {
    const difference = "receipt_malformed" as const;
    const steps = [{ step: "marks", ok: false, difference, inputs: {} }];
    return { ok: false, steps, decision: null, costs: null };
  }
  const leaves = new Leaves(world, bytes);
  let decision: BooksBody | null = null;
  let legs: Leg[] = [];
  const steps = runSteps([
    ["marks", () => checkMarks(leaves, [receipt])],
    [
      "product_terms",
      () => ({
        terms_hash: checkTerms(leaves, receipt, receipt.pool_id, receipt.decision_leaf),
        terms_leaf: receipt.terms_leaf,
      }),
    ],
    [
      "decision",
      () => {
        decision = checkDecision(leaves, receipt);
        const { purpose, gap, needed, orders } = decision.decision!;
        return {
          purpose,
          orders: orders.length,
          gap,
          needed,
          decision_leaf: receipt.decision_leaf,
        };
      },
    ],
    [
      "fills",
      () => {
        legs = receipt.fill_leaves.map((_, leg) => checkFill(leaves, receipt, decision!, leg));
        return { fills: legs.length, last_leaf: Math.max(...receipt.fill_leaves) };
      },
    ],
    [
      "takings",
      () =>
        checkPnl(
          receipt,
          legs.map(({ pnl }) => pnl),
        ),
    ],
  ]);
  const ok = steps.every((step) => step.ok);
  const costs = ok ? addFillCosts(legs.map((leg) => leg.costs)) : null;
  return { ok, steps, decision, costs };
}

function checkDecision(leaves: Leaves, receipt: TradeReceipt): BooksBody {
  const booksBody = leaves.body(receipt.decision_leaf, "books") as unknown as BooksBody | null;
  const decision = booksBody?.decision;
  ensure(
    booksBody !== null &&
      !!decision &&
      booksBody.pool_id === receipt.pool_id &&
      decision.number === receipt.number &&
      decision.orders.length === receipt.fill_leaves.length,
    "decision_not_in_log",
  );
  const { venues, symbols } = receipt.terms as { venues: string[]; symbols: string[] };
  const second = findSecond(leaves, booksBody);
  const moment = toMoment(leaves, second);
  for (const order of decision.orders) {
    const isKnown = venues.includes(order.venue) && symbols.includes(order.symbol);
    ensure(isKnown && isSymbol(order.symbol), "decision_differs");
    const { base, quote } = getSymbolAssets(order.symbol);
    const { bids, asks } = order.book;
    const agrees =
      `${computeWorth(base, "USDT", moment)}` === order.base_worth &&
      `${computeWorth(quote, "USDT", moment)}` === order.quote_worth &&
      `${BigInt(bids[0]?.[0] ?? 0) + BigInt(asks[0]?.[0] ?? 0)}` === order.mid2;
    ensure(agrees, "decision_differs");
    if (order.book_ms === booksBody.at_ms) checkBest(leaves, second, order, order.book);
  }
  if (decision.purpose === "arbitrage") {
    ensure(checkArbitrage(receipt.terms, decision), "decision_differs");
  }
  return booksBody;
}

/** The second in which a `books` leaf's events happened. */
function findSecond(leaves: Leaves, { second_leaf: leaf, at_ms: atMs }: BooksBody): SecondLeaf {
  const second = leaves.second(leaf);
  ensure(second !== null && second.secondMs === atMs, "book_differs");
  return second;
}

function toMoment({ world }: Leaves, { index, secondMs }: SecondLeaf): Moment {
  return {
    atMs: secondMs,
    book: () => null,
    index: (symbol) => index[world.symbols.findIndex(({ name }) => name === symbol)] ?? null,
  };
}

function findQuote({ world }: Leaves, { quotes }: SecondLeaf, { venue, symbol }: OrderBody) {
  const column = world.symbols.findIndex(({ name }) => name === symbol);
  return quotes[world.venues.indexOf(venue)]?.[column] ?? null;
}

/** Checks that a book's best prices are what its venue quoted in that second. */
function checkBest(leaves: Leaves, second: SecondLeaf, order: OrderBody, book: BookBody): void {
  const quote = findQuote(leaves, second, order);
  const agrees =
    quote !== null &&
    book.bids[0]?.[0] === quote.bid.toString() &&
    book.asks[0]?.[0] === quote.ask.toString();
  ensure(agrees, "book_differs");
}

/** A leg's result, and what took it there from the mid. */
interface Leg {
  pnl: Pnl;
  costs: FillCosts;
}

function checkFill(leaves: Leaves, receipt: TradeReceipt, decision: BooksBody, leg: number): Leg {
  const leaf = receipt.fill_leaves[leg]!;
  const books = leaves.body(leaf, "books") as unknown as BooksBody | null;
  const fill = books?.fills.find((fill) => fill.number === receipt.number && fill.leg === leg);
  ensure(!!books && !!fill && books.pool_id === receipt.pool_id, "fill_not_in_log");
  const order = decision.decision!.orders[leg]!;
  const statedFill = receipt.result.fills[leg]!;
  const isSame =
    statedFill.quantity === fill.quantity &&
    statedFill.quote === fill.quote &&
    statedFill.fee === fill.fee &&
    statedFill.why === fill.why;
  ensure(isSame, "fill_differs");
  if (fill.book === null) return abandonedLeg(receipt, decision, books, fill);
  ensure(fill.book_ms > order.book_ms, "book_differs");
  if (fill.book_ms === books.at_ms) checkBest(leaves, findSecond(leaves, books), order, fill.book);
  checkNoneBetween(leaves, decision, books, order);
  const pnl = pnlOfFill(order, fill);
  const agrees =
    `${pnl.gross}` === fill.gross &&
    `${pnl.slippage}` === fill.slippage &&
    `${pnl.fees}` === fill.fees;
  ensure(agrees, "takings_differ");
  const best = { decided: bestPrice(order.book), met: bestPrice(fill.book) };
  return { pnl, costs: computeLegCosts(toOrder(order), BigInt(fill.quantity), pnl, best) };
}

function bestPrice(book: BookBody): BestPrices {
  const { bids, asks } = toBook(book);
  return { bid: bids[0]?.price ?? 0n, ask: asks[0]?.price ?? 0n };
}

/** Checks an order that met no book in time: all amounts are zero. */
function abandonedLeg(
  { terms }: TradeReceipt,
  decisionBody: BooksBody,
  books: BooksBody,
  fill: FillBody,
): Leg {
  const amounts = [fill.quantity, fill.quote, fill.fee, fill.gross, fill.slippage, fill.fees];
  const isValid =
    fill.why === "no_book" &&
    books.at_ms - decisionBody.at_ms >= (terms.expiry_ms as number) &&
    amounts.every((amount) => amount === "0");
  ensure(isValid, "fill_differs");
  return { pnl: { gross: 0n, slippage: 0n, fees: 0n }, costs: noFillCosts };
}

/**
 * Checks that no quote changed between decision and fill: the order should have met that book
 * first.
 */
function checkNoneBetween(
  leaves: Leaves,
  decisionBody: BooksBody,
  fillBody: BooksBody,
  order: OrderBody,
): void {
  const [bid, ask] = [order.book.bids[0]?.[0], order.book.asks[0]?.[0]];
  for (let index = decisionBody.second_leaf + 1; index < fillBody.second_leaf; index += 1) {
    const second = leaves.second(index);
    const quote = second && findQuote(leaves, second, order);
    const unchanged = !quote || (`${quote.bid}` === bid && `${quote.ask}` === ask);
    ensure(unchanged, "book_differs");
  }
  ensure(fillBody.second_leaf > decisionBody.second_leaf, "leaves_out_of_order");
  requireAscending(leaves, decisionBody.second_leaf, fillBody.second_leaf);
}

/**
 * Recomputes the fill at its book. A trade's leaves do not include balances: a fill may be smaller
 * than the book allowed and says so (`part`, `no_money`); the mark's receipt checks it against the
 * state.
 */
function pnlOfFill(body: OrderBody, fill: FillBody): Pnl {
  const order = toOrder(body);
  const unlimited = 10n ** 40n;
  const book = toBook(fill.book!);
  const quantity = BigInt(fill.quantity);
  const largestFill = executeOrder(order, book, unlimited, "realistic");
  const execution = { ...executeOrder({ ...order, quantity }, book, unlimited, "realistic") };
  const shortReason = quantity === 0n ? "no_money" : "part";
  const isQuantityRight =
    quantity === largestFill.quantity
      ? fill.why === largestFill.why || (quantity === 0n && fill.why === "no_money")
      : quantity < largestFill.quantity && fill.why === shortReason;
  const agrees =
    isQuantityRight &&
    execution.quantity === quantity &&
    `${execution.quote}` === fill.quote &&
    `${execution.fee}` === fill.fee;
  ensure(agrees, "fill_differs");
  return computePnl(order, execution);
}

function toOrder(body: OrderBody): PendingOrder {
  return {
    symbol: body.symbol,
    side: body.side,
    quantity: BigInt(body.quantity),
    limit: BigInt(body.limit),
    mid2: BigInt(body.mid2),
    baseWorth: BigInt(body.base_worth),
    quoteWorth: BigInt(body.quote_worth),
  } as PendingOrder;
}

function toBook({ bids, asks }: BookBody): Book {
  const side = (levels: BookBody["bids"]) =>
    levels.map(([price, size]) => ({ price: BigInt(price), size: BigInt(size) }));
  return { bids: side(bids), asks: side(asks) };
}

function checkPnl({ result }: TradeReceipt, pnl: readonly Pnl[]): Inputs {
  const sum = (key: keyof Pnl) => pnl.reduce((total, pnl) => total + pnl[key], 0n);
  const [gross, slippage, fees] = [sum("gross"), sum("slippage"), sum("fees")];
  const net = gross - slippage - fees;
  const agrees =
    result.gross === `${gross}` &&
    result.slippage === `${slippage}` &&
    result.fees === `${fees}` &&
    result.net === `${net}`;
  ensure(agrees, "takings_differ");
  return { gross: `${gross}`, slippage: `${slippage}`, fees: `${fees}`, net: `${net}` };
}
