import type { LeafReader, Step } from "../contracts/receipt.ts";
import { checkBinding, checkIncluded } from "../log/binding.ts";
import { divideDown, divideUp, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { decodeBound } from "../log/leaves.ts";
import {
  addStep,
  checkTerms,
  openReceipt,
  type ReceiptContext,
  readAscendingSeconds,
  requireMarked,
} from "./common.ts";
import { decodeMark, type PoolMark } from "./leaves.ts";
import { type PoolOrderReceipt, parsePoolOrderReceipt } from "./schema.ts";

/** "An order" of docs/formats/hosting.md: a subscription or redemption. */

const unit = 10n ** 10n;
const dayMs = 86_400_000;

/**
 * Resolves with one sentence per step; rejects with a MismatchError naming the step. `size` is the
 * number of leaves in the log.
 */
export async function checkPoolOrder(
  value: unknown,
  leaf: LeafReader,
  size: number,
): Promise<{ receipt: PoolOrderReceipt; steps: Step[] }> {
  const receipt = parsePoolOrderReceipt(value);
  const { order } = receipt;
  const receiptContext = await openReceipt(leaf, [receipt, order]);
  const hash = await checkTerms(receiptContext, receipt, order.pool_id, receipt.bound_leaf);
  if (hash !== order.terms_hash) throw new MismatchError("terms", "terms_hash_differs", hash);
  checkLimits(receipt);
  await checkBound(receiptContext, receipt);
  const mark = await checkExecuted(receiptContext, receipt, size);
  checkAmounts(receiptContext, receipt, mark);
  return { receipt, steps: receiptContext.steps };
}

function checkLimits({ order, terms }: PoolOrderReceipt): void {
  if (order.amount === null) return;
  const amount = BigInt(order.amount);
  if (amount < BigInt(terms.minimum) || amount > BigInt(terms.maximum))
    throw new MismatchError("terms", "terms_do_not_allow_pool_order", order.amount);
}

async function checkBound(
  receiptContext: ReceiptContext,
  receipt: PoolOrderReceipt,
): Promise<void> {
  const { orders_count: count, orders_index: index, bound_leaf: boundLeaf, order } = receipt;
  const hash = sha256(canonicalBytes(order));
  const boundOrders = decodeBound(await receiptContext.leaf(boundLeaf), receiptContext.tag);
  if (boundOrders) {
    const isExecuted = receipt.mark_leaf !== null && receipt.mark_leaf < boundLeaf;
    if (order.action !== "redeem" || !isExecuted)
      throw new MismatchError("bound", "bound_leaf_not_a_second", "only redemptions after the end");
    checkIncluded("bound", receipt, hash, boundOrders);
  } else {
    const acceptance = { atMs: order.accepted_at_ms, hash };
    const secondAt = (index: number) => readAscendingSeconds(receiptContext, "bound")(index);
    await checkBinding("bound", receipt, acceptance, secondAt);
  }
  addStep(
    receiptContext,
    "bound",
    `Leaf ${boundLeaf} binds it as number ${index + 1} of ${count}.`,
  );
}

interface LoggedMark {
  pool: PoolMark;
  atMs: number;
  secondLeaf: number;
}

async function markAt(
  receiptContext: ReceiptContext,
  poolId: string,
  index: number,
): Promise<LoggedMark | null> {
  const mark = decodeMark(await receiptContext.leaf(index), receiptContext.tag);
  const pool = mark?.pools.find(({ pool_id: id }) => id === poolId);
  return mark && pool ? { pool, atMs: mark.at_ms, secondLeaf: mark.second_leaf } : null;
}

async function checkExecuted(
  receiptContext: ReceiptContext,
  receipt: PoolOrderReceipt,
  size: number,
): Promise<LoggedMark | null> {
  const { order, bound_leaf: boundLeaf, mark_leaf: markLeaf, result, terms } = receipt;
  if (markLeaf === null) {
    if (order.action !== "subscribe") throw new MismatchError("executed", "mark_not_in_log");
    await checkEnded(receiptContext, receipt, null, size);
    addStep(
      receiptContext,
      "executed",
      "The log ended before any mark of the pool: it was given back.",
    );
    return null;
  }
  const mark = await markAt(receiptContext, order.pool_id, markLeaf);
  if (!mark || mark.atMs !== result.mark_at_ms)
    throw new MismatchError("executed", "mark_not_in_log", `leaf ${markLeaf}`);
  if (markLeaf < boundLeaf && order.action === "redeem") {
    await checkEnded(receiptContext, receipt, mark, size);
  } else {
    if (mark.secondLeaf <= boundLeaf || mark.secondLeaf >= markLeaf)
      throw new MismatchError(
        "executed",
        "mark_not_in_log",
        `leaf ${markLeaf} is of a second before`,
      );
    for (let between = boundLeaf + 1; between < markLeaf; between++) {
      const otherMark = await markAt(receiptContext, order.pool_id, between);
      if (otherMark && otherMark.secondLeaf > boundLeaf)
        throw new MismatchError("executed", "mark_too_late", `leaf ${between} came first`);
      if (otherMark && otherMark.atMs >= mark.atMs)
        throw new MismatchError(
          "executed",
          "marks_not_ascending",
          `leaf ${between} is of ${otherMark.atMs}`,
        );
    }
    const next = readAscendingSeconds(receiptContext, "executed");
    for (let between = boundLeaf; between < markLeaf; between++) await next(between);
    await requireMarked(receiptContext, "executed", terms, [boundLeaf + 1, mark.secondLeaf]);
  }
  addStep(
    receiptContext,
    "executed",
    `Leaf ${markLeaf} is the mark of ${new Date(mark.atMs).toISOString()}, the first of the pool that it could be executed at.`,
  );
  return mark;
}

/**
 * Checks that the log of a recording ended after this mark (null: before any that could execute the
 * order): no mark of the pool follows, and the last two seconds are the silent ones that end it.
 */
async function checkEnded(
  receiptContext: ReceiptContext,
  receipt: PoolOrderReceipt,
  mark: LoggedMark | null,
  size: number,
): Promise<void> {
  const {
    order,
    before_leaf: before,
    bound_leaf: boundLeaf,
    mark_leaf: ownMarkLeaf,
    terms,
  } = receipt;
  const sinceMs = mark?.atMs ?? order.accepted_at_ms;
  const seconds: { ms: number; ends: boolean }[] = [];
  const next = readAscendingSeconds(receiptContext, "executed");
  for (let index = (ownMarkLeaf ?? before) + 1; index < size; index++) {
    const otherMark = await markAt(receiptContext, order.pool_id, index);
    if (otherMark && (mark || otherMark.secondLeaf > boundLeaf))
      throw new MismatchError("executed", "mark_too_late", `leaf ${index} is a mark too`);
    const second = await next(index);
    if (!second) continue;
    const { columns, secondMs } = second;
    const isSilent = columns.every(({ quotes }) => quotes.every((quote) => quote === null));
    seconds.push({ ms: secondMs, ends: isSilent && secondMs > sinceMs + dayMs });
  }
  const isOver = seconds.length >= 2 && seconds.slice(-2).every(({ ends }) => ends);
  if (receiptContext.world.market.kind !== "replay" || !isOver)
    throw new MismatchError("executed", "log_not_ended", `${size} leaves`);
  if (decodeBound(await receiptContext.leaf(boundLeaf), receiptContext.tag)) {
    const passedMs = [mark?.atMs ?? 0, ...seconds.slice(0, -2).map(({ ms }) => ms)];
    const first = passedMs.find((ms) => ms > order.accepted_at_ms);
    if (first) throw new MismatchError("executed", "bound_too_late", `${first} came first`);
  }
  await requireMarked(receiptContext, "executed", terms, [(ownMarkLeaf ?? boundLeaf) + 1, size]);
}

function checkAmounts(
  receiptContext: ReceiptContext,
  receipt: PoolOrderReceipt,
  mark: LoggedMark | null,
): void {
  const { order, result, terms } = receipt;
  const expected = (name: "nav" | "amount" | "units" | "fee" | "payout", computed: bigint) => {
    if (result[name] !== computed.toString()) {
      const difference = name === "units" || name === "nav" ? "units_differ" : "payout_differs";
      throw new MismatchError(
        "amounts",
        difference,
        `${name}: ${result[name]} stated, ${computed} found`,
      );
    }
  };
  if (!mark) {
    for (const name of ["amount", "payout"] as const)
      expected(name, BigInt(order.amount as string));
    if (result.nav !== null || result.units !== null)
      throw new MismatchError("amounts", "units_differ", "nothing was bought");
    addStep(receiptContext, "amounts", `All of ${order.amount} minor units of pUSDT came back.`);
    return;
  }
  if (order.amount !== null) {
    const [amount, entry] = [BigInt(order.amount), BigInt(mark.pool.entry_nav)];
    if (entry === 0n) throw new MismatchError("amounts", "units_differ", "no entry NAV");
    const units = divideDown(amount * unit, entry);
    expected("nav", entry);
    expected("amount", amount);
    expected("units", units);
    if (result.fee !== null) expected("fee", 0n);
    addStep(
      receiptContext,
      "amounts",
      `${amount} minor units at ${entry} buy ${units} units (scale 8).`,
    );
    return;
  }
  const [units, nav] = [BigInt(order.units as string), BigInt(mark.pool.nav)];
  const amount = divideDown(units * nav, unit);
  const fee = divideUp(amount * BigInt(terms.redemption_fee_bp), 10_000n);
  expected("nav", nav);
  expected("units", units);
  expected("amount", amount);
  expected("fee", fee);
  expected("payout", amount - fee);
  addStep(
    receiptContext,
    "amounts",
    `${units} units at ${nav} are ${amount} minor units, less ${fee}: ${amount - fee} paid.`,
  );
}
