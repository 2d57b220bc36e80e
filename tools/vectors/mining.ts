import { createHash } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { type Block, sumFees } from "#core/mining/chain.ts";
import { bitsToDifficulty } from "#core/mining/difficulty.ts";
import { computeSatoshi } from "#core/mining/formula.ts";
import { computeLeaseCost, computeRefund, getDayEnd, getLeaseStart } from "#core/mining/lease.ts";
import {
  endingStructure,
  type LeaseEnding,
  type LeaseOrder,
  leaseStructure,
  structureHash,
} from "#core/mining/leaseOrder.ts";
import { computeCumulativeAt, createNextReading, type Reading } from "#core/mining/readings.ts";
import { checkLease, type LeaseMismatch } from "#core/mining/receipt.ts";
import { type LeaseReceipt, leaseReceiptFormat } from "#core/mining/receiptSchema.ts";
import { type NetworkStart, runNetwork, startNetwork } from "#core/mining/simulate/network.ts";
import { type MachineTerms, poolFeeBp, termsBody, termsHash } from "#core/mining/terms.ts";
import { dayMs, hourMs } from "#core/money/time.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import {
  decodeNetwork,
  encodeNetwork,
  type NetworkLeaf,
} from "#core/transparency-log/networkLeaf.ts";
import { encodeOrders } from "#core/transparency-log/ordersLeaf.ts";
import { encodePayout } from "#core/transparency-log/payoutLeaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { createLeaseJournals } from "./leaseJournals.ts";
import { vectorKey, vectorOrigin } from "./log.ts";

const startMs = 1_767_571_200_000;
const world: WorldLeaf = {
  world: "vector",
  market: { kind: "simulated", speed: 1 },
  simulator: 1,
  seedAnchor: new Uint8Array(32).fill(0x66),
  beacon: null,
  recording: null,
  createdAtMs: startMs,
  venues: ["north", "south", "mole"],
  symbols: [{ name: "BTC/USDT", scale: 2, venues: ["north", "south", "mole"] }],
};
const terms: MachineTerms = {
  world: world.world,
  version: 1,
  productId: "hundred",
  maker: "Maker",
  model: "Hundred",
  source: "made for vectors",
  hashrateGhs: 100_000n,
  powerW: 3_250,
  pricePerDay: 400_000n,
  pricePerKwh: 60_007n,
  stock: 10,
  quantityMax: 5,
  daysMin: 1,
  daysMax: 30,
};
/** Seven days: a halving on the second, a change of difficulty on the fifth. */
const hours = 7 * 24;
const networkStart = { height: 520 * 2_016, bits: 0x17034219 };
/** The position after two seconds; the second one binds the lease. */
const firstReadingLeaf = 4;
const endingLeaf = firstReadingLeaf + 2 * hours;

export function createReadings(
  count: number = hours,
  start: NetworkStart = networkStart,
): { readings: Reading[]; leaves: Uint8Array[] } {
  const seeds = new SeedChain(createHash("sha256").update("vectors of mining").digest());
  const seedOfDay = (day: number) => seeds.seedOf(Math.max(0, day - startMs / dayMs));
  let state = startNetwork(seedOfDay(0), startMs / 1_000, start);
  let before: Reading | null = null;
  let blockSeconds = state.tip.recent[0]!.seconds;
  const readings: Reading[] = [];
  const leaves: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const atMs = startMs + index * hourMs;
    const foundBlocks: Block[] = index === 0 ? [...state.tip.recent] : [];
    if (index > 0)
      for (state of runNetwork(state, atMs / 1_000, seedOfDay)) foundBlocks.push(state.tip.last);
    const { last, epochFirstSeconds } = state.tip;
    const feeSum = sumFees(state.tip);
    const figures = { height: last.height, difficulty: bitsToDifficulty(last.bits), feeSum };
    before = createNextReading(before, figures, atMs);
    readings.push(before);
    const hour = atMs / hourMs;
    const blocks = foundBlocks.map(({ seconds, fees }) => {
      const afterSeconds = seconds - blockSeconds;
      blockSeconds = seconds;
      return { afterSeconds, fees };
    });
    const leaf = {
      source: "simulated" as const,
      hour,
      anchor: index === 0 ? seeds.anchor : null,
      revealed: index > 0 && index % 24 === 0 ? seedOfDay(atMs / dayMs - 1) : null,
      height: last.height,
      blockSeconds: last.seconds,
      bits: last.bits,
      epochFirstSeconds,
      feeSum,
      blocks,
    };
    const { cumulative, accrual } = before;
    leaves.push(encodeNetwork(leaf, world.world));
    leaves.push(encodePayout({ hour, cumulative, accrual }, world.world));
  }
  return { readings, leaves };
}

