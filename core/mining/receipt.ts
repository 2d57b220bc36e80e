import { bytesToHex } from "@noble/hashes/utils.js";
import { bitsToDifficulty, epochBlocks, nextBits } from "#core/mining/difficulty.ts";
import { computeAccrualPerTh, computeSatoshi } from "#core/mining/formula.ts";
import {
  computeLeaseCost,
  computeRefund,
  countStartedDays,
  getDayEnd,
  getLeaseStart,
} from "#core/mining/lease.ts";
import { structureHash } from "#core/mining/leaseOrder.ts";
import { computeCumulativeAt, type Reading } from "#core/mining/readings.ts";
import { getStatedCost, type LeaseReceipt, parseLeaseReceipt } from "#core/mining/receiptSchema.ts";
import { doRevealsAgree } from "#core/mining/seedReveals.ts";
import {
  type MachineTerms,
  matchesFixedTerms,
  parseMachineTerms,
  poolFeeBp,
  type TermsBody,
  termsFormat,
} from "#core/mining/terms.ts";
import { dayMs, hourMs } from "#core/money/time.ts";
import {
  type BindingMismatch,
  findBindingMismatch,
  findInclusionMismatch,
} from "#core/transparency-log/binding.ts";
import { canonicalText } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { decodeNetwork, type NetworkLeaf } from "#core/transparency-log/networkLeaf.ts";
import { decodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { decodePayout } from "#core/transparency-log/payoutLeaf.ts";
import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { decodeTerms } from "#core/transparency-log/termsLeaf.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";

const leaseSteps = [
  "marks",
  "terms",
  "cost",
  "lease_bound",
  "readings",
  "payouts",
  "ending",
] as const;
type LeaseStep = (typeof leaseSteps)[number];

export type LeaseMismatch =
  | "receipt_malformed"
  | "not_practice"
  | "world_differs"
  | "market_differs"
  | "leaf_missing"
  | "leaf_malformed"
  | "terms_not_in_log"
  | "terms_hash_differs"
  | "terms_malformed"
  | "constants_differ"
  | "terms_do_not_allow_lease"
  | "cost_differs"
  | "readings_incomplete"
  | "reading_differs"
  | "network_seed_differs"
  | "leaves_out_of_order"
  | "terms_after_order"
  | BindingMismatch
  | "days_differ"
  | "payout_differs"
  | "refund_differs";

export interface LeaseCheck {
  /** True only when every step agrees. Does not assert that any money exists. */
  ok: boolean;
  steps: { step: LeaseStep; ok: boolean; difference: LeaseMismatch | null }[];
  receipt: LeaseReceipt | null;
  terms: MachineTerms | null;
}

class MismatchError extends Error {
  readonly difference: LeaseMismatch;
  constructor(difference: LeaseMismatch) {
    super(difference);
    this.difference = difference;
  }
}

interface State {
  receipt: LeaseReceipt;
  world: WorldLeaf;
  tag: Uint8Array;
  leaves: ReadonlyMap<number, Uint8Array>;
  terms: MachineTerms | null;
  /** Keyed by hour in milliseconds. */
  readings: Map<number, Reading>;
}

const runs: Record<LeaseStep, (state: State) => void> = {
  marks: checkLabels,
  terms: checkTerms,
  cost: checkCost,
  lease_bound: checkLeaseBound,
  readings: checkReadings,
  payouts: checkPayouts,
  ending: checkEnding,
};

/**
 * Recomputes a lease receipt from raw leaves by index (the caller has proven them to be in the log)
 * and the `world` leaf (docs/formats/mining.md). Stops at the first step that differs. Needs the
 * leaves named by `listNeededLeaseLeaves`.
 */
export function checkLease(
  value: unknown,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
): LeaseCheck {
  const receipt = parseLeaseReceipt(value);
  if (!receipt) {
    const steps = [{ step: "marks" as const, ok: false, difference: "receipt_malformed" as const }];
    return { ok: false, steps, receipt, terms: null };
  }
  const state: State = {
    receipt,
    world,
    tag: worldTag(world.world),
    leaves,
    terms: null,
    readings: new Map(),
  };
  const steps: LeaseCheck["steps"] = [];
  for (const step of leaseSteps) {
    const difference = findMismatch(() => runs[step](state));
    steps.push({ step, ok: difference === null, difference });
    if (difference) break;
  }
  return { ok: steps.every(({ ok }) => ok), steps, receipt, terms: state.terms };
}

function findMismatch(run: () => void): LeaseMismatch | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof MismatchError) return error.difference;
    throw error;
  }
}

function require(condition: boolean, difference: LeaseMismatch): asserts condition {
  if (!condition) throw new MismatchError(difference);
}

function leafAt({ leaves }: State, index: number): Uint8Array {
  const bytes = leaves.get(index);
  require(bytes !== undefined, "leaf_missing");
  return bytes;
}

