import type { LeafReader, Step } from "../contracts/receipt.ts";
import { MismatchError } from "../log/bytes.ts";
import {
  addStep,
  checkTerms,
  openReceipt,
  type ReceiptContext,
  readAscendingSeconds,
  requireMarked,
  secondAt,
} from "./common.ts";
import { type BooksLeaf, decodeBooks, decodeMark, type PoolMark } from "./leaves.ts";
import { type MarkReceipt, parseMarkReceipt } from "./schema.ts";
import {
  applyBooks,
  checkState,
  computeMark,
  createStateAtStart,
  parseState,
  payOwed,
  type State,
} from "./state.ts";

/**
 * "A mark" of docs/formats/hosting.md: steps 6 to 10, starting from the state at the previous mark.
 */

interface PoolAfterMark {
  state: State;
  units: bigint;
}

/**
 * Resolves with one sentence per step; rejects with a MismatchError naming the step and the
 * difference.
 */
export async function checkMarkReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: MarkReceipt; steps: Step[] }> {
  const receipt = parseMarkReceipt(value);
  const receiptContext = await openReceipt(leaf, [receipt]);
  await checkTerms(receiptContext, receipt, receipt.pool_id, receipt.mark_leaf);
  const { pool, atMs, secondLeaf } = await markAt(receiptContext, receipt, receipt.mark_leaf);
  if (atMs !== receipt.at_ms || secondLeaf !== receipt.second_leaf)
    throw new MismatchError("mark", "mark_not_in_log", `leaf ${receipt.mark_leaf} is of ${atMs}`);
  const before = receipt.before_mark_leaf;
  checkFlows(receipt, pool);
  const { state, units } =
    before === null ? stateAtStart(receipt) : await stateAfterMark(receiptContext, receipt, before);
  const from = before ?? 0;
  if (from >= receipt.mark_leaf)
    throw new MismatchError("mark", "mark_not_in_log", "no mark before");
  let markedUntil = receipt.terms_leaf;
  if (before !== null) {
    const earlierMark = await markAt(receiptContext, receipt, before);
    checkFlows(receipt, earlierMark.pool);
    markedUntil = earlierMark.secondLeaf;
    if (earlierMark.atMs >= atMs)
      throw new MismatchError(
        "mark",
        "marks_not_ascending",
        `leaf ${before} is of ${earlierMark.atMs}`,
      );
  }
  const bookCount = await replayBetweenMarks(receiptContext, receipt, state, {
    from,
    markedTo: markedUntil,
  });
  await requireMarked(receiptContext, "mark", receipt.terms, [markedUntil + 1, secondLeaf]);
  addStep(
    receiptContext,
    "happenings",
    `${receipt.mark_leaf - from - 1} leaves since ${before === null ? "the pool began" : `the mark at leaf ${from}`}, ${bookCount} of them of this pool: each follows from its books.`,
  );
  checkState(state, pool);
  addStep(
    receiptContext,
    "state",
    `What the pool has and owes hashes to ${pool.state_hash.slice(0, 16)}….`,
  );
  await checkNav(receiptContext, receipt, { pool, state, units });
  return { receipt, steps: receiptContext.steps };
}

async function markAt(receiptContext: ReceiptContext, { pool_id: id }: MarkReceipt, leaf: number) {
  const mark = decodeMark(await receiptContext.leaf(leaf), receiptContext.tag);
  const pool = mark?.pools.find((pool) => pool.pool_id === id);
  if (!mark || !pool) throw new MismatchError("mark", "mark_not_in_log", `leaf ${leaf}`);
  return { pool, atMs: mark.at_ms, secondLeaf: mark.second_leaf };
}

/**
 * Step 10, second part: each order of a mark rounds by less than a unit, a minor unit, and a minor
 * unit of its fee, so the amounts paid match the units within that tolerance.
 */
function checkFlows({ terms }: MarkReceipt, pool: PoolMark): void {
  const { orders, nav, entry_nav: entry } = pool;
  const [subscribed, unitsGiven, redeemed, paidOut, retained] = [
    pool.subscribed,
    pool.given,
    pool.redeemed,
    pool.paid,
    pool.kept,
  ].map(BigInt) as [bigint, bigint, bigint, bigint, bigint];
  const unit = 10n ** 10n;
  const worth = paidOut + retained;
  const roundings: [string, bigint, bigint][] = [
    ["units given", subscribed * unit - unitsGiven * BigInt(entry), BigInt(entry)],
    ["money paid", redeemed * BigInt(nav) - worth * unit, unit],
    ["fees kept", retained * 10_000n - worth * BigInt(terms.redemption_fee_bp), 10_000n],
  ];
  const mismatch = (detail: string) =>
    new MismatchError("mark", "flows_differ", `${detail} of ${orders} orders`);
  if (
    orders === 0 &&
    [subscribed, unitsGiven, redeemed, paidOut, retained].some((amount) => amount !== 0n)
  )
    throw mismatch("money or units");
  for (const [name, rounded, amount] of roundings)
    if (rounded < 0n || (orders > 0 && rounded >= amount * BigInt(orders))) throw mismatch(name);
}