interface LeaseParams {
  quantity: number;
  days: number;
  acceptedAtMs: number;
  from: number;
  to: number;
  ended?: { atMs: number; unusedDays: number };
}

const common = {
  world: world.world,
  market: world.market,
  leaseId: "018d0000-0000-8000-8000-000000000001",
  salt: "1".repeat(64),
};

function createLease({ quantity, days, acceptedAtMs }: typeof lease): LeaseOrder {
  const cost = computeLeaseCost(terms, quantity);
  const { productId } = terms;
  const of = { attemptId: "attempt-1", productId, termsHash: termsHash(terms) };
  return { ...common, ...of, quantity, days, cost, acceptedAtMs };
}

function getEnding({ quantity, ended }: Pick<LeaseParams, "quantity" | "ended">): LeaseEnding {
  const { atMs, unusedDays } = ended!;
  const refund = computeRefund(computeLeaseCost(terms, quantity), unusedDays);
  return { ...common, ...refund, unusedDays, acceptedAtMs: atMs };
}

/** The lease is bound alone, by a leaf that follows the last second before it. */
const boundAt = (leaf: number) => ({
  orders_count: 1,
  orders_index: 0,
  orders_path: [],
  before_leaf: leaf - 1,
  bound_leaf: leaf,
});

/** The second in which something was accepted, and the next one, which binds it. */
function secondsAround(atMs: number, hash: Uint8Array): [Uint8Array, Uint8Array] {
  const secondMs = Math.floor(atMs / 1_000) * 1_000;
  return [findSecond(secondMs, []), findSecond(secondMs + 1_000, [hash])];
}

function findSecond(secondMs: number, hashes: readonly Uint8Array[]): Uint8Array {
  const price = 2_812_345n;
  const quotes = world.venues.map(() => [{ bid: price - 1n, ask: price + 1n }]);
  const second = { secondMs, quotes, index: [price], ...bindOrders(hashes) };
  return encodeSecond(second, worldTag(world.world));
}

function buildReceipt(readings: readonly Reading[], params: LeaseParams): LeaseReceipt {
  const { quantity, days, acceptedAtMs, from, to, ended } = params;
  const hourAt = (atMs: number) => Math.floor((atMs - startMs) / hourMs);
  const leafAt = (hour: number) => firstReadingLeaf + 2 * hour;
  const cumulative = (atMs: number) => computeCumulativeAt(readings[hourAt(atMs)]!, atMs);
  const start = getLeaseStart({ acceptedAtMs });
  const hashrate = terms.hashrateGhs * BigInt(quantity);
  const total = (day: number) =>
    computeSatoshi(
      cumulative(getDayEnd({ acceptedAtMs }, day)) - cumulative(start),
      hashrate,
      poolFeeBp,
    );
  const coversDays = to >= from;
  const firstHour = hourAt(getDayEnd({ acceptedAtMs }, from - 1));
  const count = coversDays ? hourAt(getDayEnd({ acceptedAtMs }, to)) - firstHour + 1 : 0;
  return {
    format: leaseReceiptFormat,
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    lease: leaseStructure(createLease({ quantity, days, acceptedAtMs })),
    ...boundAt(firstReadingLeaf - 1),
    terms: termsBody(terms),
    terms_leaf: 1,
    from_day: from,
    to_day: to,
    start_reading: coversDays ? leafAt(hourAt(start)) : null,
    readings: Array.from({ length: count }, (_, index) => leafAt(firstHour + index)),
    mined_before: String(total(from - 1)),
    payouts: Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({
      day: from + index,
      amount: String(total(from + index) - total(from + index - 1)),
    })),
    ended: ended
      ? { ending: endingStructure(getEnding(params)), ...boundAt(endingLeaf + 1) }
      : null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
}