function checkLabels({ receipt, world }: State): void {
  const { lease, ended } = receipt;
  for (const labelled of [receipt, lease, ...(ended ? [ended.ending] : [])]) {
    require(labelled.practice === true && labelled.backing === "none", "not_practice");
    require(labelled.world === world.world, "world_differs");
    const { kind, speed } = labelled.market;
    require(kind === world.market.kind && speed === world.market.speed, "market_differs");
  }
}

function checkTerms(state: State): void {
  const { receipt, tag } = state;
  const decodedTerms = decodeTerms(leafAt(state, receipt.terms_leaf), tag);
  require(decodedTerms.ok, "terms_not_in_log");
  const isSameTerms =
    canonicalText(decodedTerms.value.body as never) === canonicalText(receipt.terms as never);
  require(isSameTerms, "terms_not_in_log");
  require(bytesToHex(decodedTerms.value.termsHash) ===
    receipt.lease.terms_hash, "terms_hash_differs");
  require(receipt.terms_leaf < receipt.bound_leaf, "terms_after_order");
  require(receipt.terms.format === termsFormat, "terms_malformed");
  require(matchesFixedTerms(receipt.terms), "constants_differ");
  const terms = parseMachineTerms(receipt.terms as TermsBody);
  const { lease } = receipt;
  require(terms.productId === lease.product_id &&
    lease.quantity >= 1 &&
    lease.quantity <= terms.quantityMax &&
    lease.days >= terms.daysMin &&
    lease.days <= terms.daysMax, "terms_do_not_allow_lease");
  state.terms = terms;
}

function checkCost({ receipt, terms }: State): void {
  const leaseCost = getStatedCost(receipt);
  const cost = computeLeaseCost(terms!, receipt.lease.quantity);
  require(leaseCost !== null &&
    leaseCost.pricePerDay === cost.pricePerDay &&
    leaseCost.powerCostPerDay === cost.powerCostPerDay, "cost_differs");
}

/** Checks that the lease, as the receipt states it, is bound by the second after its acceptance. */
function checkLeaseBound(state: State): void {
  const { receipt } = state;
  const hash = structureHash(receipt.lease);
  const atMs = receipt.lease.accepted_at_ms;
  const difference = findBindingMismatch(receipt, atMs, hash, (index) => secondAt(state, index));
  if (difference) require(false, difference);
}

function secondAt(state: State, index: number): SecondLeaf | null {
  const second = decodeSecond(leafAt(state, index), state.tag);
  require(second.ok || second.error === "leaf_kind_wrong", "leaf_malformed");
  return second.ok ? second.value : null;
}

/**
 * Checks that the receipt names the required hours, and recomputes each reading from its network
 * leaf.
 */
function checkReadings(state: State): void {
  const { receipt } = state;
  const coversDays = receipt.to_day >= receipt.from_day;
  require(coversDays === (receipt.start_reading !== null), "readings_incomplete");
  if (!coversDays) {
    require(receipt.readings.length === 0, "readings_incomplete");
    return;
  }
  const times = { acceptedAtMs: receipt.lease.accepted_at_ms };
  const toHour = (atMs: number) => Math.floor(atMs / hourMs) * hourMs;
  const firstMs = toHour(getDayEnd(times, receipt.from_day - 1));
  const lastMs = toHour(getDayEnd(times, receipt.to_day));
  require(receipt.readings.length === (lastMs - firstMs) / hourMs + 1, "readings_incomplete");
  const start = readReading(state, receipt.start_reading!);
  require(start.reading.hourMs === toHour(getLeaseStart(times)), "readings_incomplete");
  state.readings.set(start.reading.hourMs, start.reading);
  const networkLeaves = [start.leaf];
  let before = start;
  let last = receipt.start_reading!;
  for (const [position, index] of receipt.readings.entries()) {
    const current = readReading(state, index);
    const { hourMs: hour } = current.reading;
    require(hour === firstMs + position * hourMs, "readings_incomplete");
    // Each hour has one leaf, and later hours follow it: none was rewritten afterwards.
    require(hour === before.reading.hourMs ? index === last : index > last, "leaves_out_of_order");
    if (position > 0) require(canFollow(before, current), "reading_differs");
    state.readings.set(hour, current.reading);
    if (hour > start.reading.hourMs) networkLeaves.push(current.leaf);
    before = current;
    last = index;
  }
  require(doRevealsAgree(networkLeaves), "network_seed_differs");
  const isRecorded = start.leaf.source === "replay";
  require(!isRecorded || state.world.market.kind === "replay", "network_seed_differs");
}

function readReading(state: State, index: number): { reading: Reading; leaf: NetworkLeaf } {
  const network = decodeNetwork(leafAt(state, index), state.tag);
  const payout = decodePayout(leafAt(state, index + 1), state.tag);
  require(network.ok && payout.ok, "leaf_malformed");
  const leaf = network.value;
  const { height, feeSum } = leaf;
  const figures = { height, feeSum, difficulty: bitsToDifficulty(leaf.bits) };
  const { hour, cumulative, accrual } = payout.value;
  require(hour === leaf.hour &&
    accrual === computeAccrualPerTh(figures, hourMs / 1_000), "reading_differs");
  return { reading: { ...figures, hourMs: hour * hourMs, cumulative, accrual }, leaf };
}