function stateAtStart({ terms }: MarkReceipt): PoolAfterMark {
  return { state: createStateAtStart(terms.seed), units: BigInt(terms.seed) * 100n };
}

/**
 * The state after the orders of the mark at leaf `before` were executed: it is stated there or, if
 * unchanged since, at an earlier mark.
 */
async function stateAfterMark(
  receiptContext: ReceiptContext,
  receipt: MarkReceipt,
  leaf: number,
): Promise<PoolAfterMark> {
  const { pool } = await markAt(receiptContext, receipt, leaf);
  const state =
    pool.state === null
      ? await findLastState(receiptContext, receipt, leaf)
      : parseState(pool.state);
  checkState(state, pool);
  const units = BigInt(pool.units) + BigInt(pool.given) - BigInt(pool.redeemed);
  return { state: applyFlows(state, pool), units };
}

/** Step 6, without paying: adds the amounts that a mark's orders paid in and are owed. */
function applyFlows(state: State, pool: PoolMark): State {
  return {
    ...state,
    free: state.free + BigInt(pool.subscribed),
    owed: state.owed + BigInt(pool.paid),
  };
}

/**
 * The state of the last mark before leaf `index` that states one, after its orders; only payments
 * have changed it since.
 */
async function findLastState(
  receiptContext: ReceiptContext,
  receipt: MarkReceipt,
  leaf: number,
): Promise<State> {
  for (let index = leaf - 1; index > receipt.terms_leaf; index--) {
    const mark = decodeMark(await receiptContext.leaf(index), receiptContext.tag);
    const pool = mark?.pools.find(({ pool_id: id }) => id === receipt.pool_id);
    if (!pool || pool.state === null) continue;
    const state = applyFlows(parseState(pool.state), pool);
    payOwed(state);
    return state;
  }
  throw new MismatchError("state", "state_differs", "no mark states it");
}

async function replayBetweenMarks(
  receiptContext: ReceiptContext,
  receipt: MarkReceipt,
  state: State,
  { from, markedTo: markedUntil }: { from: number; markedTo: number },
): Promise<number> {
  let bookCount = 0;
  const next = readAscendingSeconds(receiptContext, "mark");
  for (let index = markedUntil; index <= from; index++) await next(index);
  payOwed(state);
  for (let index = from + 1; index < receipt.mark_leaf; index++) {
    await next(index);
    const entry = await receiptContext.leaf(index);
    const mark = decodeMark(entry, receiptContext.tag);
    if (mark?.pools.some(({ pool_id: id }) => id === receipt.pool_id))
      throw new MismatchError("mark", "mark_left_out", `leaf ${index} is a mark of the pool too`);
    const books: BooksLeaf | null = decodeBooks(entry, receiptContext.tag);
    if (books?.pool_id !== receipt.pool_id) continue;
    const second = await secondAt(receiptContext, books.second_leaf, books.at_ms);
    applyBooks(receiptContext.world, receipt.terms, state, books, second);
    bookCount += 1;
  }
  return bookCount;
}

async function checkNav(
  receiptContext: ReceiptContext,
  receipt: MarkReceipt,
  { pool, state, units }: { pool: PoolMark; state: State; units: bigint },
): Promise<void> {
  const second = await secondAt(receiptContext, receipt.second_leaf, receipt.at_ms);
  const mark = computeMark(receiptContext.world, state, second, units);
  const expected = (difference: string, statedText: string, computed: bigint) => {
    if (statedText !== computed.toString())
      throw new MismatchError("nav", difference, `${statedText} stated, ${computed} by the rules`);
  };
  for (const message of [pool, receipt.result]) {
    expected("units_differ", message.units, units);
    expected("assets_differ", message.assets, mark.assets);
    expected("assets_differ", message.owed, mark.owed);
    expected("nav_differs", message.nav, mark.nav);
  }
  expected("nav_differs", pool.entry_nav, mark.entryNav);
  addStep(
    receiptContext,
    "nav",
    `Worth ${mark.assets}, owed ${mark.owed} minor units, ${units} units: NAV ${mark.nav} (scale 8).`,
  );
}
