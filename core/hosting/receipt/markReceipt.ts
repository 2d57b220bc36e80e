import type { BooksBody, PoolMarkBody } from "#core/hosting/bodies.ts";
import { type MarkReceipt, parseMarkReceipt } from "#core/hosting/receipt/receiptSchema.ts";
import {
  checkMarks,
  checkTerms,
  ensure,
  type HostingCheckStep,
  type Inputs,
  Leaves,
  requireAscending,
  requireMarked,
  runSteps,
} from "#core/hosting/receipt/receiptSteps.ts";
import {
  createPoolAtStart,
  type PoolAfterMark,
  recomputeMark,
} from "#core/hosting/receipt/recompute.ts";
import { createState, decodePoolState, payOwed } from "#core/hosting/state.ts";
import type { PoolConfig, PoolState } from "#core/hosting/types.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** 10^(8 + 8 − 6): units × NAV divided by this is minor units of pUSDT. */
const unitsToMinor = 10n ** 10n;

/**
 * Leaves fetched first when searching back for the last mark that states the pool's state; doubled
 * with each further step.
 */
const stride = 1_024;

interface LoggedMark extends PoolMarkBody {
  at_ms: number;
  second_leaf: number;
}

function markAt(leaves: Leaves, poolId: string, index: number): LoggedMark | null {
  const body = leaves.body(index, "mark");
  if (body?.type !== "mark") return null;
  const pool = (body.pools as PoolMarkBody[]).find(({ pool_id: id }) => id === poolId);
  const { at_ms: atMs, second_leaf: second } = body as { at_ms: number; second_leaf: number };
  return pool ? { ...pool, at_ms: atMs, second_leaf: second } : null;
}

function booksAt(leaves: Leaves, poolId: string, index: number): BooksBody | null {
  const body = leaves.body(index, "books") as unknown as BooksBody | null;
  return body?.pool_id === poolId ? body : null;
}

const getBefore = ({ before_mark_leaf: before, terms_leaf: terms }: MarkReceipt) => before ?? terms;

/** Leaves from the previous mark to this one, or from the terms to the first mark. */
export function listNeededMarkLeaves(receipt: MarkReceipt): number[] {
  const { terms_leaf: terms, second_leaf: second, mark_leaf: mark } = receipt;
  return [0, terms, second, ...listIndexes(getBefore(receipt), mark)];
}

/**
 * The seconds named by `books` leaves, and leaves further back until a mark states the state left
 * by the previous mark.
 */
export function listMarkLeavesBehind(
  receipt: MarkReceipt,
  world: WorldLeaf,
  bytes: ReadonlyMap<number, Uint8Array>,
): number[] {
  const leaves = new Leaves(world, bytes);
  const seconds = listIndexes(getBefore(receipt) + 1, receipt.mark_leaf - 1).flatMap(
    (leaf) => booksAt(leaves, receipt.pool_id, leaf)?.second_leaf ?? [],
  );
  const before = receipt.before_mark_leaf;
  if (before === null) return seconds;
  const previousMark = leaves.has(before) ? markAt(leaves, receipt.pool_id, before) : null;
  if (previousMark) seconds.push(...listIndexes(previousMark.second_leaf, before));
  let index = before;
  for (; index > receipt.terms_leaf && leaves.has(index); index -= 1) {
    const state = markAt(leaves, receipt.pool_id, index)?.state;
    if (state !== null && state !== undefined) return seconds;
  }
  return [
    ...seconds,
    ...listIndexes(Math.max(receipt.terms_leaf, index - Math.max(stride, before - index)), index),
  ];
}

/** Recomputes a mark from proven leaves (docs/formats/hosting.md, "A mark"). */
export function checkMark(
  value: unknown,
  world: WorldLeaf,
  bytes: ReadonlyMap<number, Uint8Array>,
): { ok: boolean; steps: HostingCheckStep[] } {
  const receipt = parseMarkReceipt(value);
  if (!receipt) {
    const difference = "receipt_malformed" as const;
    return { ok: false, steps: [{ step: "marks", ok: false, difference, inputs: {} }] };
  }
  const leaves = new Leaves(world, bytes);
  const steps = runSteps([
    ["marks", () => checkMarks(leaves, [receipt])],
    [
      "product_terms",
      () => ({
        terms_hash: checkTerms(leaves, receipt, receipt.pool_id, receipt.mark_leaf),
        terms_leaf: receipt.terms_leaf,
      }),
    ],
    ["nav", () => checkNav(leaves, receipt)],
  ]);
  return { ok: steps.every(({ ok }) => ok), steps };
}

