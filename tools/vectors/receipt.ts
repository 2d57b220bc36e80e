import { type OrderBody, orderHash, orderStructure } from "#core/contracts/order.ts";
import { checkReceipt } from "#core/contracts/receipt.ts";
import type { ContractReceipt } from "#core/contracts/receiptForm.ts";
import { deliveryAt, feeOf, settle } from "#core/contracts/settle.ts";
import {
  defaultTiers,
  type Terms,
  termsBody,
  termsBytes,
  termsHash,
} from "#core/contracts/terms.ts";
import { sellingPrice, windowBounds } from "#core/contracts/window.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { checkpointText, encodeVkey, signNote } from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { inclusionRanges, leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeTerms } from "#core/transparency-log/termsLeaf.ts";
import { encodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import { vectorKey, vectorOrigin, vectorSigner } from "./log.ts";

const startMs = 1_767_571_200_000;
const world: WorldLeaf = {
  world: "vector",
  market: { kind: "simulated", speed: 1 },
  createdAtMs: startMs,
  venues: ["north", "south", "mole"],
  symbols: [
    { name: "BTC/USDT", scale: 2, venues: ["north", "south", "mole"] },
    { name: "XRP/USDT", scale: 5, venues: ["north", "south", "mole"] },
  ],
};
const tag = worldTag(world.world);
const terms: Terms = {
  world: world.world,
  contractId: "btc-usdt",
  symbol: "BTC/USDT",
  version: 1,
  tiers: defaultTiers,
};

/** 300 seconds after the first two leaves; second 40 is missing, and in 41 the index has no value. */
const secondsCount = 300;
const missing = 40;
const gap = 41;
const secondsBefore = Array.from({ length: secondsCount }, (_, at) => at + 1).filter(
  (second) => second !== missing,
);
/** A path that goes up and down by a few cents, with no more meaning than that. */
const indexAt = (second: number) =>
  second === gap ? null : 2_312_345n + BigInt((second * 37) % 101) - BigInt((second * second) % 53);

const orderAt = (number: number, change: Partial<OrderBody> = {}): OrderBody => {
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
    fee: feeOf(stake, 100),
    termsHash: termsHash(terms),
    acceptedAtMs: startMs + 9_400,
    salt: String(number).repeat(64).slice(0, 64),
    ...change,
  };
};

/** Four orders: three bound by second 10, one by second 39, whose next value comes too late. */
const orders: { order: OrderBody; second: number }[] = [
  { order: orderAt(1), second: 10 },
  { order: orderAt(2, { direction: "down" }), second: 10 },
  {
    order: orderAt(3, { tierSeconds: 60, stake: 10_000_001n, fee: feeOf(10_000_001n, 100) }),
    second: 10,
  },
  { order: orderAt(4, { acceptedAtMs: startMs + 38_500 }), second: 39 },
];
/** Accepted before second 50, which has to bind it; this log holds it back to second 51, so that its entry comes too late. */
const held = { order: orderAt(5, { acceptedAtMs: startMs + 49_500 }), second: 51 };

function hashesOf(second: number): Uint8Array[] {
  return [...orders, held]
    .filter((one) => one.second === second)
    .map(({ order }) => hexToBytes(orderHash(order)));
}

function secondEntry(second: number): Uint8Array {
  const index = indexAt(second);
  const quotes = [-2n, 0n, 3n].map((shift) => [
    index === null ? null : { bid: index + shift - 1n, ask: index + shift + 1n },
    { bid: 51_230n + shift, ask: 51_240n + shift },
  ]);
  const leaf = { secondMs: startMs + second * 1000, quotes, index: [index, 51_235n] };
  return encodeSecond({ ...leaf, ...bindOrders(hashesOf(second)) }, tag);
}

const entries = [
  encodeWorld(world),
  encodeTerms(termsBytes(terms), world.world),
  ...secondsBefore.map(secondEntry),
];
const leafOf = (second: number) => 2 + secondsBefore.indexOf(second);

