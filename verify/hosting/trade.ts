import type { LeafReader, Step } from "../contracts/receipt.ts";
import { MismatchError } from "../log/bytes.ts";
import type { Second, World } from "../log/leaves.ts";
import {
  addStep,
  checkTerms,
  openReceipt,
  type ReceiptContext,
  readAscendingSeconds,
  secondAt,
} from "./common.ts";
import {
  type BooksLeaf,
  decodeBooks,
  type StatedBook,
  type StatedFill,
  type StatedOrder,
} from "./leaves.ts";
import { computeFill, computePnl, findArbitrageFault, findPair, type Pair } from "./rules.ts";
import { parseTradeReceipt, type TradeReceipt } from "./schema.ts";
import { checkWorths } from "./state.ts";

/** "A trade" of docs/formats/hosting.md. */

type Decision = NonNullable<BooksLeaf["decision"]>;

/**
 * Resolves with one sentence per step; rejects with a MismatchError naming the step and the
 * difference.
 */
export async function checkTradeReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: TradeReceipt; steps: Step[] }> {
  const receipt = parseTradeReceipt(value);
  const receiptContext = await openReceipt(leaf, [receipt]);
  await checkTerms(receiptContext, receipt, receipt.pool_id, receipt.decision_leaf);
  const decisionLeaf = await checkDecision(receiptContext, receipt);
  const sums = { gross: 0n, slippage: 0n, fees: 0n };
  for (const leg of receipt.fill_leaves.keys()) {
    const item = await checkFill(receiptContext, receipt, decisionLeaf, leg);
    sums.gross += item.gross;
    sums.slippage += item.slippage;
    sums.fees += item.fees;
  }
  addStep(
    receiptContext,
    "fills",
    `${receipt.fill_leaves.length} legs, each filled again from its book.`,
  );
  const net = sums.gross - sums.slippage - sums.fees;
  for (const [name, computed] of Object.entries({ ...sums, net })) {
    const statedText = receipt.result[name as "net"];
    if (statedText !== computed.toString())
      throw new MismatchError(
        "takings",
        "takings_differ",
        `${name}: ${statedText} stated, ${computed} found`,
      );
  }
  addStep(
    receiptContext,
    "takings",
    `Gross ${sums.gross}, slippage ${sums.slippage}, fees ${sums.fees}: net ${net} minor units of home.`,
  );
  return { receipt, steps: receiptContext.steps };
}

async function checkDecision(
  receiptContext: ReceiptContext,
  receipt: TradeReceipt,
): Promise<BooksLeaf & { decision: Decision }> {
  const { world, leaf, tag } = receiptContext;
  const { terms, number, decision_leaf: decisionLeaf } = receipt;
  const books = decodeBooks(await leaf(decisionLeaf), tag);
  const decision = books?.decision;
  const isFillNamed =
    books?.pool_id === receipt.pool_id &&
    decision?.number === number &&
    decision.orders.length === receipt.fill_leaves.length;
  if (!isFillNamed)
    throw new MismatchError("decision", "decision_not_in_log", `leaf ${decisionLeaf}`);
  const second = await secondAt(receiptContext, books.second_leaf, books.at_ms);
  for (const [leg, order] of decision.orders.entries()) {
    if (!terms.venues.includes(order.venue) || !terms.symbols.includes(order.symbol))
      throw new MismatchError("decision", "decision_differs", `leg ${leg} is not of the pool's`);
    checkWorths(world, order, second, `leg ${leg}`);
    if (order.book_ms === books.at_ms) checkBest(world, second, order, order.book, "decision");
  }
  if (decision.purpose === "arbitrage") {
    const costs = {
      strategy: terms.strategy,
      fee: BigInt(terms.taker_fee_bp),
      margin: BigInt(terms.margin_bp),
      limit: BigInt(terms.limit_bp),
    };
    const fault = findArbitrageFault(world, costs, decision);
    if (fault) throw new MismatchError("decision", "decision_differs", fault);
  }
  addStep(
    receiptContext,
    "decision",
    `Leaf ${decisionLeaf} holds decision ${number} of the pool (${decision.purpose}, ${decision.orders.length} legs); its books, mids and worths are those of that second.`,
  );
  return { ...books, decision };
}

function findQuote(world: World, second: Second, { venue, symbol }: StatedOrder) {
  const column = world.symbols.findIndex(({ name }) => name === symbol);
  return second.columns[column]?.quotes[world.venues.indexOf(venue)] ?? null;
}

const bestPrice = ({ bids, asks }: StatedBook) => `${bids[0]?.[0]} ${asks[0]?.[0]}`;

function checkBest(
  world: World,
  second: Second,
  order: StatedOrder,
  book: StatedBook,
  step: string,
): void {
  const quote = findQuote(world, second, order);
  if (!quote || bestPrice(book) !== `${quote.bid} ${quote.ask}`)
    throw new MismatchError(step, "book_differs", `${order.venue} ${order.symbol}`);
}

