import type { LeafReader, Step } from "../contracts/receipt.ts";
import { checkBinding, checkIncluded } from "../log/binding.ts";
import { divideUp, equalBytes, MismatchError, sha256 } from "../log/bytes.ts";
import { canonicalBytes } from "../log/canonical.ts";
import { requireConstants } from "../log/constants.ts";
import {
  decodeBound,
  decodeSecond,
  decodeTerms,
  decodeWorld,
  kinds,
  readKind,
  type Second,
  worldTag,
} from "../log/leaves.ts";
import { decodeNetwork, decodePayout, type HourLeaf } from "./leaves.ts";
import { requireSeeds } from "./network.ts";
import { computeAccrualPerThHour, computeMined, nextBits } from "./rules.ts";
import { type LeaseReceipt, parseLeaseReceipt } from "./schema.ts";

/** Steps 5 to 10 of docs/formats/mining.md. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Hour extends HourLeaf {
  cumulative: bigint;
  accrual: bigint;
}

interface State {
  receipt: LeaseReceipt;
  leaf: LeafReader;
  tag: Uint8Array;
  hours: Map<number, Hour>;
  steps: Step[];
  /** True if the market is a recording, which ends. */
  replays: boolean;
}

/**
 * Resolves with one sentence per step; rejects with a MismatchError naming the step and the
 * difference.
 */
export async function checkLeaseReceipt(
  value: unknown,
  leaf: LeafReader,
): Promise<{ receipt: LeaseReceipt; steps: Step[] }> {
  const receipt = parseLeaseReceipt(value);
  const state: State = {
    receipt,
    leaf,
    tag: worldTag(receipt.world),
    hours: new Map(),
    steps: [],
    replays: false,
  };
  await checkMarks(state);
  await checkTerms(state);
  checkCost(state);
  await checkLeaseBound(state);
  await checkReadings(state);
  checkPayouts(state);
  await checkEnding(state);
  return { receipt, steps: state.steps };
}

function addStep({ steps }: State, step: string, message: string): void {
  steps.push({ step, message });
}

async function checkMarks(state: State): Promise<void> {
  const { receipt } = state;
  const world = decodeWorld(await state.leaf(0));
  const { kind, speed } = world.market;
  for (const item of [receipt, receipt.lease, ...(receipt.ended ? [receipt.ended.ending] : [])]) {
    if (item.practice !== true || item.backing !== "none")
      throw new MismatchError("marks", "not_practice");
    if (world.name !== item.world || receipt.terms.world !== world.name)
      throw new MismatchError("marks", "world_differs", world.name);
    if (kind !== item.market.kind || speed !== item.market.speed)
      throw new MismatchError("marks", "market_differs", `the log says ${kind} ${speed}`);
  }
  state.replays = kind === "replay";
  addStep(state, "marks", `Practice only, backed by nothing; world "${world.name}".`);
}

const toAmount = ({ terms }: LeaseReceipt, name: string) => BigInt(terms[name] as string);
const toNumber = ({ terms }: LeaseReceipt, name: string) => terms[name] as number;

/** Values that the rules fix in any terms. */
const constants = {
  cost_coin: "pUSDT",
  electricity_rule: "charged for all days at the start",
  payout_coin: "pBTC",
  payout_rule: "hourly readings, cumulative per TH",
  pool_fee_bp: 200,
  commissioning_ms: 3_600_000,
  day_ms: 86_400_000,
  refund_price_percent: 80,
  refund_power_percent: 100,
};

async function checkTerms(state: State): Promise<void> {
  const { receipt } = state;
  const { lease, terms } = receipt;
  const bytes = canonicalBytes(terms);
  let loggedBytes: Uint8Array;
  try {
    loggedBytes = decodeTerms(await state.leaf(receipt.terms_leaf), state.tag);
  } catch (error) {
    if (error instanceof MismatchError && error.difference === "leaf_kind_wrong")
      throw new MismatchError("terms", "terms_not_in_log");
    throw error;
  }
  if (!equalBytes(loggedBytes, bytes))
    throw new MismatchError("terms", "terms_not_in_log", `leaf ${receipt.terms_leaf}`);
  if (sha256(bytes).toString("hex") !== lease.terms_hash)
    throw new MismatchError("terms", "terms_hash_differs");
  if (receipt.terms_leaf >= receipt.bound_leaf)
    throw new MismatchError("terms", "terms_after_order", `leaf ${receipt.terms_leaf}`);
  requireConstants(terms, constants);
  const isWithin = (value: number, from: number, to: number) => value >= from && value <= to;
  const allowed =
    terms.product_id === lease.product_id &&
    isWithin(lease.quantity, 1, toNumber(receipt, "quantity_max")) &&
    isWithin(lease.days, toNumber(receipt, "days_min"), toNumber(receipt, "days_max"));
  if (!allowed) throw new MismatchError("terms", "terms_do_not_allow_lease");
  addStep(
    state,
    "terms",
    `Version ${terms.version} of the terms of ${terms.maker} ${terms.model}, logged at leaf ${receipt.terms_leaf}: ${terms.hashrate_ghs} GH/s, ${terms.power_w} W.`,
  );
}

