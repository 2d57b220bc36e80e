import { computeIndex, filterListedQuotes } from "../indexRule.ts";
import { checkBinding } from "../log/binding.ts";
import { divideUp, equalBytes, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { requireConstants } from "../log/constants.ts";
import { decodeDay, formatDay, requireSameCounts, secondsOfDay } from "../log/day.ts";
import {
  decodeSecond,
  decodeTerms,
  decodeWorld,
  kinds,
  readKind,
  type Second,
  type World,
  worldTag,
} from "../log/leaves.ts";
import {
  checkSource,
  decodeSeed,
  describeMixedSeed,
  type MixedSeed,
  toMixedSeed,
} from "../log/seed.ts";
import { type Order, parseReceipt, type Receipt } from "./receiptSchema.ts";
import { decideOutcome, settlementPrice, trimmedMean } from "./settlement.ts";

/** An entry later than this after acceptance does not count. */
const latestMs = 2_000;

/** Reads a proven entry: from the log over HTTP, or from a list in a test. */
export type LeafReader = (index: number) => Promise<Uint8Array>;

export interface Step {
  step: string;
  /** A plain sentence that names the comparison, with the figures. */
  message: string;
}

interface Check {
  receipt: Receipt;
  order: Order;
  leaf: LeafReader;
  tag: Uint8Array;
  column: number;
  seconds: Map<number, Second>;
  /** By index, the second of each leaf read from `before_leaf` on; null for another kind. */
  read: Map<number, number | null>;
  /** The last `second` leaf read: its index and its second. */
  reached: [number, number] | null;
  steps: Step[];
}

/**
 * Steps 5 to 15 of docs/formats/receipt.md on an untrusted receipt. Resolves with one sentence per
 * step; rejects with a MismatchError naming the step and the difference.
 */
export async function checkReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: Receipt; steps: Step[]; seed?: MixedSeed | null }> {
  const receipt = parseReceipt(value);
  const check: Check = {
    receipt,
    order: receipt.order,
    leaf,
    tag: worldTag(receipt.world),
    column: -1,
    seconds: new Map(),
    read: new Map(),
    reached: null,
    steps: [],
  };
  const world = await checkMarks(check);
  checkOrder(check);
  await checkTerms(check);
  await checkBound(check);
  const entry = await checkEntry(check);
  const window = entry ? await checkWindow(check, entry.deliveryMs) : null;
  const selling = window?.selling ?? null;
  checkOutcome(check, entry?.price ?? null, selling, entry ? "few_samples" : "no_entry");
  if (entry && window && selling === null) checkSampleOutcome(check, entry.price, window.samples);
  const endMs = entry?.deliveryMs ?? (check.read.get(receipt.entry_leaf) as number);
  await checkDay(check, endMs);
  const seed = world.market.kind === "simulated" ? await checkSeed(check, world, endMs) : undefined;
  checkIndexes(check, world);
  const steps = check.steps;
  return seed === undefined ? { receipt, steps } : { receipt, steps, seed };
}

function addStep(check: Check, step: string, message: string): void {
  check.steps.push({ step, message });
}

type StatedValue = string | number | readonly number[] | null;

function expectEqual(
  step: string,
  difference: string,
  statedValue: StatedValue,
  computedValue: StatedValue,
): void {
  if (statedValue === computedValue) return;
  const text = (value: StatedValue) => (value === null ? "none" : String(value));
  throw new MismatchError(
    step,
    difference,
    `the receipt says ${text(statedValue)}, the log gives ${text(computedValue)}`,
  );
}

async function checkMarks(check: Check): Promise<World> {
  const { receipt, order } = check;
  for (const labelled of [receipt, order]) {
    if (labelled.practice !== true || labelled.backing !== "none")
      throw new MismatchError("marks", "not_practice");
  }
  const world = decodeWorld(await check.leaf(0));
  expectEqual("marks", "world_differs", receipt.world, world.name);
  expectEqual("marks", "world_differs", order.world, world.name);
  for (const { market } of [receipt, order]) {
    expectEqual(
      "marks",
      "market_differs",
      `${market.kind} ${market.speed}`,
      `${world.market.kind} ${world.market.speed}`,
    );
  }
  check.column = world.symbols.findIndex(({ name }) => name === order.symbol);
  if (check.column < 0)
    throw new MismatchError("marks", "world_differs", `no symbol ${order.symbol}`);
  addStep(
    check,
    "marks",
    `Practice only, backed by nothing; world "${world.name}", market ${world.market.kind} at speed ${world.market.speed}.`,
  );
  return world;
}