async function checkFill(
  receiptContext: ReceiptContext,
  receipt: TradeReceipt,
  decision: BooksLeaf & { decision: Decision },
  leg: number,
) {
  const fillLeaf = receipt.fill_leaves[leg] as number;
  const leaf = decodeBooks(await receiptContext.leaf(fillLeaf), receiptContext.tag);
  const fill = leaf?.fills.find((fill) => fill.number === receipt.number && fill.leg === leg);
  if (!leaf || !fill || leaf.pool_id !== receipt.pool_id)
    throw new MismatchError("fills", "fill_not_in_log", `leg ${leg}, leaf ${fillLeaf}`);
  const statedFill = receipt.result.fills[leg] as TradeReceipt["result"]["fills"][number];
  for (const name of ["quantity", "quote", "fee", "why"] as const)
    if (statedFill[name] !== fill[name])
      throw new MismatchError(
        "fills",
        "fill_differs",
        `leg ${leg}: ${name} is ${fill[name]} in the log`,
      );
  const order = decision.decision.orders[leg] as StatedOrder;
  if (fill.book === null) return checkAbandoned(receipt, decision, leaf, fill);
  if (fill.book_ms <= order.book_ms)
    throw new MismatchError("fills", "book_differs", `leg ${leg} met a book of before`);
  if (fill.book_ms === leaf.at_ms) {
    const second = await secondAt(receiptContext, leaf.second_leaf, leaf.at_ms);
    checkBest(receiptContext.world, second, order, fill.book, "fills");
  }
  await checkNoneBetween(receiptContext, decision.second_leaf, leaf.second_leaf, order);
  const pair = findPair(receiptContext.world, order.symbol) as Pair;
  const computedFill = recomputeFill(pair, order, fill, BigInt(receipt.terms.taker_fee_bp));
  const pnl = computePnl(pair, order, computedFill);
  for (const name of ["gross", "slippage", "fees"] as const)
    if (fill[name] !== pnl[name].toString())
      throw new MismatchError(
        "takings",
        "takings_differ",
        `leg ${leg}: ${name} ${pnl[name]} by the rule`,
      );
  return pnl;
}

function checkAbandoned(
  { terms }: TradeReceipt,
  decisionLeaf: BooksLeaf,
  leaf: BooksLeaf,
  fill: StatedFill,
) {
  const figures = [fill.quantity, fill.quote, fill.fee, fill.gross, fill.slippage, fill.fees];
  const isExpired = leaf.at_ms - decisionLeaf.at_ms >= terms.expiry_ms;
  if (fill.why !== "no_book" || !isExpired || figures.some((amount) => amount !== "0"))
    throw new MismatchError("fills", "fill_differs", `leg ${fill.leg} was not to be given up`);
  return { gross: 0n, slippage: 0n, fees: 0n };
}

/**
 * Checks that no quote changed between decision and fill: the order should have met that book
 * first.
 */
async function checkNoneBetween(
  receiptContext: ReceiptContext,
  from: number,
  to: number,
  order: StatedOrder,
): Promise<void> {
  if (to <= from) throw new MismatchError("fills", "leaves_out_of_order", `leaf ${to} fills`);
  const next = readAscendingSeconds(receiptContext, "fills");
  for (let index = from; index <= to; index++) {
    const second = await next(index);
    const quote = second && findQuote(receiptContext.world, second, order);
    if (
      quote &&
      index > from &&
      index < to &&
      bestPrice(order.book) !== `${quote.bid} ${quote.ask}`
    )
      throw new MismatchError("fills", "book_differs", `leaf ${index} showed a book before`);
  }
}

/**
 * These leaves do not include balances: a fill may be smaller than the book allows if it says so,
 * but its price must match what it took. The mark's receipt checks it against the state.
 */
function recomputeFill(pair: Pair, order: StatedOrder, fill: StatedFill, feeBp: bigint) {
  const quantity = BigInt(fill.quantity);
  const request = {
    side: order.side,
    quantity: BigInt(order.quantity),
    limit: BigInt(order.limit),
  };
  const book = fill.book as StatedBook;
  const largestFill = computeFill(pair, request, book, null, feeBp);
  const filledAmount = computeFill(pair, { ...request, quantity }, book, null, feeBp);
  const hasReason = fill.why === (quantity === 0n ? "no_money" : "part");
  const isReasonRight =
    quantity < largestFill.quantity
      ? hasReason
      : fill.why === largestFill.why || (quantity === 0n && hasReason);
  const agrees =
    isReasonRight &&
    filledAmount.quantity === quantity &&
    `${filledAmount.quote}` === fill.quote &&
    `${filledAmount.fee}` === fill.fee;
  if (!agrees)
    throw new MismatchError(
      "fills",
      "fill_differs",
      `leg ${fill.leg}: the book gives ${largestFill.quantity} for ${largestFill.quote}, fee ${largestFill.fee}`,
    );
  return filledAmount;
}
