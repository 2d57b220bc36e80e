import { sha256 } from "@noble/hashes/sha2.js";
import { stateHash } from "#core/hosting/leaves.ts";
import { type HostingOrderBody, orderHash, orderStructure } from "#core/hosting/order.ts";
import { computePayout, computeUnits, type Mark } from "#core/hosting/pool.ts";
import { encodePoolState } from "#core/hosting/state.ts";
import { type PoolTerms, termsBody, termsHash } from "#core/hosting/terms.ts";
import type { Moment } from "#core/hosting/types.ts";
import type { Book } from "#core/market/book.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { MarkBatch } from "#server/hosting/run/markBatch.ts";
import { createFalsifiedHosting } from "./falsifiedHosting.ts";
import { createAlteredReceipts, createHostingReceipts } from "./hostingReceipts.ts";
import { createPoolAtStart, otherPools } from "./otherPools.ts";
import { createPoolJournals } from "./poolJournals.ts";

const startMs = 1_767_571_200_000;
const venues = ["east", "west"];
const market = { kind: "replay", speed: 1 } as const;
const world: WorldLeaf = {
  world: "vector",
  market,
  simulator: null,
  seedAnchor: null,
  beacon: null,
  recording: new Uint8Array(32).fill(0x77),
  createdAtMs: startMs,
  venues,
  symbols: [{ name: "BTC/USDT", scale: 2, venues }],
};
const tag = worldTag(world.world);
const terms: PoolTerms = {
  world: world.world,
  poolId: "cross-btc",
  version: 1,
  config: { strategy: "cross", venues, symbols: ["BTC/USDT"], home: "USDT" },
  minimum: 10_000_000n,
  maximum: 1_000_000_000_000n,
  seed: 100_000_000_000n,
};
const minutes = 36;

/**
 * Mid of a venue in cents: the venues agree, except for a gap of 60 bp that lasts two minutes, so
 * that both legs fill within it.
 */
function midAt(venue: number, minute: number): bigint {
  const open = minute % 8 === 4 || minute % 8 === 5;
  return 2_000_000n + BigInt((minute * 37) % 50) * 10n + (venue === 1 && open ? 12_000n : 0n);
}

/** Three levels of a fifth of a bitcoin each, one cent apart. */
function bookAt(venue: number, minute: number): Book {
  const mid = midAt(venue, minute);
  const side = (by: bigint) =>
    [1n, 2n, 3n].map((step) => ({ price: mid + by * step, size: 20_000_000n }));
  return { bids: side(-1n), asks: side(1n) };
}

/**
 * A recording of half an hour in which one pool runs, two people subscribe and one redeems: the
 * log, and what follows from it.
 */
async function createHostingLog() {
  const leaves: Uint8Array[] = [encodeWorld(world)];
  leaves.push(encodeTerms(canonicalBytes(termsBody(terms)), world.world));
  const orders: PlacedOrder[] = [];
  const executedOrders: ExecutedOrder[] = [];
  let pools = [createPoolAtStart(terms, startMs)];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const atMs = startMs + minute * 60_000;
    const secondLeaf = leaves.length;
    const boundOrders = listOrdersAt(minute - 1);
    for (const order of boundOrders) orders.push({ order, boundLeaf: secondLeaf, isDone: false });
    leaves.push(findSecond(atMs, minute, boundOrders));
    const batch = new MarkBatch(pools, world.world, leaves.length);
    const moment = momentAt(atMs, minute);
    batch.step(moment, secondLeaf);
    await batch.mark(moment, secondLeaf, async (_pool, mark, leaf) => {
      const dueOrders = orders.filter((order) => order.boundLeaf < secondLeaf && !order.isDone);
      return execute(dueOrders, mark, leaf, executedOrders);
    });
    leaves.push(...batch.leaves.map(({ bytes }) => bytes));
    pools = batch.pools;
  }
  const last = pools[0]!;
  return {
    about:
      "A log of hosting, leaf by leaf; all of it follows from its second leaves, books and orders (docs/formats/hosting.md)",
    terms: { body: termsBody(terms), hash: termsHash(terms) },
    leaves: leaves.map((bytes) => bytesToHex(bytes)),
    log_hash: bytesToHex(sha256(canonicalBytes(leaves.map((bytes) => bytesToHex(bytes))))),
    orders: executedOrders.map(({ order, ...rest }) => ({
      order: orderStructure(order),
      hash: orderHash(order),
      ...rest,
    })),
    end: {
      nav: `${last.nav}`,
      units: `${last.units}`,
      state: JSON.parse(encodePoolState(last.runs.realistic.state)),
      state_hash: stateHash(last.runs.realistic.state),
    },
  };
}