function checkOrder(check: Check): void {
  const { order } = check;
  const fee = divideUp(BigInt(order.stake) * BigInt(order.fee_bp), 10_000n);
  expectEqual("order", "fee_differs", order.fee, fee.toString());
  addStep(
    check,
    "order",
    `Order ${order.order_id}: ${order.direction} on ${order.symbol}, stake ${order.stake}, fee ${fee} minor units; hash ${sha256(canonicalBytes(order)).toString("hex")}.`,
  );
}

async function checkTerms(check: Check): Promise<void> {
  const { receipt, order } = check;
  const bytes = canonicalBytes(receipt.terms);
  expectEqual("terms", "terms_hash_differs", order.terms_hash, sha256(bytes).toString("hex"));
  let loggedBytes: Uint8Array;
  try {
    loggedBytes = decodeTerms(await check.leaf(receipt.terms_leaf), check.tag);
  } catch (error) {
    throw error instanceof MismatchError && error.difference === "leaf_kind_wrong"
      ? new MismatchError("terms", "terms_not_in_log")
      : error;
  }
  if (!equalBytes(loggedBytes, bytes))
    throw new MismatchError("terms", "terms_not_in_log", `leaf ${receipt.terms_leaf}`);
  if (receipt.terms_leaf >= receipt.bound_leaf)
    throw new MismatchError("terms", "terms_after_order");
  const { terms } = receipt;
  requireConstants(terms, {
    coin: "pUSDT",
    directions: ["up", "down"],
    entry: { rule: "first-value-after-binding", latest_ms: latestMs },
    sampling: {
      rule: "trimmed-mean",
      short_window_seconds: 10,
      long_window_seconds: 60,
      long_from_tier_seconds: 300,
      present_percent: 80,
      trimmed_fraction: "1/5",
    },
  });
  for (const tier of terms.tiers)
    requireConstants(tier, { window_seconds: tier.seconds < 300 ? 10 : 60 });
  for (const { seconds, rate_bp: rate, fee_bp: fee } of terms.tiers) {
    const returnPer20000 = 10_000 + rate - 2 * fee;
    if (returnPer20000 < 2 * 9_000 || returnPer20000 > 2 * 9_800)
      throw new MismatchError(
        "terms",
        "return_out_of_range",
        `a coin flip of ${seconds} s returns ${returnPer20000 / 200} per 100 staked`,
      );
  }
  const tier = terms.tiers.find(({ seconds }) => seconds === order.tier_seconds);
  const allowed =
    terms.contract_id === order.contract_id &&
    terms.symbol === order.symbol &&
    tier !== undefined &&
    tier.range_bp === order.range_bp &&
    tier.rate_bp === order.rate_bp &&
    tier.fee_bp === order.fee_bp &&
    tier.window_seconds === order.window_seconds &&
    BigInt(order.stake) >= BigInt(tier.stake_min) &&
    BigInt(order.stake) <= BigInt(tier.stake_max);
  if (!allowed) throw new MismatchError("terms", "terms_do_not_allow_order");
  addStep(
    check,
    "terms",
    `Version ${terms.version} of the terms, logged at leaf ${receipt.terms_leaf} before the order, allows it: rate ${order.rate_bp} bp, fee ${order.fee_bp} bp.`,
  );
}

/** The `second` leaf at `index`, or null if the leaf is of another kind. */
async function readSecond(check: Check, index: number): Promise<Second | null> {
  const cached = check.seconds.get(index);
  if (cached) return cached;
  const entry = await check.leaf(index);
  if (readKind(entry, check.tag) !== kinds.second) {
    check.read.set(index, null);
    return null;
  }
  const readSecond = decodeSecond(entry, check.tag);
  if (readSecond.columns.length <= check.column)
    throw new MismatchError("leaves", "leaf_value_invalid", `leaf ${index}`);
  check.seconds.set(index, readSecond);
  check.read.set(index, readSecond.secondMs);
  return readSecond;
}

/** Reads leaf `index`; its second must be later than those of all leaves read before. */
async function nextSecond(check: Check, step: string, index: number): Promise<Second | null> {
  const next = await readSecond(check, index);
  if (!next) return null;
  const [leaf, ms] = check.reached ?? [-1, Number.NEGATIVE_INFINITY];
  if (leaf !== index && next.secondMs <= ms)
    throw new MismatchError(
      step,
      "seconds_not_ascending",
      `leaf ${index} is of ${new Date(next.secondMs).toISOString()}, leaf ${leaf} of ${new Date(ms).toISOString()}`,
    );
  check.reached = [index, next.secondMs];
  return next;
}