const acceptedAtMs = startMs + 1_234_567;
const lease = { quantity: 2, days: 6, acceptedAtMs };
const endedLease = { ...lease, ended: { atMs: getLeaseStart(lease) + 2 * dayMs, unusedDays: 3 } };
const leaseHash = structureHash(leaseStructure(createLease(lease)));
const endingHash = structureHash(endingStructure(getEnding(endedLease)));

/** Receipts, and copies of the first with one change each and the resulting difference. */
export function createMiningVectors() {
  const { readings, leaves } = createReadings();
  const entries = [
    encodeWorld(world),
    encodeTerms(canonicalBytes(termsBody(terms)), world.world),
    ...secondsAround(acceptedAtMs, leaseHash),
    ...leaves,
    ...secondsAround(endedLease.ended.atMs, endingHash),
  ];
  const byIndex = new Map(entries.map((bytes, index) => [index, bytes]));
  const receipts = [
    buildReceipt(readings, { ...lease, from: 1, to: 6 }),
    buildReceipt(readings, { ...lease, from: 5, to: 5 }),
    buildReceipt(readings, { ...lease, from: 1, to: 0 }),
    buildReceipt(readings, { ...endedLease, from: 1, to: 3 }),
  ];
  for (const receipt of receipts) {
    const { steps } = checkLease(receipt, world, byIndex);
    const fault = steps.find(({ ok }) => !ok);
    if (fault) throw new Error(`a vector does not agree: ${fault.step} ${fault.difference}`);
  }
  return {
    entries: entries.map(bytesToHex),
    receipts,
    journals: createLeaseJournals(world, entries, receipts),
    altered: alter(receipts[3]!).map((item) => {
      const leaseMismatch = checkLease(item.receipt, world, byIndex).steps.at(-1)?.difference;
      if (leaseMismatch !== item.difference)
        throw new Error(`${item.name} differs by ${leaseMismatch}`);
      return item;
    }),
    falsified: [
      ...falsify(entries, receipts[0]!),
      ...falsifySeeds(entries, receipts[0]!),
      ...lateLeases(entries, receipts[3]!),
      ...otherConstants(receipts[3]!),
    ].map((item) => {
      const leaves = entries.toSpliced(item.at, item.remove, ...item.insert);
      const mismatch = checkLease(item.receipt, world, new Map(leaves.entries())).steps.at(-1);
      if (mismatch?.difference !== item.difference)
        throw new Error(`${item.name}: ${mismatch?.difference}`);
      return { ...item, insert: item.insert.map(bytesToHex) };
    }),
  };
}

/** An hour appended again at the end of the log, and a receipt that takes it from there. */
function falsify(entries: readonly Uint8Array[], receipt: LeaseReceipt) {
  const { readings } = receipt;
  const repeatHour = (leaf: number) => ({
    at: entries.length,
    remove: 0,
    insert: [entries[leaf]!, entries[leaf + 1]!],
    difference: "leaves_out_of_order" as const,
  });
  return [
    {
      name: "an hour of the lease written again",
      ...repeatHour(readings[30]!),
      receipt: { ...receipt, readings: readings.with(30, entries.length) },
    },
    {
      name: "the hour of the start written again",
      ...repeatHour(receipt.start_reading!),
      receipt: { ...receipt, start_reading: entries.length },
    },
  ];
}