/** For all machines for one day. */
function dailyCost(receipt: LeaseReceipt): { price: bigint; power: bigint } {
  const machines = BigInt(receipt.lease.quantity);
  const watts = BigInt(toNumber(receipt, "power_w"));
  return {
    price: toAmount(receipt, "price_per_day") * machines,
    power: divideUp(watts * 24n * toAmount(receipt, "electricity_per_kwh") * machines, 1_000n),
  };
}

function checkCost(state: State): void {
  const { receipt } = state;
  const { lease } = receipt;
  const { price, power } = dailyCost(receipt);
  const days = BigInt(lease.days);
  for (const [statedText, computed] of [
    [lease.price, price * days],
    [lease.power, power * days],
  ] as const) {
    if (statedText !== computed.toString())
      throw new MismatchError(
        "cost",
        "cost_differs",
        `${statedText} stated, the terms give ${computed}`,
      );
  }
  addStep(
    state,
    "cost",
    `${lease.quantity} for ${lease.days} days: price ${lease.price}, power ${lease.power} minor units of pUSDT.`,
  );
}

async function checkLeaseBound(state: State): Promise<void> {
  const { receipt } = state;
  const hash = sha256(canonicalBytes(receipt.lease));
  const acceptance = { atMs: receipt.lease.accepted_at_ms, hash };
  await checkBinding("lease_bound", receipt, acceptance, findSeconds(state));
  addStep(
    state,
    "lease_bound",
    `Leaf ${receipt.bound_leaf} binds it as number ${receipt.orders_index + 1} of ${receipt.orders_count}.`,
  );
}

const findSeconds =
  ({ leaf, tag }: State) =>
  async (index: number): Promise<Second | null> => {
    const entry = await leaf(index);
    return readKind(entry, tag) === kinds.second ? decodeSecond(entry, tag) : null;
  };

const getStart = (receipt: LeaseReceipt) =>
  receipt.lease.accepted_at_ms + constants.commissioning_ms;
const toHour = (atMs: number) => Math.floor(atMs / hourMs);
const coversDays = ({ from_day: from, to_day: to }: LeaseReceipt) => to >= from;

async function readHour(state: State, index: number): Promise<Hour> {
  const network = decodeNetwork(await state.leaf(index), state.tag);
  const payout = decodePayout(await state.leaf(index + 1), state.tag);
  const { height, bits, feeSum } = network;
  const accrual = computeAccrualPerThHour(height, bits, feeSum);
  if (payout.hour !== network.hour || payout.accrual !== accrual) {
    throw new MismatchError(
      "readings",
      "reading_differs",
      `leaf ${index + 1} says ${payout.accrual}, the network gives ${accrual}`,
    );
  }
  return { ...network, cumulative: payout.cumulative, accrual };
}

async function checkReadings(state: State): Promise<void> {
  const { receipt } = state;
  const incomplete = (detail: string) =>
    new MismatchError("readings", "readings_incomplete", detail);
  if (!coversDays(receipt)) {
    if (receipt.start_reading !== null || receipt.readings.length > 0)
      throw incomplete("readings of no day");
    addStep(state, "readings", "No day was paid yet.");
    return;
  }
  if (receipt.start_reading === null) throw incomplete("no start");
  const startMs = getStart(receipt);
  const first = await readHour(state, receipt.start_reading);
  if (first.hour !== toHour(startMs)) throw incomplete("the start's hour is another");
  state.hours.set(first.hour, first);
  const from = toHour(startMs + (receipt.from_day - 1) * dayMs);
  const to = toHour(startMs + receipt.to_day * dayMs);
  if (receipt.readings.length !== to - from + 1)
    throw incomplete(`${receipt.readings.length} of ${to - from + 1} hours`);
  const hours = [first];
  let before: Hour | null = null;
  let last = { hour: first.hour, index: receipt.start_reading };
  let changes = 0;
  for (const [position, index] of receipt.readings.entries()) {
    const hour = await readHour(state, index);
    if (hour.hour !== from + position) throw incomplete(`leaf ${index} is of another hour`);
    const inOrder = hour.hour === last.hour ? index === last.index : index > last.index;
    if (!inOrder)
      throw new MismatchError(
        "readings",
        "leaves_out_of_order",
        `leaf ${index} after ${last.index}`,
      );
    last = { hour: hour.hour, index };
    if (before) requireFollows(before, hour, index);
    if (hour.hour > first.hour) hours.push(hour);
    if (before && before.bits !== hour.bits) changes += 1;
    state.hours.set(hour.hour, hour);
    before = hour;
  }
  requireSeeds(hours);
  if (!first.simulated && !state.replays)
    throw new MismatchError(
      "readings",
      "network_seed_differs",
      "a recording, in no replayed world",
    );
  addStep(
    state,
    "readings",
    `${receipt.readings.length} hours of the network, none left out, each recomputed; difficulty changed ${changes} times.`,
  );
}

