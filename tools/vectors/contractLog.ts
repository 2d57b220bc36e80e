import { type OrderBody, orderHash, orderStructure } from "#core/contracts/order.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { computeDelivery, computeFee, settle } from "#core/contracts/settle.ts";
import { computeSettlementPrice, getWindowBounds } from "#core/contracts/settlementWindow.ts";
import {
  defaultTiers,
  type Terms,
  termsBody,
  termsBytes,
  termsHash,
} from "#core/contracts/terms.ts";
import { SeedChain } from "#core/market/simulate/seedChain.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { encodeVkey } from "#core/transparency-log/checkpoint.ts";
import { type DayLeaf, encodeDay } from "#core/transparency-log/dayLeaf.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeSeed, type SeedSource } from "#core/transparency-log/seedLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { createCosignedSource, vectorKey, vectorOrigin } from "./log.ts";

export const startMs = 1_767_571_200_000;
export const world: WorldLeaf = {
  world: "vector",
  market: { kind: "simulated", speed: 1 },
  simulator: 1,
  seedAnchor: new SeedChain(new Uint8Array(32).fill(0x66)).anchor,
  beacon: null,
  recording: null,
  createdAtMs: startMs,
  venues: ["north", "south", "mole"],
  symbols: [
    { name: "BTC/USDT", scale: 2, venues: ["north", "south", "mole"] },
    { name: "XRP/USDT", scale: 5, venues: ["north", "south", "mole"] },
  ],
};
const tag = worldTag(world.world);
export const terms: Terms = {
  world: world.world,
  contractId: "btc-usdt",
  symbol: "BTC/USDT",
  version: 1,
  tiers: defaultTiers,
};

/**
 * 300 seconds after the first two leaves; second 40 is missing, and in 41 the index has no value.
 */
const secondsCount = 300;
const missingSecond = 40;
const gap = 41;
const secondsBefore = Array.from({ length: secondsCount }, (_, index) => index + 1).filter(
  (second) => second !== missingSecond,
);
/** A path that moves up and down by a few cents, with no further meaning. */
export const getIndexAt = (second: number) =>
  second === gap ? null : 2_312_345n + BigInt((second * 37) % 101) - BigInt((second * second) % 53);

export const createOrderAt = (number: number, change: Partial<OrderBody> = {}): OrderBody => {
  const stake = 100_000_000n;
  return {
    world: world.world,
    market: world.market,
    orderId: `018d0000-0000-8000-8000-00000000000${number}`,
    attemptId: "attempt-1",
    contractId: terms.contractId,
    symbol: terms.symbol,
    direction: "up",
    tierSeconds: 60,
    windowSeconds: 10,
    rangeBp: 0,
    rateBp: 9_000,
    feeBp: 100,
    stake,
    fee: computeFee(stake, 100),
    termsHash: termsHash(terms),
    acceptedAtMs: startMs + 9_400,
    salt: String(number).repeat(64).slice(0, 64),
    ...change,
  };
};

/** Four orders: three bound by second 10, one by second 39, whose next value comes too late. */
export const orders: { order: OrderBody; second: number }[] = [
  { order: createOrderAt(1), second: 10 },
  { order: createOrderAt(2, { direction: "down" }), second: 10 },
  {
    order: createOrderAt(3, {
      tierSeconds: 60,
      stake: 10_000_001n,
      fee: computeFee(10_000_001n, 100),
    }),
    second: 10,
  },
  { order: createOrderAt(4, { acceptedAtMs: startMs + 38_500 }), second: 39 },
];
/**
 * Accepted before second 50, which has to bind it; this log delays it to second 51, so that its
 * entry comes too late.
 */
export const heldUpOrder = {
  order: createOrderAt(5, { acceptedAtMs: startMs + 49_500 }),
  second: 51,
};

/** A `second` leaf by the number of its second; null for a leaf of another kind. */
export interface Row {
  second: number;
  index: bigint | null;
  orders: readonly OrderBody[];
}

export function createSecondEntry({ second, index, orders: boundOrders }: Row): Uint8Array {
  const quotes = [-2n, 0n, 3n].map((shift) => [
    index === null ? null : { bid: index + shift - 1n, ask: index + shift + 1n },
    { bid: 51_230n + shift, ask: 51_240n + shift },
  ]);
  const leaf = { secondMs: startMs + second * 1000, quotes, index: [index, 51_235n] };
  return encodeSecond({ ...leaf, ...bindOrders(boundOrders.map(computeHash)) }, tag);
}

const computeHash = (order: OrderBody) => hexToBytes(orderHash(order));

const seconds: Row[] = secondsBefore.map((second) => ({
  second,
  index: getIndexAt(second),
  orders: [...orders, heldUpOrder]
    .filter((item) => item.second === second)
    .map(({ order }) => order),
}));

