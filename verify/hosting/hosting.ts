import type { LeafReader, Step } from "../contracts/receipt.ts";
import { checkBinding, checkIncluded } from "../log/binding.ts";
import { down, MismatchError, sha256, up } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { decodeBound } from "../log/leaves.ts";
import {
  addStep,
  ascendingSeconds,
  checkTerms,
  open,
  type ReceiptContext,
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
  const opened = await open(leaf, [receipt, order]);
  const hash = await checkTerms(opened, receipt, order.pool_id, receipt.bound_leaf);
  if (hash !== order.terms_hash) throw new MismatchError("terms", "terms_hash_differs", hash);
  checkLimits(receipt);
  await checkBound(opened, receipt);
  const mark = await checkExecuted(opened, receipt, size);
  checkAmounts(opened, receipt, mark);
  return { receipt, steps: opened.steps };
}

function checkLimits({ order, terms }: PoolOrderReceipt): void {
  if (order.amount === null) return;
  const amount = BigInt(order.amount);
  if (amount < BigInt(terms.minimum) || amount > BigInt(terms.maximum))
    throw new MismatchError("terms", "terms_do_not_allow_pool_order", order.amount);
}

async function checkBound(opened: ReceiptContext, receipt: PoolOrderReceipt): Promise<void> {
  const { orders_count: count, orders_index: index, bound_leaf: at, order } = receipt;
  const hash = sha256(canonicalBytes(order));
  const late = decodeBound(await opened.leaf(at), opened.tag);
  if (late) {
    const executed = receipt.mark_leaf !== null && receipt.mark_leaf < at;
    if (order.action !== "redeem" || !executed)
      throw new MismatchError("bound", "bound_leaf_not_a_second", "only redemptions after the end");
    checkIncluded("bound", receipt, hash, late);
  } else {
    const accepted = { atMs: order.accepted_at_ms, hash };
    const secondAt = (place: number) => ascendingSeconds(opened, "bound")(place);
    await checkBinding("bound", receipt, accepted, secondAt);
  }
  addStep(opened, "bound", `Leaf ${at} binds it as number ${index + 1} of ${count}.`);
}

interface LoggedMark {
  pool: PoolMark;
  atMs: number;
  secondLeaf: number;
}

async function markAt(
  opened: ReceiptContext,
  poolId: string,
  index: number,
): Promise<LoggedMark | null> {
  const mark = decodeMark(await opened.leaf(index), opened.tag);
  const pool = mark?.pools.find(({ pool_id: id }) => id === poolId);
  return mark && pool ? { pool, atMs: mark.at_ms, secondLeaf: mark.second_leaf } : null;
}

async function checkExecuted(
  opened: ReceiptContext,
  receipt: PoolOrderReceipt,
  size: number,
): Promise<LoggedMark | null> {
  const { order, bound_leaf: bound, mark_leaf: at, result, terms } = receipt;
  if (at === null) {
    if (order.action !== "subscribe") throw new MismatchError("executed", "mark_not_in_log");
    await checkEnded(opened, receipt, null, size);
    addStep(opened, "executed", "The log ended before any mark of the pool: it was given back.");
    return null;
  }
  const mark = await markAt(opened, order.pool_id, at);
  if (!mark || mark.atMs !== result.mark_at_ms)
    throw new MismatchError("executed", "mark_not_in_log", `leaf ${at}`);
  if (at < bound && order.action === "redeem") {
    await checkEnded(opened, receipt, mark, size);
  } else {
    if (mark.secondLeaf <= bound || mark.secondLeaf >= at)
      throw new MismatchError("executed", "mark_not_in_log", `leaf ${at} is of a second before`);
    for (let between = bound + 1; between < at; between++) {
      const other = await markAt(opened, order.pool_id, between);
      if (other && other.secondLeaf > bound)
        throw new MismatchError("executed", "mark_too_late", `leaf ${between} came first`);
      if (other && other.atMs >= mark.atMs)
        throw new MismatchError(
          "executed",
          "marks_not_ascending",
          `leaf ${between} is of ${other.atMs}`,
        );
    }
    const next = ascendingSeconds(opened, "executed");
    for (let between = bound; between < at; between++) await next(between);
    await requireMarked(opened, "executed", terms, [bound + 1, mark.secondLeaf]);
  }
  addStep(
    opened,
    "executed",
    `Leaf ${at} is the mark of ${new Date(mark.atMs).toISOString()}, the first of the pool that it could be executed at.`,
  );
  return mark;
}