function receiptOf({ order, second }: (typeof orders)[number]): ContractReceipt {
  const hashes = hashesOf(second).map(leafHash);
  const position = hashesOf(second).findIndex((hash) => bytesToHex(hash) === orderHash(order));
  const after = secondsBefore.filter((one) => one > second);
  const decided = after.find(
    (one) => startMs + one * 1000 - order.acceptedAtMs > 2_000 || indexAt(one) !== null,
  )!;
  const late = startMs + decided * 1000 - order.acceptedAtMs > 2_000;
  const purchase = late ? null : indexAt(decided);
  const entryAtMs = late ? null : startMs + decided * 1000;
  const deliveryAtMs = entryAtMs === null ? null : deliveryAt(entryAtMs, order.tierSeconds);
  const window = deliveryAtMs === null ? null : readWindow(deliveryAtMs, order.windowSeconds);
  const settled = settle(order, purchase, window?.selling ?? null);
  return {
    format: "drydock.receipt.contract/1",
    practice: true,
    backing: "none",
    world: world.world,
    market: world.market,
    order: orderStructure(order),
    orders_path: inclusionRanges(position, hashes.length).map(({ start, end }) =>
      bytesToHex(treeRoot(hashes.slice(start, end))),
    ),
    orders_count: hashes.length,
    orders_index: position,
    before_leaf: leafOf(secondsBefore.filter((one) => one < second).at(-1)!),
    bound_leaf: leafOf(second),
    entry_leaf: leafOf(decided),
    window_leaves: window?.leaves ?? null,
    terms: termsBody(terms),
    terms_leaf: 1,
    result: {
      outcome: settled.outcome,
      void_reason: late ? "no_entry" : null,
      purchase_price: purchase === null ? null : String(purchase),
      selling_price: window ? String(window.selling) : null,
      entry_at_ms: entryAtMs,
      delivery_at_ms: deliveryAtMs,
      payout: String(settled.payout),
      net: String(settled.net),
    },
    log: { origin: vectorOrigin, vkey: encodeVkey(vectorKey) },
  };
}

function readWindow(deliveryAtMs: number, seconds: number) {
  const { fromMs, toMs } = windowBounds(deliveryAtMs, seconds);
  const inside = secondsBefore.filter((one) => {
    const atMs = startMs + one * 1000;
    return atMs >= fromMs && atMs <= toMs;
  });
  const price = sellingPrice(
    inside.map(indexAt).filter((value) => value !== null),
    seconds,
  );
  if (!price.ok) throw new Error("the vector's window has too few samples");
  return {
    leaves: [leafOf(inside[0]!) - 1, leafOf(inside.at(-1)!)] as [number, number],
    selling: price.price,
  };
}

type Tamper = (receipt: ContractReceipt) => unknown;
const tampers: Record<string, Tamper> = {
  "payout one minor unit more": (receipt) => ({
    ...receipt,
    result: { ...receipt.result, payout: String(BigInt(receipt.result.payout) + 1n) },
  }),
  "selling price one tick more": (receipt) => ({
    ...receipt,
    result: {
      ...receipt.result,
      selling_price: String(BigInt(receipt.result.selling_price!) + 1n),
    },
  }),
  "the other direction": (receipt) => ({
    ...receipt,
    order: { ...receipt.order, direction: "down" },
  }),
  "without the second before it was bound": (receipt) => ({
    ...receipt,
    before_leaf: receipt.bound_leaf,
  }),
  "entered a second later": (receipt) => ({ ...receipt, entry_leaf: receipt.entry_leaf + 1 }),
  "a second left out of the window": (receipt) => ({
    ...receipt,
    window_leaves: [receipt.window_leaves![0] + 1, receipt.window_leaves![1]],
  }),
  "terms with a better rate": (receipt) => ({
    ...receipt,
    terms: { ...receipt.terms, version: 2 },
  }),
  "without the practice mark": (receipt) => ({ ...receipt, practice: false }),
  "of a live market": (receipt) => ({ ...receipt, market: { kind: "live", speed: 1 } }),
};

export function receiptVectors() {
  const root = treeRoot(entries.map(leafHash));
  const size = entries.length;
  const leaves = new Map(entries.map((entry, index) => [index, entry]));
  const receipts = orders.map(receiptOf);
  for (const receipt of receipts) {
    const check = checkReceipt(receipt, world, leaves);
    if (!check.ok)
      throw new Error(`a receipt of the vectors fails: ${JSON.stringify(check.steps.at(-1))}`);
  }
  return {
    about:
      "A whole small log, receipts that agree with it, and altered ones with what must be found.",
    vkey: encodeVkey(vectorKey),
    checkpoint: signNote(checkpointText({ origin: vectorOrigin, size, root }), [vectorSigner]),
    entries: entries.map(bytesToHex),
    receipts,
    altered: [
      ...Object.entries(tampers).map(
        ([name, alter]) => [name, alter(structuredClone(receipts[0]!))] as const,
      ),
      ["held back for a second before it was bound", receiptOf(held)] as const,
    ].map(([name, receipt]) => {
      const failed = checkReceipt(receipt, world, leaves).steps.find(({ ok }) => !ok);
      if (!failed) throw new Error(`the altered receipt passes: ${name}`);
      return { name, receipt, step: failed.step, difference: failed.difference };
    }),
  };
}
