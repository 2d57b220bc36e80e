import { decodeHostingLeaf } from "#core/hosting/leaves.ts";
import type { MarkMismatch } from "#core/hosting/receipt/recompute.ts";
import { matchesFixedTerms } from "#core/hosting/terms.ts";
import type { Moment, PoolConfig } from "#core/hosting/types.ts";
import { computeWorth, listAssets } from "#core/hosting/value.ts";
import { minuteMs } from "#core/money/time.ts";
import type { BindingMismatch } from "#core/transparency-log/binding.ts";
import { bytesToHex, equalBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { readKind, worldTag } from "#core/transparency-log/leaf.ts";
import { decodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { decodeTerms } from "#core/transparency-log/termsLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

/** Differences a hosting check can find. */
export type HostingMismatch =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "leaf_missing"
  | "leaf_unreadable"
  | "leaves_out_of_order"
  | "marks_not_ascending"
  | "terms_not_in_log"
  | "terms_hash_differs"
  | "terms_after_order"
  | "constants_differ"
  | "terms_do_not_allow_pool_order"
  | BindingMismatch
  | "mark_not_in_log"
  | "mark_too_late"
  | "mark_left_out"
  | "minute_not_marked"
  | "flows_differ"
  | MarkMismatch
  | "log_not_ended"
  | "payout_differs"
  | "decision_not_in_log"
  | "book_differs"
  | "fill_not_in_log"
  | "takings_differ";

/** Named values for anyone following the computation. */
export type Inputs = Record<string, string | number | null>;

export interface HostingCheckStep {
  step: string;
  ok: boolean;
  difference: HostingMismatch | null;
  inputs: Inputs;
}

class MismatchError extends Error {
  readonly difference: HostingMismatch;
  constructor(difference: HostingMismatch) {
    super(difference);
    this.difference = difference;
  }
}

export function ensure(condition: boolean, difference: HostingMismatch): asserts condition {
  if (!condition) throw new MismatchError(difference);
}

/** Proven leaves of one world, decoded by kind. */
export class Leaves {
  readonly world: WorldLeaf;
  readonly tag: Uint8Array;
  readonly #bytes: ReadonlyMap<number, Uint8Array>;

  constructor(world: WorldLeaf, bytes: ReadonlyMap<number, Uint8Array>) {
    this.world = world;
    this.tag = worldTag(world.world);
    this.#bytes = bytes;
  }

  has(index: number): boolean {
    return this.#bytes.has(index);
  }

  at(index: number): Uint8Array {
    const bytes = this.#bytes.get(index);
    ensure(bytes !== undefined, "leaf_missing");
    return bytes;
  }

  /**
   * The second at `index`; null only if the leaf is of another kind: an unreadable one must not
   * pass for one without a second.
   */
  second(index: number): SecondLeaf | null {
    const result = decodeSecond(this.at(index), this.tag);
    ensure(result.ok || result.error === "leaf_kind_wrong", "leaf_unreadable");
    return result.ok ? result.value : null;
  }

  /** The leaf of type `orders` at `index`; null if it is any other. */
  orders(index: number): { count: number; root: Uint8Array } | null {
    if (this.body(index, "mark")?.type !== "orders") return null;
    const result = decodeOrders(this.at(index), this.tag);
    ensure(result.ok, "leaf_unreadable");
    return result.value;
  }

  /** The body of the `books` or `mark` leaf at `index`; null if the leaf is of another kind. */
  body(index: number, kind: "books" | "mark"): Record<string, unknown> | null {
    const bytes = this.at(index);
    // Most leaves are seconds; the head tells them apart without decoding.
    const result = readKind(bytes, this.tag);
    ensure(result.ok, "leaf_unreadable");
    if (result.value !== kind) return null;
    const decodedLeaf = decodeHostingLeaf(bytes, kind, this.tag);
    ensure(decodedLeaf.ok, "leaf_unreadable");
    return decodedLeaf.value;
  }
}

/**
 * Demands that the seconds in leaves `from` to `to` ascend: one that repeats or precedes another
 * was written with knowledge of the market after its stated time.
 */
export function requireAscending(leaves: Leaves, from: number, to: number): void {
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (let index = from; index <= to; index += 1) {
    const second = leaves.second(index);
    if (!second) continue;
    ensure(second.secondMs > beforeMs, "seconds_not_ascending");
    beforeMs = second.secondMs;
  }
}

/**
 * Requires that leaves `from` to `to` contain no whole minute at which the pool could have been
 * marked. A minute with an index for each of its assets must be marked, or the operator could wait
 * for a favourable NAV.
 */
export function requireMarked(
  leaves: Leaves,
  terms: Record<string, unknown>,
  from: number,
  to: number,
): void {
  const { strategy, venues, symbols } = terms as unknown as PoolConfig;
  const assets = listAssets({ strategy, venues, symbols, home: "USDT" });
  for (let index = from; index <= to; index += 1) {
    const second = leaves.second(index);
    if (!second || second.secondMs % minuteMs !== 0) continue;
    const moment: Moment = {
      atMs: second.secondMs,
      book: () => null,
      index: (symbol) =>
        second.index[leaves.world.symbols.findIndex(({ name }) => name === symbol)] ?? null,
    };
    const arePriced = assets.every((asset) => computeWorth(asset, "USDT", moment) !== null);
    ensure(!arePriced, "minute_not_marked");
  }
}

/**
 * Runs steps in order up to the first that differs. An unusable leaf is a difference too, never a
 * crash.
 */
export function runSteps(steps: readonly (readonly [string, () => Inputs])[]): HostingCheckStep[] {
  const hostingCheckSteps: HostingCheckStep[] = [];
  for (const [step, run] of steps) {
    try {
      hostingCheckSteps.push({ step, ok: true, difference: null, inputs: run() });
    } catch (error) {
      const difference = error instanceof MismatchError ? error.difference : "leaf_unreadable";
      hostingCheckSteps.push({ step, ok: false, difference, inputs: {} });
      break;
    }
  }
  return hostingCheckSteps;
}

interface LabelledReceipt {
  practice: unknown;
  backing: unknown;
  world: string;
  market: { kind: string; speed: number };
}

/** Step "marks": the practice, world and market marks of everything that carries them. */
export function checkMarks({ world }: Leaves, receipts: readonly LabelledReceipt[]): Inputs {
  for (const { practice, backing, world: worldName, market } of receipts) {
    ensure(practice === true && backing === "none", "not_practice");
    ensure(worldName === world.world, "world_differs");
    const isSameMarket = market.kind === world.market.kind && market.speed === world.market.speed;
    ensure(isSameMarket, "market_differs");
  }
  return { world: world.world, market: world.market.kind, speed: world.market.speed };
}

/**
 * Step "terms": they precede in the log what relies on them, hold the rules' constants and belong to
 * this pool. Returns their hash.
 */
export function checkTerms(
  leaves: Leaves,
  receipt: { terms: Record<string, unknown>; terms_leaf: number },
  poolId: string,
  before: number,
): string {
  const result = decodeTerms(leaves.at(receipt.terms_leaf), leaves.tag);
  ensure(result.ok, "terms_not_in_log");
  const statedBytes = canonicalBytes(receipt.terms as never);
  ensure(equalBytes(canonicalBytes(result.value.body as never), statedBytes), "terms_not_in_log");
  ensure(receipt.terms_leaf < before, "terms_after_order");
  ensure(matchesFixedTerms(receipt.terms), "constants_differ");
  ensure(receipt.terms.pool_id === poolId, "terms_do_not_allow_pool_order");
  return bytesToHex(result.value.termsHash);
}