async function checkBound(check: Check): Promise<void> {
  const { receipt, order } = check;
  const hash = sha256(canonicalBytes(order));
  const acceptance = { atMs: order.accepted_at_ms, hash };
  const boundSecond = await checkBinding("binding", receipt, acceptance, (index) =>
    readSecond(check, index),
  );
  check.reached = [receipt.bound_leaf, boundSecond.secondMs];
  addStep(
    check,
    "binding",
    `Leaf ${receipt.bound_leaf} binds it as number ${receipt.orders_index + 1} of ${receipt.orders_count}, before the price of its entry existed.`,
  );
}

async function checkEntry(check: Check): Promise<{ price: bigint; deliveryMs: number } | null> {
  const { receipt, order } = check;
  for (let index = receipt.bound_leaf + 1; index <= receipt.entry_leaf; index++) {
    const readSecond = await nextSecond(check, "entry", index);
    if (!readSecond) continue;
    const isTooLate = readSecond.secondMs - order.accepted_at_ms > latestMs;
    const price = readSecond.columns[check.column]?.index ?? null;
    if (!isTooLate && price === null) continue;
    if (index !== receipt.entry_leaf)
      throw new MismatchError("entry", "entry_leaf_differs", `leaf ${index} decides`);
    if (isTooLate || price === null) {
      expectEqual("entry", "purchase_price_differs", receipt.result.purchase_price, null);
      expectEqual("entry", "entry_time_differs", receipt.result.entry_at_ms, null);
      expectEqual("entry", "delivery_time_differs", receipt.result.delivery_at_ms, null);
      expectEqual("window", "window_incomplete", receipt.window_leaves, null);
      addStep(
        check,
        "entry",
        `No index value within ${latestMs} ms of acceptance: there is no entry.`,
      );
      return null;
    }
    const deliveryMs = readSecond.secondMs + order.tier_seconds * 1000;
    expectEqual("entry", "purchase_price_differs", receipt.result.purchase_price, price.toString());
    expectEqual("entry", "entry_time_differs", receipt.result.entry_at_ms, readSecond.secondMs);
    expectEqual("entry", "delivery_time_differs", receipt.result.delivery_at_ms, deliveryMs);
    addStep(
      check,
      "entry",
      `Leaf ${index} gives the entry price ${price} at ${new Date(readSecond.secondMs).toISOString()}.`,
    );
    return { price, deliveryMs };
  }
  throw new MismatchError(
    "entry",
    "entry_leaf_differs",
    `no leaf up to ${receipt.entry_leaf} decides`,
  );
}

async function checkWindow(
  check: Check,
  deliveryMs: number,
): Promise<{ selling: bigint | null; samples: bigint[] }> {
  const { receipt, order } = check;
  const [from, to] = receipt.window_leaves ?? [-1, -1];
  const startMs = deliveryMs - (order.window_seconds - 1) * 1000;
  if (from < 0) throw new MismatchError("window", "window_incomplete", "no leaves named");
  if (from < receipt.entry_leaf)
    throw new MismatchError("window", "leaves_out_of_order", `leaf ${from} is before the entry`);
  const [first, last] = [await readSecond(check, from), await readSecond(check, to)];
  if (!first || first.secondMs >= startMs)
    throw new MismatchError("window", "window_incomplete", `leaf ${from}`);
  if (!last || last.secondMs < deliveryMs)
    throw new MismatchError("window", "window_incomplete", `leaf ${to}`);
  const samples: bigint[] = [];
  for (let index = from; index <= to; index++) {
    const readSecond = await nextSecond(check, "window", index);
    const value = readSecond?.columns[check.column]?.index ?? null;
    if (
      readSecond &&
      value !== null &&
      readSecond.secondMs >= startMs &&
      readSecond.secondMs <= deliveryMs
    )
      samples.push(value);
  }
  const selling = settlementPrice(samples, order.window_seconds);
  expectEqual(
    "selling",
    "selling_price_differs",
    receipt.result.selling_price,
    selling === null ? null : selling.toString(),
  );
  addStep(
    check,
    "selling",
    selling === null
      ? `Only ${samples.length} of ${order.window_seconds} seconds of the window have an index: no settlement price.`
      : `${samples.length} of ${order.window_seconds} samples, trimmed mean: settlement price ${selling}.`,
  );
  return { selling, samples };
}

/**
 * Checks the outcome by samples of an order that is void for lack of samples. Informational only.
 */
function checkSampleOutcome(check: Check, purchase: bigint, samples: readonly bigint[]): void {
  if (samples.length === 0) return;
  const { outcome } = decideOutcome(check.order, purchase, trimmedMean(samples));
  const availableOutcome = outcome === "tie" ? "been a tie" : outcome;
  addStep(check, "samples", `By the samples there are, your order would have ${availableOutcome}.`);
}