/** The day, of which all seconds after these are missing too. */
export const contractDay = {
  day: startMs / 86_400_000,
  due: { from: 1, count: 86_399 },
  voids: { noEntry: 1, fewSamples: 2 },
  before: null,
  missing: [
    { from: missingSecond, count: 1 },
    { from: secondsCount + 1, count: 86_399 - secondsCount },
  ],
} satisfies DayLeaf;

export function createDayEntry(leaf: DayLeaf = contractDay): Uint8Array {
  return encodeDay(leaf, world.world);
}

/** The log, row by row; the world, the terms and the seed come first. */
export const rows: readonly (Row | null)[] = [null, null, null, ...seconds];
const opening = [encodeWorld(world), encodeTerms(termsBytes(terms), world.world)];
export const seedIndex = opening.length;

/** The seed of the day, mixed with a cosignature of what the log held before it. */
export function createSeedEntry(
  source: SeedSource = createCosignedSource(opening),
  dayMs: number = startMs + 1_000,
): Uint8Array {
  return encodeSeed({ action: "begin", world: world.world, dayMs, source });
}

export const entries = [
  ...opening,
  createSeedEntry(),
  ...seconds.map(createSecondEntry),
  createDayEntry(),
];
export const dayIndex = entries.length - 1;
export const findLeafIndex = (second: number) => seedIndex + 1 + secondsBefore.indexOf(second);

/** The leaves that a receipt refers to. */
export interface LeafPositions {
  before: number;
  bound: number;
  entry: number;
  window: [number, number] | null;
}

const isLate = (order: OrderBody, second: number) =>
  startMs + second * 1000 - order.acceptedAtMs > 2_000;

export function createReceipt({ order, second }: (typeof orders)[number]): ContractReceipt {
  const after = secondsBefore.filter((candidate) => candidate > second);
  const decidingSecond = after.find(
    (candidate) => isLate(order, candidate) || getIndexAt(candidate) !== null,
  )!;
  const places = {
    before: findLeafIndex(secondsBefore.filter((candidate) => candidate < second).at(-1)!),
    bound: findLeafIndex(second),
    entry: findLeafIndex(decidingSecond),
    window: isLate(order, decidingSecond) ? null : getWindow(decidingSecond, order),
  };
  return { ...createReceiptOverLog(rows, order, places), day_leaf: dayIndex, seed_leaf: seedIndex };
}

function getWindow(
  entrySecond: number,
  { tierSeconds, windowSeconds }: OrderBody,
): [number, number] {
  const last = entrySecond + tierSeconds;
  return [findLeafIndex(last - windowSeconds), findLeafIndex(last)];
}

/**
 * The receipt that the leaves at `places` give, unchecked: whether their seconds ascend is for a
 * check to find.
 */
export function createReceiptOverLog(
  log: readonly (Row | null)[],
  order: OrderBody,
  places: LeafPositions,
  samplesOf = (window: Row[]) => window.map(({ index }) => index),
  accepted = terms,
): ContractReceipt {
  const boundHashes = log[places.bound]!.orders.map((order) => leafHash(computeHash(order)));
  const position = log[places.bound]!.orders.indexOf(order);
  const entry = log[places.entry]!;
  const isEntryLate = isLate(order, entry.second);
  const purchase = isEntryLate ? null : entry.index;
  const entryAtMs = isEntryLate ? null : startMs + entry.second * 1000;
  const deliveryAtMs = entryAtMs === null ? null : computeDelivery(entryAtMs, order.tierSeconds);
  const selling = deliveryAtMs === null ? null : sellingPriceAt(deliveryAtMs);
  const settled = settle(order, purchase, selling);
  return {
    format: "drydock.receipt.contract/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    order: orderStructure(order),
    orders_path: inclusionRanges(position, boundHashes.length).map(({ start, end }) =>
      bytesToHex(treeRoot(boundHashes.slice(start, end))),
    ),
    orders_count: boundHashes.length,
    orders_index: position,
    before_leaf: places.before,
    bound_leaf: places.bound,
    entry_leaf: places.entry,
    window_leaves: places.window,
    terms: termsBody(accepted),
    terms_leaf: 1,
    result: {
      outcome: settled.outcome,
      void_reason: isEntryLate ? "no_entry" : selling === null ? "few_samples" : null,
      purchase_price: purchase === null ? null : String(purchase),
      selling_price: selling === null ? null : String(selling),
      entry_at_ms: entryAtMs,
      delivery_at_ms: deliveryAtMs,
      payout: String(settled.payout),
      net: String(settled.net),
    },
    day_leaf: null,
    seed_leaf: null,
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };

  function sellingPriceAt(endMs: number): bigint | null {
    const { fromMs, toMs } = getWindowBounds(endMs, order.windowSeconds);
    const [from, to] = places.window!;
    const windowRows = log.slice(from, to + 1).filter((row) => {
      const atMs = startMs + (row?.second ?? 0) * 1000;
      return atMs >= fromMs && atMs <= toMs;
    }) as Row[];
    const price = computeSettlementPrice(
      samplesOf(windowRows).filter((value) => value !== null),
      order.windowSeconds,
    );
    return price.ok ? price.price : null;
  }
}