function requireFollows(before: Hour, hour: Hour, index: number): void {
  const mismatch = (name: string) =>
    new MismatchError("readings", "reading_differs", `leaf ${index}: ${name}`);
  if (hour.cumulative !== before.cumulative + before.accrual) throw mismatch("sum");
  if (hour.height !== before.height + hour.blocks.length) throw mismatch("height");
  const elapsedSeconds = hour.blocks.reduce((sum, { after }) => sum + after, 0);
  if (hour.blockSeconds !== before.blockSeconds + elapsedSeconds)
    throw mismatch("time of the last block");
  let seconds = before.blockSeconds;
  let first = before.epochFirstSeconds;
  let bits = before.bits;
  for (const [index, { after }] of hour.blocks.entries()) {
    const height = before.height + index + 1;
    if (height % 2_016 === 0) {
      bits = hour.simulated ? nextBits(bits, seconds - first) : hour.bits;
      first = seconds + after;
    }
    seconds += after;
  }
  if (hour.bits !== bits) throw mismatch(`difficulty, ${bits.toString(16)} by the rule`);
  if (hour.epochFirstSeconds !== first) throw mismatch("start of the epoch");
}

function checkPayouts(state: State): void {
  const { receipt, hours } = state;
  const { from_day: from, to_day: to, payouts, lease } = receipt;
  if (from < 1 || to > lease.days || payouts.length !== Math.max(0, to - from + 1))
    throw new MismatchError("payouts", "days_differ");
  if (from === 1 && receipt.mined_before !== "0")
    throw new MismatchError("payouts", "payout_differs");
  if (!coversDays(receipt)) return;
  const ghs = toAmount(receipt, "hashrate_ghs") * BigInt(lease.quantity);
  const accrualAt = (atMs: number) => {
    const { cumulative, accrual } = hours.get(toHour(atMs)) as Hour;
    return cumulative + (accrual * BigInt(atMs % hourMs)) / BigInt(hourMs);
  };
  const startMs = getStart(receipt);
  const start = accrualAt(startMs);
  const total = (day: number) =>
    computeMined(accrualAt(startMs + day * dayMs) - start, ghs, constants.pool_fee_bp);
  const mismatch = (name: string, statedText: string, computed: bigint) =>
    new MismatchError(
      "payouts",
      "payout_differs",
      `${name}: ${statedText} stated, the log gives ${computed}`,
    );
  if (BigInt(receipt.mined_before) !== total(from - 1))
    throw mismatch("before", receipt.mined_before, total(from - 1));
  for (const [index, { day, amount }] of payouts.entries()) {
    if (day !== from + index) throw new MismatchError("payouts", "days_differ", `day ${day}`);
    const computed = total(day) - total(day - 1);
    if (BigInt(amount) !== computed) throw mismatch(`day ${day}`, amount, computed);
  }
  addStep(
    state,
    "payouts",
    `Days ${from} to ${to}: ${total(to) - total(from - 1)} satoshi, to the satoshi what the network gives.`,
  );
}

async function checkEnding(state: State): Promise<void> {
  const { receipt } = state;
  const { ended, lease } = receipt;
  if (!ended) return;
  const { ending } = ended;
  const elapsedMs = ending.accepted_at_ms - getStart(receipt);
  const startedDays = elapsedMs < 0 ? 0 : Math.min(Math.floor(elapsedMs / dayMs) + 1, lease.days);
  const { price, power } = dailyCost(receipt);
  const unusedDays = BigInt(ending.unused_days);
  const refund = (price * unusedDays * BigInt(constants.refund_price_percent)) / 100n;
  const agrees =
    ending.lease_id === lease.lease_id &&
    ending.unused_days === lease.days - startedDays &&
    receipt.to_day <= startedDays &&
    BigInt(ending.price) === refund &&
    BigInt(ending.power) === power * unusedDays;
  if (!agrees)
    throw new MismatchError(
      "ending",
      "refund_differs",
      `${lease.days - startedDays} days, price ${refund}`,
    );
  await checkEndingBound(state, ended);
  addStep(
    state,
    "ending",
    `Ended with ${ending.unused_days} days unused: ${ending.price} and ${ending.power} minor units of pUSDT came back. Leaf ${ended.bound_leaf} binds that.`,
  );
}

/** After a recording's end no more seconds close, so a separate leaf binds an early end. */
async function checkEndingBound(
  state: State,
  ended: NonNullable<LeaseReceipt["ended"]>,
): Promise<void> {
  const { ending } = ended;
  const acceptance = { atMs: ending.accepted_at_ms, hash: sha256(canonicalBytes(ending)) };
  const seconds = findSeconds(state);
  const boundOrders = decodeBound(await state.leaf(ended.bound_leaf), state.tag);
  if (!boundOrders) {
    await checkBinding("ending", ended, acceptance, seconds);
    return;
  }
  const last = state.replays ? await seconds(ended.before_leaf) : null;
  const isSilent = last?.columns.every(({ quotes }) => quotes.every((quote) => quote === null));
  if (!last || !isSilent || last.secondMs <= acceptance.atMs + dayMs)
    throw new MismatchError("ending", "bound_leaf_not_a_second", "the log had not ended");
  checkIncluded("ending", ended, acceptance.hash, boundOrders);
}