/**
 * Checks that the log of a recording ended after this mark (null: before any that could execute the
 * order): no mark of the pool follows, and the last two seconds are the silent ones that end it.
 */
async function checkEnded(
  opened: ReceiptContext,
  receipt: PoolOrderReceipt,
  mark: LoggedMark | null,
  size: number,
): Promise<void> {
  const { order, before_leaf: before, bound_leaf: bound, mark_leaf: marked, terms } = receipt;
  const sinceMs = mark?.atMs ?? order.accepted_at_ms;
  const seconds: { ms: number; ends: boolean }[] = [];
  const next = ascendingSeconds(opened, "executed");
  for (let at = (marked ?? before) + 1; at < size; at++) {
    const other = await markAt(opened, order.pool_id, at);
    if (other && (mark || other.secondLeaf > bound))
      throw new MismatchError("executed", "mark_too_late", `leaf ${at} is a mark too`);
    const second = await next(at);
    if (!second) continue;
    const { columns, secondMs } = second;
    const silent = columns.every(({ quotes }) => quotes.every((quote) => quote === null));
    seconds.push({ ms: secondMs, ends: silent && secondMs > sinceMs + dayMs });
  }
  const ended = seconds.length >= 2 && seconds.slice(-2).every(({ ends }) => ends);
  if (opened.world.market.kind !== "replay" || !ended)
    throw new MismatchError("executed", "log_not_ended", `${size} leaves`);
  if (decodeBound(await opened.leaf(bound), opened.tag)) {
    const passed = [mark?.atMs ?? 0, ...seconds.slice(0, -2).map(({ ms }) => ms)];
    const first = passed.find((ms) => ms > order.accepted_at_ms);
    if (first) throw new MismatchError("executed", "bound_too_late", `${first} came first`);
  }
  await requireMarked(opened, "executed", terms, [(marked ?? bound) + 1, size]);
}

function checkAmounts(
  opened: ReceiptContext,
  receipt: PoolOrderReceipt,
  mark: LoggedMark | null,
): void {
  const { order, result, terms } = receipt;
  const expected = (name: "nav" | "amount" | "units" | "fee" | "payout", found: bigint) => {
    if (result[name] !== found.toString()) {
      const difference = name === "units" || name === "nav" ? "units_differ" : "payout_differs";
      throw new MismatchError(
        "amounts",
        difference,
        `${name}: ${result[name]} stated, ${found} found`,
      );
    }
  };
  if (!mark) {
    for (const name of ["amount", "payout"] as const)
      expected(name, BigInt(order.amount as string));
    if (result.nav !== null || result.units !== null)
      throw new MismatchError("amounts", "units_differ", "nothing was bought");
    addStep(opened, "amounts", `All of ${order.amount} minor units of pUSDT came back.`);
    return;
  }
  if (order.amount !== null) {
    const [amount, entry] = [BigInt(order.amount), BigInt(mark.pool.entry_nav)];
    if (entry === 0n) throw new MismatchError("amounts", "units_differ", "no entry NAV");
    const units = down(amount * unit, entry);
    expected("nav", entry);
    expected("amount", amount);
    expected("units", units);
    if (result.fee !== null) expected("fee", 0n);
    addStep(opened, "amounts", `${amount} minor units at ${entry} buy ${units} units (scale 8).`);
    return;
  }
  const [units, nav] = [BigInt(order.units as string), BigInt(mark.pool.nav)];
  const amount = down(units * nav, unit);
  const fee = up(amount * BigInt(terms.redemption_fee_bp), 10_000n);
  expected("nav", nav);
  expected("units", units);
  expected("amount", amount);
  expected("fee", fee);
  expected("payout", amount - fee);
  addStep(
    opened,
    "amounts",
    `${units} units at ${nav} are ${amount} minor units, less ${fee}: ${amount - fee} paid.`,
  );
}