function checkNav(leaves: Leaves, receipt: MarkReceipt): Inputs {
  const { pool_id: id, mark_leaf: leaf, before_mark_leaf: before, result, terms } = receipt;
  const mark = markAt(leaves, id, leaf);
  ensure(
    mark !== null && mark.at_ms === receipt.at_ms && mark.second_leaf === receipt.second_leaf,
    "mark_not_in_log",
  );
  const second = leaves.second(mark.second_leaf);
  ensure(second?.secondMs === mark.at_ms, "book_differs");
  const previousMark = before === null ? null : markAt(leaves, id, before);
  ensure(before === null || previousMark !== null, "mark_not_in_log");
  const between: BooksBody[] = [];
  for (let index = getBefore(receipt) + 1; index < leaf; index += 1) {
    ensure(markAt(leaves, id, index) === null, "mark_left_out");
    const books = booksAt(leaves, id, index);
    if (!books) continue;
    ensure(leaves.second(books.second_leaf)?.secondMs === books.at_ms, "book_differs");
    between.push(books);
  }
  ensure(previousMark === null || previousMark.at_ms < mark.at_ms, "marks_not_ascending");
  const markedUntil = previousMark?.second_leaf ?? receipt.terms_leaf;
  requireAscending(leaves, Math.min(markedUntil, getBefore(receipt)), leaf);
  requireMarked(leaves, terms, markedUntil + 1, mark.second_leaf - 1);
  for (const loggedMark of [previousMark, mark])
    ensure(loggedMark === null || areFlowsConsistent(loggedMark, terms), "flows_differ");
  const { strategy, venues, symbols, seed } = terms as unknown as PoolConfig & { seed: string };
  const config: PoolConfig = { strategy, venues, symbols, home: "USDT" };
  const poolBefore =
    before === null
      ? createPoolAtStart(createState(BigInt(seed)), BigInt(seed))
      : stateAfterMark(leaves, receipt, before);
  const recomputed = recomputeMark(config, poolBefore, between, mark, (index, symbol) => {
    const column = leaves.world.symbols.findIndex(({ name }) => name === symbol);
    return leaves.second(index)?.index[column] ?? null;
  });
  if (!recomputed.ok) ensure(false, recomputed.difference);
  ensure(result.units === mark.units, "units_differ");
  ensure(result.assets === mark.assets && result.owed === mark.owed, "assets_differ");
  ensure(result.nav === mark.nav, "nav_differs");
  const { nav, units, assets, owed } = mark;
  return { happenings: between.length, assets, owed, units, nav };
}

/**
 * Returns true if what was paid in and out at a mark fits the units given and taken back: each
 * order rounds by less than one unit, one minor unit, and one minor unit of its fee.
 */
function areFlowsConsistent(mark: PoolMarkBody, terms: Record<string, unknown>): boolean {
  const { subscribed, given, redeemed, paid: payOwedFromFree, kept, nav, entry_nav: entry } = mark;
  const orders = BigInt(mark.orders);
  if (orders === 0n)
    return [subscribed, given, redeemed, payOwedFromFree, kept].every((sum) => sum === "0");
  const worth = BigInt(payOwedFromFree) + BigInt(kept);
  const [inLoss, outLoss, feeGain] = [
    BigInt(subscribed) * unitsToMinor - BigInt(given) * BigInt(entry),
    BigInt(redeemed) * BigInt(nav) - worth * unitsToMinor,
    BigInt(kept) * 10_000n - worth * BigInt(terms.redemption_fee_bp as number),
  ];
  const isWithinLoss = (loss: bigint, unit: bigint) => loss >= 0n && loss < orders * unit;
  return (
    isWithinLoss(inLoss, BigInt(entry)) &&
    isWithinLoss(outLoss, unitsToMinor) &&
    isWithinLoss(feeGain, 10_000n)
  );
}

/**
 * The state left by the mark at `before` after executing its orders: the state is stated there or,
 * if unchanged since, at an earlier mark.
 */
function stateAfterMark(
  leaves: Leaves,
  { pool_id: id, terms_leaf: terms }: MarkReceipt,
  before: number,
): PoolAfterMark {
  const loggedMark = markAt(leaves, id, before);
  ensure(loggedMark !== null, "mark_not_in_log");
  const units = BigInt(loggedMark.units) + BigInt(loggedMark.given) - BigInt(loggedMark.redeemed);
  for (let index = before; index > terms; index -= 1) {
    const mark = markAt(leaves, id, index);
    if (!mark || mark.state === null) continue;
    let state = applyFlows(decodePoolState(JSON.stringify(mark.state)), mark);
    if (index !== before) state = applyFlows(payOwedFromFree(state), loggedMark);
    return { state, units };
  }
  ensure(false, "state_differs");
}

const applyFlows = (state: PoolState, mark: PoolMarkBody): PoolState => ({
  ...state,
  free: state.free + BigInt(mark.subscribed),
  owed: state.owed + BigInt(mark.paid),
});

function payOwedFromFree(state: PoolState): PoolState {
  const amount = state.owed < state.free ? state.owed : state.free;
  return amount > 0n ? payOwed(state, amount) : state;
}
