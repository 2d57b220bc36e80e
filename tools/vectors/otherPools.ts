import { frictionNames } from "#core/hosting/friction.ts";
import { computeFoundingUnits } from "#core/hosting/pool.ts";
import { checkMark } from "#core/hosting/receipt/markReceipt.ts";
import { checkTrade } from "#core/hosting/receipt/tradeReceipt.ts";
import { createState, encodePoolState } from "#core/hosting/state.ts";
import { type PoolTerms, termsBody, termsHash } from "#core/hosting/terms.ts";
import type { Moment } from "#core/hosting/types.ts";
import type { Book } from "#core/market/book.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { MarkBatch, noFlows } from "#server/hosting/run/markBatch.ts";
import type { RunningPool, RunState } from "#server/hosting/types.ts";
import { createHostingReceipts } from "./hostingReceipts.ts";

/** A pool before its first minute, with the house's capital alone; its terms are leaf 1. */
export function createPoolAtStart(terms: PoolTerms, publishedAtMs: number): RunningPool {
  const state = createState(terms.seed);
  const run: RunState = { state, text: encodePoolState(state), peak: 100_000_000n, worst: 0 };
  const runs = Object.fromEntries(frictionNames.map((name) => [name, run])) as RunningPool["runs"];
  const units = computeFoundingUnits("USDT", terms.seed);
  return {
    id: terms.poolId,
    config: terms.config,
    minimum: terms.minimum,
    maximum: terms.maximum,
    seed: terms.seed,
    ordinal: 1,
    suspended: false,
    termsHash: termsHash(terms),
    version: 1,
    termsLeaf: 1,
    publishedAtMs,
    houseUnits: units,
    units,
    holders: 0,
    startedAtMs: null,
    holdStart: null,
    nav: null,
    entryNav: null,
    markAtMs: null,
    markLeaf: null,
    gapAtMs: null,
    runs,
    markedText: null,
    day: null,
  };
}

/** One symbol of a small recording of a single venue. */
interface PricedSymbol {
  name: MarketSymbol;
  /** Digits of a price. */
  scale: number;
  /** At each of three levels, of the base at scale 8. */
  size: bigint;
  /** In the smallest step of a price. */
  getMid: (minute: number) => bigint;
}

const startMs = 1_767_571_200_000;
const market = { kind: "replay", speed: 1 } as const;
const venues = ["east"];
const minutes = 20;

function bookAt({ size, getMid }: PricedSymbol, minute: number): Book {
  const mid = getMid(minute);
  const side = (by: bigint) => [1n, 2n, 3n].map((step) => ({ price: mid + by * step, size }));
  return { bids: side(-1n), asks: side(1n) };
}

/** The log of one pool without subscribers, and the receipts of its trades and marks. */
async function createPool(
  config: PoolTerms["config"],
  poolId: string,
  pricedSymbols: readonly PricedSymbol[],
) {
  const world: WorldLeaf = {
    world: "vector",
    market,
    simulator: null,
    seedAnchor: null,
    beacon: null,
    recording: new Uint8Array(32).fill(0x77),
    createdAtMs: startMs,
    venues,
    symbols: pricedSymbols.map(({ name, scale }) => ({ name, scale, venues })),
  };
  const terms: PoolTerms = {
    world: world.world,
    poolId,
    version: 1,
    config,
    minimum: 10_000_000n,
    maximum: 1_000_000_000_000n,
    seed: 100_000_000_000n,
  };
  const bytes = [encodeWorld(world), encodeTerms(canonicalBytes(termsBody(terms)), world.world)];
  let pools = [createPoolAtStart(terms, startMs)];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const moment = momentAt(pricedSymbols, minute);
    const secondLeaf = bytes.length;
    bytes.push(secondAt(world, pricedSymbols, moment.atMs, minute));
    const batch = new MarkBatch(pools, world.world, bytes.length);
    batch.step(moment, secondLeaf);
    await batch.mark(moment, secondLeaf, async () => noFlows);
    bytes.push(...batch.leaves.map((leaf) => leaf.bytes));
    pools = batch.pools;
  }
  const log = { terms: { body: termsBody(terms), hash: termsHash(terms) }, orders: [] };
  const leaves = bytes.map(bytesToHex);
  const { trades, marks } = createHostingReceipts(world.world, market, { ...log, leaves });
  const provenLeaves = new Map(bytes.entries());
  const failedSteps = [
    ...trades.map((trade) => checkTrade(trade, world, provenLeaves)),
    ...marks.map((mark) => checkMark(mark, world, provenLeaves)),
  ].flatMap(({ steps }) => steps.filter(({ ok }) => !ok));
  if (failedSteps.length > 0) throw new Error(`${poolId}: ${failedSteps[0]?.difference}`);
  return { name: poolId, leaves, receipts: { trades, marks } };
}

function secondAt(
  world: WorldLeaf,
  pricedSymbols: readonly PricedSymbol[],
  secondMs: number,
  minute: number,
): Uint8Array {
  const quotes = [
    pricedSymbols.map((pricedSymbol) => {
      const { bids, asks } = bookAt(pricedSymbol, minute);
      return { bid: bids[0]!.price, ask: asks[0]!.price };
    }),
  ];
  const index = pricedSymbols.map(({ getMid }) => getMid(minute));
  return encodeSecond({ secondMs, quotes, index, ...bindOrders([]) }, worldTag(world.world));
}

function momentAt(pricedSymbols: readonly PricedSymbol[], minute: number): Moment {
  const atMs = startMs + minute * 60_000;
  const find = (symbol: MarketSymbol) => pricedSymbols.find(({ name }) => name === symbol);
  return {
    atMs,
    book: (venue, symbol) => {
      const pricedSymbol = find(symbol);
      if (!pricedSymbol || !venues.includes(venue)) return null;
      const book = bookAt(pricedSymbol, minute);
      return { bid: book.bids[0]!.price, ask: book.asks[0]!.price, atMs, levels: () => book };
    },
    index: (symbol) => find(symbol)?.getMid(minute) ?? null,
  };
}

/** The dollar of bitcoin runs 80 bp ahead of the loop for two minutes, so that all legs fill. */
const ahead = (minute: number) => (minute === 14 || minute === 15 ? 16_000n : 0n);
const drift = (minute: number) => BigInt((minute * 37) % 50) * 10n;

/** A loop of three symbols, one of them with a base of six digits, and a base of nine held. */
export const otherPools = [
  await createPool(
    {
      strategy: "triangle",
      venues,
      symbols: ["BTC/USDT", "BTC/USDC", "USDC/USDT"],
      home: "USDT",
    },
    "triangle-btc",
    [
      {
        name: "BTC/USDT",
        scale: 2,
        size: 200_000_000n,
        getMid: (minute) => 2_000_000n + drift(minute) + ahead(minute),
      },
      {
        name: "BTC/USDC",
        scale: 2,
        size: 200_000_000n,
        getMid: (minute) => 2_000_000n + drift(minute),
      },
      { name: "USDC/USDT", scale: 5, size: 6_000_000_000_000n, getMid: () => 100_000n },
    ],
  ),
  await createPool({ strategy: "hold", venues, symbols: ["ETH/USDT"], home: "USDT" }, "hold-eth", [
    {
      name: "ETH/USDT",
      scale: 2,
      size: 12_345_678_901n,
      getMid: (minute) => 310_000n + drift(minute),
    },
  ]),
];