/** Readings whose seeds are not those that the anchor commits to. */
function falsifySeeds(entries: readonly Uint8Array[], receipt: LeaseReceipt) {
  const withChangedHour = (name: string, hour: number, change: Partial<NetworkLeaf>) => {
    const index = firstReadingLeaf + 2 * hour;
    const network = decodeNetwork(entries[index]!, null);
    if (!network.ok) throw new Error(name);
    const insert = [encodeNetwork({ ...network.value, ...change }, world.world)];
    return {
      name,
      at: index,
      remove: 1,
      insert,
      difference: "network_seed_differs" as const,
      receipt,
    };
  };
  const otherSeed = new Uint8Array(32).fill(7);
  return [
    withChangedHour("a seed that does not lead to the one before it", 48, { revealed: otherSeed }),
    withChangedHour("a midnight without a seed", 72, { revealed: null }),
    withChangedHour("a seed at another hour", 50, { revealed: otherSeed }),
    withChangedHour("another anchor", 30, { anchor: otherSeed }),
    withChangedHour("a recorded hour of a simulated network", 30, { source: "replay" }),
  ];
}

/** The lease and its end bound a second late, or by a separate leaf while the log continues. */
function lateLeases(entries: readonly Uint8Array[], receipt: LeaseReceipt) {
  const { bound_leaf: boundLeaf, ended } = receipt;
  const secondMs = Math.floor(acceptedAtMs / 1_000) * 1_000;
  const laterBinding = { ...boundAt(boundLeaf + 1), before_leaf: boundLeaf };
  const ordersLeaf = encodeOrders(world.world, [endingHash]);
  const end = entries.length;
  return [
    {
      name: "the lease held back for a second",
      at: boundLeaf,
      remove: 1,
      insert: [findSecond(secondMs + 1_000, []), findSecond(secondMs + 2_000, [leaseHash])],
      difference: "bound_too_late" as const,
      receipt: { ...receipt, ...laterBinding },
    },
    {
      name: "the terms logged after the lease",
      at: 1,
      remove: 3,
      insert: [entries[2]!, entries[3]!, entries[1]!],
      difference: "terms_after_order" as const,
      receipt: { ...receipt, terms_leaf: 3, before_leaf: 1, bound_leaf: 2 },
    },
    {
      name: "an early end bound by a leaf of its own while the log goes on",
      at: end,
      remove: 0,
      insert: [ordersLeaf],
      difference: "bound_leaf_not_a_second" as const,
      receipt: { ...receipt, ended: { ...ended!, bound_leaf: end, before_leaf: end - 1 } },
    },
    {
      name: "an early end held back for a second",
      at: end - 1,
      remove: 1,
      insert: [
        findSecond(Math.ceil(endedLease.ended.atMs / 1_000) * 1_000, []),
        findSecond(Math.ceil(endedLease.ended.atMs / 1_000) * 1_000 + 1_000, [endingHash]),
      ],
      difference: "bound_too_late" as const,
      receipt: { ...receipt, ended: { ...ended!, ...boundAt(end) } },
    },
  ];
}

/** Terms whose constants are not those of the rules, and a lease bound under them. */
function otherConstants(receipt: LeaseReceipt) {
  const rows: [string, object][] = [
    ["terms by which a machine starts a day later", { commissioning_ms: dayMs }],
    ["terms by which half of the price comes back", { refund_price_percent: 50 }],
    ["terms by which no power comes back", { refund_power_percent: 0 }],
    ["terms with days of an hour", { day_ms: hourMs }],
    ["terms by which the pool keeps nearly everything", { pool_fee_bp: 9_999 }],
  ];
  return rows.map(([name, change]) => {
    const body = { ...receipt.terms, ...change } as ReturnType<typeof termsBody>;
    const bytes = canonicalBytes(body);
    const withChangedHour = { ...receipt.lease, terms_hash: bytesToHex(sha256(bytes)) };
    const hash = structureHash(withChangedHour as ReturnType<typeof leaseStructure>);
    return {
      name,
      at: 1,
      remove: 3,
      insert: [encodeTerms(bytes, world.world), ...secondsAround(acceptedAtMs, hash)],
      difference: "constants_differ" as const,
      receipt: { ...receipt, lease: withChangedHour, terms: body },
    };
  });
}