/** Compares the `day` leaf of the day on which the order ended with every leaf read of that day. */
async function checkDay(check: Check, endMs: number): Promise<void> {
  const { day_leaf: dayLeaf, entry_leaf: entry, window_leaves: window, result } = check.receipt;
  if (dayLeaf === null) {
    addStep(
      check,
      "day",
      "That day was not over: the log did not say yet which seconds are missing.",
    );
    return;
  }
  const mismatch = (detail: string) => new MismatchError("day", "day_leaf_differs", detail);
  const bytes = await check.leaf(dayLeaf);
  if (readKind(bytes, check.tag) !== kinds.day) throw mismatch(`leaf ${dayLeaf} is not a day`);
  const day = decodeDay(bytes, check.tag);
  if (day.day !== Math.floor(endMs / 1_000 / secondsOfDay)) throw mismatch("it is of another day");
  if (dayLeaf <= Math.max(entry, window?.[1] ?? 0)) throw mismatch("that day was not over");
  requireSameCounts(day, check.read);
  const { void_reason: reason } = result;
  if ((reason === "no_entry" && day.noEntry === 0) || (reason === "few_samples" && !day.fewSamples))
    throw new MismatchError("day", "day_voids_differ", `leaf ${dayLeaf} counts none for ${reason}`);
  addStep(check, "day", formatDay(day));
}

function checkOutcome(
  check: Check,
  purchase: bigint | null,
  selling: bigint | null,
  voidReason: string,
): void {
  const { receipt, order } = check;
  const outcome = decideOutcome(order, purchase, selling);
  expectEqual("outcome", "outcome_differs", receipt.result.outcome, outcome.outcome);
  expectEqual(
    "outcome",
    "outcome_differs",
    receipt.result.void_reason,
    outcome.outcome === "void" ? voidReason : null,
  );
  expectEqual("outcome", "payout_differs", receipt.result.payout, outcome.payout.toString());
  expectEqual("outcome", "payout_differs", receipt.result.net, outcome.net.toString());
  addStep(
    check,
    "outcome",
    `${outcome.outcome}: payout ${outcome.payout}, net ${outcome.net} minor units of ${order.coin}.`,
  );
}

/**
 * The leaf that began the seed of the day on which the order ended. Returns the source mixed into
 * it; null if the log does not say.
 */
async function checkSeed(check: Check, world: World, endMs: number): Promise<MixedSeed | null> {
  const { seed_leaf: seedLeaf, log } = check.receipt;
  if (seedLeaf === null) {
    addStep(check, "seed", "The log names nothing that was mixed into the seed of that day.");
    return null;
  }
  const mismatch = (detail: string) => new MismatchError("seed", "seed_leaf_differs", detail);
  const bytes = await check.leaf(seedLeaf);
  if (readKind(bytes, check.tag) !== kinds.seed) throw mismatch(`leaf ${seedLeaf} is not a seed`);
  const seed = decodeSeed(bytes, check.tag);
  if (seed.action !== "begin") throw mismatch(`leaf ${seedLeaf} begins no day`);
  const day = (ms: number) => Math.floor(ms / 1_000 / secondsOfDay);
  if (day(seed.dayMs) !== day(endMs) || seed.dayMs > endMs) throw mismatch("it is of another day");
  for (const [index, ms] of check.read)
    if (index < seedLeaf && ms !== null && ms >= seed.dayMs)
      throw mismatch(`leaf ${index} of that day came before it`);
  const begin = { at: seedLeaf, dayMs: seed.dayMs, origin: log.origin, world };
  checkSource(seed.source, begin);
  const mixedSeed = toMixedSeed(seed.source, begin);
  const { mixed } = describeMixedSeed(mixedSeed, () => true);
  addStep(
    check,
    "seed",
    mixed === null
      ? `Leaf ${seedLeaf} began the seed of that day; nothing was mixed into it.`
      : `Leaf ${seedLeaf} began the seed of that day, mixed with ${mixed}.`,
  );
  return mixedSeed;
}

/** Step 15: the index of every second used follows from the quotes logged with it. */
function checkIndexes(check: Check, world: World): void {
  for (const [index, { columns }] of check.seconds) {
    const column = columns[check.column] as Second["columns"][number];
    const computedIndex = computeIndex(filterListedQuotes(world, column.quotes, check.column));
    if (computedIndex !== column.index) {
      throw new MismatchError(
        "index",
        "index_differs",
        `leaf ${index}: ${column.index} stated, the quotes give ${computedIndex}`,
      );
    }
  }
  addStep(
    check,
    "index",
    `The index of all ${check.seconds.size} seconds read follows from the venues' quotes.`,
  );
}