/**
 * Returns true if one reading can follow another: its sum, the number and times of its blocks, and
 * its difficulty.
 */
function canFollow(
  before: { reading: Reading; leaf: NetworkLeaf },
  { reading, leaf }: { reading: Reading; leaf: NetworkLeaf },
): boolean {
  const elapsedSeconds = leaf.blocks.reduce((sum, block) => sum + block.afterSeconds, 0);
  const sums =
    reading.cumulative === before.reading.cumulative + before.reading.accrual &&
    leaf.height === before.leaf.height + leaf.blocks.length &&
    leaf.blockSeconds === before.leaf.blockSeconds + elapsedSeconds;
  const { bits, first } = epochAfter(before.leaf, leaf);
  return sums && leaf.bits === bits && leaf.epochFirstSeconds === first;
}

/**
 * The bits and epoch start a reading must have: an epoch begins every 2 016 blocks, and in a
 * simulated network its bits follow from the previous ones by Bitcoin's rule.
 */
function epochAfter(before: NetworkLeaf, leaf: NetworkLeaf): { bits: number; first: number } {
  let { bits, epochFirstSeconds: first, blockSeconds: seconds } = before;
  for (const [index, { afterSeconds }] of leaf.blocks.entries()) {
    if ((before.height + index + 1) % epochBlocks === 0) {
      // Recorded times are not always the ones the recorded network used.
      bits = leaf.source === "replay" ? leaf.bits : nextBits(bits, first, seconds);
      first = seconds + afterSeconds;
    }
    seconds += afterSeconds;
  }
  return { bits, first };
}

function checkPayouts({ receipt, terms, readings }: State): void {
  const { from_day: from, to_day: to, payouts, lease } = receipt;
  require(from >= 1 && to <= lease.days, "days_differ");
  require(payouts.length === Math.max(0, to - from + 1), "days_differ");
  if (from === 1) require(receipt.mined_before === "0", "payout_differs");
  if (payouts.length === 0) return;
  const times = { acceptedAtMs: lease.accepted_at_ms };
  const hashrate = terms!.hashrateGhs * BigInt(lease.quantity);
  const accrualAt = (atMs: number) =>
    computeCumulativeAt(readings.get(Math.floor(atMs / hourMs) * hourMs)!, atMs);
  const first = accrualAt(getLeaseStart(times));
  const minedTo = (day: number) =>
    computeSatoshi(accrualAt(getDayEnd(times, day)) - first, hashrate, poolFeeBp);
  let before = minedTo(from - 1);
  require(receipt.mined_before === before.toString(), "payout_differs");
  for (const [index, { day, amount }] of payouts.entries()) {
    require(day === from + index, "days_differ");
    const total = minedTo(day);
    require(amount === (total - before).toString(), "payout_differs");
    before = total;
  }
}

function checkEnding(state: State): void {
  const { receipt, terms } = state;
  const { ended, lease, to_day: to } = receipt;
  if (!ended) return;
  const { ending } = ended;
  const times = { acceptedAtMs: lease.accepted_at_ms, daysToWork: lease.days };
  const startedDays = countStartedDays(times, ending.accepted_at_ms);
  const refund = computeRefund(computeLeaseCost(terms!, lease.quantity), ending.unused_days);
  require(ending.lease_id === lease.lease_id &&
    ending.unused_days === lease.days - startedDays &&
    to <= startedDays &&
    ending.price === refund.price.toString() &&
    ending.power === refund.power.toString(), "refund_differs");
  const difference = endingMismatch(state, ended);
  if (difference) require(false, difference);
}

/**
 * An early end is bound like a lease; after a recording's end, when no second closes any more, by a
 * leaf of type `orders`.
 */
function endingMismatch(
  state: State,
  ended: NonNullable<LeaseReceipt["ended"]>,
): BindingMismatch | null {
  const { ending, before_leaf: before, bound_leaf: boundLeaf } = ended;
  const hash = structureHash(ending);
  const readSecond = (index: number) => secondAt(state, index);
  const boundOrders = decodeOrders(leafAt(state, boundLeaf), state.tag);
  if (!boundOrders.ok) return findBindingMismatch(ended, ending.accepted_at_ms, hash, readSecond);
  const last = state.world.market.kind === "replay" ? readSecond(before) : null;
  const hasEnded =
    last !== null &&
    last.secondMs > ending.accepted_at_ms + dayMs &&
    last.quotes.every((row) => row.every((quote) => quote === null));
  return hasEnded
    ? findInclusionMismatch(ended, hash, boundOrders.value)
    : "bound_leaf_not_a_second";
}