function alter(receipt: LeaseReceipt) {
  const { lease: of, terms: body, readings, payouts } = receipt;
  const ending = receipt.ended!;
  const changedEnding = (change: object) => ({
    ...ending,
    ending: { ...ending.ending, ...change },
  });
  const rows: [string, Partial<Record<keyof LeaseReceipt, unknown>>, LeaseMismatch][] = [
    ["no practice", { practice: false }, "not_practice"],
    ["another world", { world: "other" }, "world_differs"],
    ["another speed", { market: { kind: "simulated", speed: 2 } }, "market_differs"],
    ["a cheaper machine", { terms: { ...body, price_per_day: "1" } }, "terms_not_in_log"],
    ["another hash", { lease: { ...of, terms_hash: "0".repeat(64) } }, "terms_hash_differs"],
    ["too many machines", { lease: { ...of, quantity: 6 } }, "terms_do_not_allow_lease"],
    ["too many days", { lease: { ...of, days: 31 } }, "terms_do_not_allow_lease"],
    ["a price of less", { lease: { ...of, price: "4800006" } }, "cost_differs"],
    ["power of less", { lease: { ...of, power: "6" } }, "cost_differs"],
    ["an hour left out", { readings: readings.slice(1) }, "readings_incomplete"],
    ["hours moved", { readings: readings.map((leaf) => leaf + 2) }, "readings_incomplete"],
    ["another start", { start_reading: receipt.start_reading! + 2 }, "readings_incomplete"],
    [
      "accepted an hour before",
      { lease: { ...of, accepted_at_ms: of.accepted_at_ms - hourMs } },
      "bound_too_late",
    ],
    [
      "accepted a second later",
      { lease: { ...of, accepted_at_ms: of.accepted_at_ms + 1_000 } },
      "bound_before_acceptance",
    ],
    ["another lease", { lease: { ...of, lease_id: "other" } }, "order_not_in_root"],
    ["another attempt", { lease: { ...of, attempt_id: "attempt-2" } }, "order_not_in_root"],
    [
      "accepted 100 ms earlier, within the hour",
      { lease: { ...of, accepted_at_ms: of.accepted_at_ms - 100 } },
      "order_not_in_root",
    ],
    ["a lease without the practice mark", { lease: { ...of, practice: false } }, "not_practice"],
    ["a lease of another world", { lease: { ...of, world: "other" } }, "world_differs"],
    ["among others that are not there", { orders_count: 2 }, "orders_count_differs"],
    ["without the second before", { before_leaf: receipt.bound_leaf }, "bound_too_late"],
    ["bound by a reading", { bound_leaf: receipt.bound_leaf + 1 }, "bound_leaf_not_a_second"],
    ["mined before the first day", { mined_before: "1" }, "payout_differs"],
    [
      "a satoshi more",
      {
        payouts: payouts.map((payout, index) =>
          index === 1 ? { ...payout, amount: String(BigInt(payout.amount) + 1n) } : payout,
        ),
      },
      "payout_differs",
    ],
    [
      "a day twice",
      { payouts: payouts.map((payout, index) => (index === 1 ? payouts[0]! : payout)) },
      "days_differ",
    ],
    ["a payout less", { payouts: payouts.slice(1) }, "days_differ"],
    ["a smaller refund", { ended: changedEnding({ price: "0" }) }, "refund_differs"],
    [
      "ended a day later",
      { ended: changedEnding({ accepted_at_ms: ending.ending.accepted_at_ms + dayMs }) },
      "refund_differs",
    ],
    [
      "ended 100 ms later, within the day",
      { ended: changedEnding({ accepted_at_ms: ending.ending.accepted_at_ms + 100 }) },
      "order_not_in_root",
    ],
    ["the end of another lease", { ended: changedEnding({ lease_id: "other" }) }, "refund_differs"],
    [
      "an end that nothing binds",
      { ended: { ...ending, orders_count: 2 } },
      "orders_count_differs",
    ],
  ];
  return rows.map(([name, change, difference]) => ({
    name,
    difference,
    receipt: { ...receipt, ...change },
  }));
}
