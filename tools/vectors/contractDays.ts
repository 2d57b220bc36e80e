import { checkReceipt } from "#core/contracts/receipt.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { SecondRange } from "#core/transparency-log/dayLeaf.ts";
import type { SeedSource } from "#core/transparency-log/seedLeaf.ts";
import {
  createReceipt,
  dayEntry,
  dayIndex,
  entries,
  leafIndex,
  orders,
  receiptOver,
  rows,
  secondEntry,
  seedEntry,
  seedIndex,
  theDay,
  world,
} from "./contractLog.ts";
import { cosignedSource } from "./log.ts";

const [won, , , voided] = orders.map(createReceipt) as [
  ContractReceipt,
  ContractReceipt,
  ContractReceipt,
  ContractReceipt,
];
const hour = { from: 3_600, count: 82_800 };

/** A false `day` leaf in place of the honest one. */
const createFalsified = (
  name: string,
  receipt: ContractReceipt,
  change: Partial<typeof theDay>,
): FalsifiedDay => ({
  name,
  at: dayIndex,
  remove: 1,
  inserted: [dayEntry({ ...theDay, ...change })],
  receipt,
});

interface FalsifiedDay {
  name: string;
  at: number;
  remove: number;
  inserted: Uint8Array[];
  receipt: ContractReceipt;
}

const [skippedRange, rest] = theDay.missing as [SecondRange, SecondRange];
const places = { before: leafIndex(9), bound: leafIndex(10), entry: leafIndex(11) };
const window: [number, number] = [leafIndex(61), leafIndex(71)];
const shifted = receiptOver(rows.toSpliced(2, 0, null), orders[0]!.order, {
  before: places.before + 1,
  bound: places.bound + 1,
  entry: places.entry + 1,
  window: [window[0] + 1, window[1] + 1],
});

/** False statements about a day by a log keeper, with honest receipts. */
export const falsifiedDays: readonly FalsifiedDay[] = [
  createFalsified("a day that hides a missing second", voided, { missing: [rest] }),
  createFalsified("a day that counts a closed second as missing", won, {
    missing: [skippedRange, { from: 65, count: 1 }, rest],
  }),
  createFalsified("a day that begins an hour late", won, { due: hour, missing: [] }),
  createFalsified("a day that counts no order without an entry", voided, {
    voids: { noEntry: 0, fewSamples: 1 },
  }),
  createFalsified("the leaf of another day", won, { day: theDay.day + 1 }),
  {
    name: "a day that was over before its orders ended",
    at: 2,
    remove: 0,
    inserted: [dayEntry()],
    receipt: { ...shifted, day_leaf: 2 },
  },
  {
    name: "a second in place of the day",
    at: dayIndex,
    remove: 0,
    inserted: [],
    receipt: { ...won, day_leaf: leafIndex(200) },
  },
];

const beginning = (name: string, source: SeedSource, dayMs?: number): FalsifiedDay => ({
  name,
  at: seedIndex,
  remove: 1,
  inserted: [seedEntry(source, dayMs)],
  receipt: won,
});
const cosigned = cosignedSource(entries.slice(0, seedIndex));

/** False statements about a day's seed by a log keeper. */
export const falsifiedSeeds: readonly FalsifiedDay[] = [
  beginning("the seed of another day", cosigned, (theDay.day + 1) * 86_400_000),
  beginning("a seed mixed with a cosignature of a later tree", cosignedSource(entries.slice(0, 9))),
  {
    ...beginning("a seed begun when its prices were known", cosigned),
    at: leafIndex(20),
    remove: 0,
    receipt: {
      ...receiptOver(rows.toSpliced(leafIndex(20), 0, null), orders[0]!.order, {
        ...places,
        window: [window[0] + 1, window[1] + 1],
      }),
      seed_leaf: leafIndex(20),
    },
  },
  {
    ...beginning("terms in place of the seed", cosigned),
    remove: 0,
    inserted: [],
    receipt: { ...won, seed_leaf: 1 },
  },
];

/** Seeds with a forged cosignature, which only a reader who verifies signatures can refuse. */
export function forgedSources() {
  const { seconds, ...rest } = cosigned as Extract<SeedSource, { kind: "witness" }>;
  const forged: [string, SeedSource][] = [
    ["a cosignature that states another time", { ...rest, seconds: seconds + 1 }],
    ["a cosignature of another log", cosignedSource(entries.slice(0, seedIndex), "elsewhere")],
  ];
  return forged.map(([name, source]) => ({
    name,
    at: seedIndex,
    remove: 1,
    insert: [bytesToHex(seedEntry(source))],
    receipt: won,
    step: "seed",
    difference: "seed_source_differs",
  }));
}

/** An order that is void because four of the ten seconds of its window have no index. */
export function voidBySamples() {
  const silentRows = [63, 64, 65, 66].map((second) => ({
    ...rows[leafIndex(second)]!,
    index: null,
  }));
  const index = leafIndex(63);
  const log = rows.toSpliced(index, silentRows.length, ...silentRows);
  return orders.slice(0, 2).map(({ order }) => {
    const receipt = { ...receiptOver(log, order, { ...places, window }), day_leaf: dayIndex };
    const inserted = silentRows.map(secondEntry);
    const leaves = new Map(entries.toSpliced(index, inserted.length, ...inserted).entries());
    const { ok, bySamples } = checkReceipt(receipt, world, leaves);
    if (!ok || bySamples === null) throw new Error("a void order of the vectors fails");
    const insert = inserted.map(bytesToHex);
    return { at: index, remove: insert.length, insert, receipt, by_samples: bySamples };
  });
}