/** Executes what is due at a mark, adds it to `executed`, and returns what the mark states. */
function execute(
  dueOrders: readonly PlacedOrder[],
  mark: Mark,
  leaf: number,
  executedOrders: ExecutedOrder[],
) {
  const sums = {
    subscribed: 0n,
    given: 0n,
    redeemed: 0n,
    paid: 0n,
    kept: 0n,
    orders: dueOrders.length,
  };
  for (const placedOrder of dueOrders) {
    placedOrder.isDone = true;
    const { order, boundLeaf } = placedOrder;
    const units = order.amount === null ? order.units! : computeUnits("USDT", order.amount, mark);
    const payout = order.amount === null ? computePayout("USDT", units, mark) : null;
    if (payout) {
      sums.redeemed += units;
      sums.paid += payout.payout;
      sums.kept += payout.fee;
    } else {
      sums.given += units;
      sums.subscribed += order.amount!;
    }
    executedOrders.push({
      order,
      bound_leaf: boundLeaf,
      mark_leaf: leaf,
      units: `${units}`,
      amount: `${payout ? payout.worth : order.amount}`,
      fee: `${payout?.fee ?? 0n}`,
    });
  }
  return sums;
}

interface ExecutedOrder {
  order: HostingOrderBody;
  bound_leaf: number;
  mark_leaf: number;
  units: string;
  amount: string;
  fee: string;
}

interface PlacedOrder {
  order: HostingOrderBody;
  boundLeaf: number;
  isDone: boolean;
}

/** Orders that people place after a minute's close; the next second binds them. */
function listOrdersAt(minute: number): HostingOrderBody[] {
  const common = { world: world.world, market, poolId: terms.poolId, termsHash: termsHash(terms) };
  const make = (number: number, action: Pick<HostingOrderBody, "action" | "amount" | "units">) => ({
    ...common,
    ...action,
    orderId: `01940000-0000-8000-8000-00000000000${number}`,
    attemptId: `attempt-${number % 2}`,
    acceptedAtMs: startMs + minute * 60_000 + 1_000 + number,
    salt: String(number).repeat(64),
  });
  if (minute === 3) {
    return [
      make(1, { action: "subscribe", amount: 1_000_000_000n, units: null }),
      make(2, { action: "subscribe", amount: 20_123_457n, units: null }),
    ];
  }
  return minute === 21 ? [make(3, { action: "redeem", amount: null, units: 33_333_333_333n })] : [];
}

function findSecond(
  atMs: number,
  minute: number,
  boundOrders: readonly HostingOrderBody[] = [],
): Uint8Array {
  const quotes = venues.map((_, venue) => {
    const { bids, asks } = bookAt(venue, minute);
    return [{ bid: bids[0]!.price, ask: asks[0]!.price }];
  });
  return encodeSecond(
    {
      secondMs: atMs,
      quotes,
      index: [indexAt(minute)],
      ...bindOrders(boundOrders.map(computeHash)),
    },
    tag,
  );
}

const computeHash = (order: HostingOrderBody) => hexToBytes(orderHash(order));

/** Mean of the two venues, half to even: the sum of both mids is even. */
function indexAt(minute: number): bigint {
  return (midAt(0, minute) + midAt(1, minute)) / 2n;
}

function momentAt(atMs: number, minute: number): Moment {
  return {
    atMs,
    book: (venue, symbol) => {
      const index = venues.indexOf(venue);
      if (symbol !== "BTC/USDT" || index < 0) return null;
      const book = bookAt(index, minute);
      return { bid: book.bids[0]!.price, ask: book.asks[0]!.price, atMs, levels: () => book };
    },
    index: (symbol) => (symbol === "BTC/USDT" ? indexAt(minute) : null),
  };
}

/** A recording's log ends with two empty seconds, eight days later. */
const ending = [0, 1].map((offset) => {
  const secondMs = startMs + 8 * 86_400_000 + offset * 1_000;
  const leaf = { secondMs, quotes: venues.map(() => [null]), index: [null] };
  return encodeSecond({ ...leaf, ...bindOrders([]) }, tag);
});

const log = { ...(await createHostingLog()) };
const receipts = createHostingReceipts(world.world, market, log);

/** The vectors of docs/formats/hosting.md. */
export function createHostingVectors() {
  return {
    ...log,
    receipts,
    journals: createPoolJournals(world, log.leaves, receipts.orders, ending),
    altered: createAlteredReceipts(receipts),
    others: otherPools,
    falsified: createFalsifiedHosting(log.leaves, receipts, ending.map(bytesToHex)),
  };
}
